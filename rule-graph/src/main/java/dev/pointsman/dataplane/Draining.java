package dev.pointsman.dataplane;

/// A real server that gets no new connections and keeps those it has.
///
/// @param virtualServer what its clients dialled, as in `10.96.0.1:443/tcp`
/// @param realServer as in `10.244.1.5:8443`
/// @param active connections that are open
/// @param inactive connections that are being closed, and all that have no state
public record Draining(String virtualServer, String realServer, long active, long inactive) {}
