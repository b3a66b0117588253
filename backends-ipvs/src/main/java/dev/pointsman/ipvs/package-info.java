/// Mode `ipvs`: a virtual server for each Frontend, addresses on a dummy device that bring packets
/// to them, and fixed iptables rules that ask ipsets about the rest; all but the rules over
/// netlink.
@NullMarked
package dev.pointsman.ipvs;

import org.jspecify.annotations.NullMarked;
