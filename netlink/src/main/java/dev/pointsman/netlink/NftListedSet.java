package dev.pointsman.netlink;

/// A set or map as the kernel lists it; the id of the set, which the kernel forgets, is 0.
///
/// @param handle unique in its table
public record NftListedSet(NftSet set, long handle) {}
