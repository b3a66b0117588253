package dev.pointsman.packet.verify;

import dev.pointsman.packet.Outcome;

/// What rules made of a flow.
public sealed interface Ending extends Comparable<Ending> {
    Outcome outcome();

    record Of(Outcome outcome) implements Ending {
        @Override
        public String toString() {
            return outcome.toString();
        }
    }

    /// An endpoint gets it, but its answer does not come back through the node that alone could
    /// translate it.
    record Unanswered(Outcome outcome) implements Ending {
        @Override
        public String toString() {
            return outcome + " answer=lost";
        }
    }

    @Override
    default int compareTo(Ending other) {
        int order = outcome().compareTo(other.outcome());
        return order != 0 ? order : Integer.compare(rank(), other.rank());
    }

    private int rank() {
        return switch (this) {
            case Of _ -> 0;
            case Unanswered _ -> 1;
        };
    }
}
