package dev.pointsman.graph;

/// Whether a client keeps its endpoint from one connection to the next.
public sealed interface Affinity {
    record None() implements Affinity {}

    /// A client address keeps its endpoint until `seconds` after its last new connection.
    record ClientIp(int seconds) implements Affinity {
        public ClientIp {
            if (seconds <= 0) {
                throw new IllegalArgumentException(
                        "an affinity time-out of " + seconds + " s is not positive");
            }
        }
    }
}
