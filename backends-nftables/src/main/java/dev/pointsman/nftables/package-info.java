/// The nftables dataplane: constant rules, and everything that varies with the cluster in maps.
@NullMarked
package dev.pointsman.nftables;

import org.jspecify.annotations.NullMarked;
