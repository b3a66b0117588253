package dev.pointsman.peers;

/// Something that kube-proxy does otherwise than the oracle says.
sealed interface Difference {
    ProxyMode mode();

    /// The scenario's file without its ending, or `shop`.
    String where();

    /// A flow ends otherwise.
    record OfFlow(ProxyMode mode, String where, String flow) implements Difference {}

    /// `verify` reports a fault of the rules.
    record OfRules(ProxyMode mode, String where, Fault fault) implements Difference {}

    /// The API server does not take the objects.
    record Refused(ProxyMode mode, String where) implements Difference {}
}
