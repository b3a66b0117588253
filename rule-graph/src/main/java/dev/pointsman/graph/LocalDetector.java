package dev.pointsman.graph;

/// How a packet of a local pod is recognised, in one family.
public sealed interface LocalDetector {
    /// It is not: pods count as outside.
    record None() implements LocalDetector {}

    /// By source address. The range may hold pods of other nodes too.
    record Range(Cidr range) implements LocalDetector {}

    /// By input interface; packets of the node itself have none.
    record Interface(String name) implements LocalDetector {}

    /// By the first letters of the input interface's name.
    record InterfacePrefix(String prefix) implements LocalDetector {}
}
