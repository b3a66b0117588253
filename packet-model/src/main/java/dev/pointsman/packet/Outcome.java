package dev.pointsman.packet;

import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;

/// What the two ends of a [Flow] get to see.
public sealed interface Outcome extends Comparable<Outcome> {
    /// An endpoint answers, and the answer reaches the sender.
    record Delivered(IpAddress endpoint, int port, Source source) implements Outcome {
        static Delivered to(Endpoint endpoint, Source source) {
            return new Delivered(endpoint.address(), endpoint.port(), source);
        }

        @Override
        public String toString() {
            return (endpoint.family() == Family.IPV4 ? endpoint.toString() : "[" + endpoint + "]")
                    + ":"
                    + port
                    + " source="
                    + switch (source) {
                        case KEPT -> "kept";
                        case NODE -> "node";
                    };
        }
    }

    /// No answer at all.
    record Dropped() implements Outcome {
        @Override
        public String toString() {
            return "drop";
        }
    }

    /// The node refuses it.
    record Rejected() implements Outcome {
        @Override
        public String toString() {
            return "reject";
        }
    }

    /// The node neither translates nor stops it: it goes where routing takes it, which may be a
    /// closed port of the node.
    record Untouched() implements Outcome {
        @Override
        public String toString() {
            return "untouched";
        }
    }

    /// The address that the endpoint takes for the sender's.
    enum Source {
        /// The sender's own.
        KEPT,
        /// One of this node's: by masquerading, or because the node itself is the sender.
        NODE
    }

    @Override
    default int compareTo(Outcome other) {
        if (this instanceof Delivered a && other instanceof Delivered b) {
            int order = a.endpoint.compareTo(b.endpoint);
            order = order != 0 ? order : Integer.compare(a.port, b.port);
            return order != 0 ? order : a.source.compareTo(b.source);
        }
        return Integer.compare(rank(), other.rank());
    }

    private int rank() {
        return switch (this) {
            case Delivered _ -> 0;
            case Dropped _ -> 1;
            case Rejected _ -> 2;
            case Untouched _ -> 3;
        };
    }
}
