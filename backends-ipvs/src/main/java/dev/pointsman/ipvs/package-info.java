/// Will hold the IPVS dataplane: virtual and real servers, ipsets and the dummy device, all written
/// over netlink, with a drain list for endpoints that still have connections.
@NullMarked
package dev.pointsman.ipvs;

import org.jspecify.annotations.NullMarked;
