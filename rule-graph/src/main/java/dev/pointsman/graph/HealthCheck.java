package dev.pointsman.graph;

/// The health-check node port of a LoadBalancer Service with external policy Local.
///
/// @param localReady distinct addresses of ready endpoints on this node; terminating ones do not
///   count
public record HealthCheck(int port, int localReady) {}
