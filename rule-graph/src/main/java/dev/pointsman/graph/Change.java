package dev.pointsman.graph;

/// How one entry of a graph differs from one graph to the next.
public sealed interface Change<T> {
    record Added<T>(T after) implements Change<T> {}

    record Removed<T>(T before) implements Change<T> {}

    record Replaced<T>(T before, T after) implements Change<T> {}
}
