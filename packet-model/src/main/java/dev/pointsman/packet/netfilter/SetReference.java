package dev.pointsman.packet.netfilter;

/// The set or map that a step looks into.
public sealed interface SetReference {
    /// One that the rule carries itself. A single constant is an anonymous set of one element.
    record Anonymous(Elements elements) implements SetReference {}

    /// One of the rule's table, by name.
    record Named(String name) implements SetReference {}
}
