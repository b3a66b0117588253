package dev.pointsman.netlink;

/// A chain as the kernel lists it.
///
/// @param handle unique in its table
/// @param use number of rules in it and of jumps to it
public record NftListedChain(NftChain chain, long handle, int use) {}
