package dev.pointsman.graph;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;

/// An EndpointSlice reduced to what decides rules: one family, owner known, no incomplete entries.
///
/// @param name unique within the namespace of its Service; slices are merged in this order
public record EndpointSlice(
        String name, ServiceName service, Family family, List<Port> ports, List<Entry> entries) {
    public EndpointSlice {
        ports = List.copyOf(ports);
        entries = List.copyOf(entries);
    }

    /// A port that every endpoint of the slice has.
    ///
    /// @param name joins with the equal name of a Service port; empty joins with empty
    public record Port(String name, Protocol protocol, int port) {
        public Port {
            if (port < 1 || port > 65535) {
                throw new IllegalArgumentException("port " + port + " is not within 1..65535");
            }
        }
    }

    /// One endpoint of the slice, before it meets a port.
    ///
    /// @param node name of the node it runs on; empty when the slice does not say
    public record Entry(IpAddress address, String node, Conditions conditions, Hints hints) {}

    /// The three conditions of the API, after its defaults (ready and serving true, terminating
    /// false).
    public record Conditions(boolean ready, boolean serving, boolean terminating) {
        public static final Conditions READY = new Conditions(true, true, false);

        /// Shutting down, but still answering: used only where nothing is ready.
        boolean draining() {
            return serving && terminating;
        }
    }

    /// Where the slice's controller wants an endpoint to be used from. Empty sets say nothing.
    public record Hints(SortedSet<String> zones, SortedSet<String> nodes) {
        public static final Hints NONE =
                new Hints(Collections.emptySortedSet(), Collections.emptySortedSet());

        public Hints {
            zones = Collections.unmodifiableSortedSet(zones);
            nodes = Collections.unmodifiableSortedSet(nodes);
        }
    }
}
