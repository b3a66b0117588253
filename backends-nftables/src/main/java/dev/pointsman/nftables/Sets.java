package dev.pointsman.nftables;

import dev.pointsman.graph.Shape;
import dev.pointsman.nftables.NamedSet.Kind;
import dev.pointsman.nftables.NamedSet.Role;
import java.util.List;

/// The sets and maps that every table has. Their names and key types are an interface: other
/// programs read them (`docs/backends/nftables.md`).
final class Sets {
    /// Addresses under external policy Local: packets from elsewhere than a local pod.
    static final NamedSet LOCAL_SERVICES =
            new NamedSet("local-services", Key.FRONTEND, Kind.VERDICTS, Role.PRECEDING);

    static final NamedSet SERVICES =
            new NamedSet("services", Key.FRONTEND, Kind.VERDICTS, Role.DECIDING);
    static final NamedSet NO_ENDPOINTS =
            new NamedSet("no-endpoints", Key.FRONTEND, Kind.VERDICTS, Role.REMAINING);
    static final NamedSet LOCAL_NODE_PORTS =
            new NamedSet("local-node-ports", Key.NODE_PORT, Kind.VERDICTS, Role.PRECEDING);
    static final NamedSet NODE_PORTS =
            new NamedSet("node-ports", Key.NODE_PORT, Kind.VERDICTS, Role.DECIDING);
    static final NamedSet NO_ENDPOINT_NODE_PORTS =
            new NamedSet("no-endpoint-node-ports", Key.NODE_PORT, Kind.VERDICTS, Role.REMAINING);

    /// Frontend and slot to endpoint. A Frontend's LOCAL pool starts at [#SECOND_POOL].
    static final NamedSet ENDPOINTS =
            new NamedSet(
                    "endpoints", Key.FRONTEND.and(Field.Slot.ANY), Kind.ENDPOINTS, Role.FOLLOWED);

    static final NamedSet NODE_PORT_ENDPOINTS =
            new NamedSet(
                    "node-port-endpoints",
                    Key.NODE_PORT.and(Field.Slot.ANY),
                    Kind.ENDPOINTS,
                    Role.FOLLOWED);

    static final NamedSet CLUSTER_IPS =
            new NamedSet("cluster-ips", Key.DESTINATION, Kind.MEMBERS, Role.GUARDING);

    /// Addresses of endpoints on this node.
    static final NamedSet LOCAL_ENDPOINTS =
            new NamedSet("local-endpoints", Key.DESTINATION, Kind.MEMBERS, Role.FOLLOWED);

    /// The same, twice: a packet from an endpoint to itself.
    static final NamedSet HAIRPIN =
            new NamedSet("hairpin", Key.BOTH_ENDS, Kind.MEMBERS, Role.FOLLOWED);

    /// Frontends that not everybody may use.
    static final NamedSet RANGED = new NamedSet("ranged", Key.FRONTEND, Kind.MEMBERS, Role.FENCING);

    static final NamedSet SOURCE_RANGES =
            new NamedSet(
                    "source-ranges",
                    Key.FRONTEND.and(Field.Packet.SOURCE),
                    Kind.RANGES,
                    Role.FOLLOWED_RANGES);

    /// Frontends under external policy Local.
    static final NamedSet SHORT_CIRCUIT =
            new NamedSet("short-circuit", Key.FRONTEND, Kind.MEMBERS, Role.FOLLOWED);

    static final NamedSet SHORT_CIRCUIT_NODE_PORTS =
            new NamedSet("short-circuit-node-ports", Key.NODE_PORT, Kind.MEMBERS, Role.FOLLOWED);

    static final List<NamedSet> ALL =
            List.of(
                    LOCAL_SERVICES,
                    SERVICES,
                    LOCAL_NODE_PORTS,
                    NODE_PORTS,
                    NO_ENDPOINTS,
                    NO_ENDPOINT_NODE_PORTS,
                    ENDPOINTS,
                    NODE_PORT_ENDPOINTS,
                    CLUSTER_IPS,
                    LOCAL_ENDPOINTS,
                    HAIRPIN,
                    RANGED,
                    SOURCE_RANGES,
                    SHORT_CIRCUIT,
                    SHORT_CIRCUIT_NODE_PORTS);

    /// The first slot of a Frontend's second pool. No pool is larger.
    static final int SECOND_POOL = 65536;

    private Sets() {}

    /// The sets that Frontends of one form are kept in.
    ///
    /// @param local asked first, for packets from outside
    /// @param deciding asked next
    /// @param remaining asked when neither translated the packet
    record Tables(
            Key key,
            NamedSet local,
            NamedSet deciding,
            NamedSet remaining,
            NamedSet endpoints,
            NamedSet shortCircuit,
            String prefix) {

        static final Tables ADDRESS =
                new Tables(
                        Key.FRONTEND,
                        LOCAL_SERVICES,
                        SERVICES,
                        NO_ENDPOINTS,
                        ENDPOINTS,
                        SHORT_CIRCUIT,
                        "");
        static final Tables NODE_PORT =
                new Tables(
                        Key.NODE_PORT,
                        LOCAL_NODE_PORTS,
                        NODE_PORTS,
                        NO_ENDPOINT_NODE_PORTS,
                        NODE_PORT_ENDPOINTS,
                        SHORT_CIRCUIT_NODE_PORTS,
                        "node-port-");

        static Tables of(Shape.Form form) {
            return switch (form) {
                case ADDRESS -> ADDRESS;
                case NODE_PORT -> NODE_PORT;
            };
        }
    }
}
