package dev.pointsman.netlink;

/// A real server as the kernel has it, with its connections.
///
/// @param active connections that are open
/// @param inactive connections that are being closed, and all of UDP
/// @param persistent clients that stay with it
public record IpvsListedDestination(
        IpvsDestination destination, int active, int inactive, int persistent) {}
