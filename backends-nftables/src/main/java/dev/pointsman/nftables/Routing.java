package dev.pointsman.nftables;

import dev.pointsman.graph.Disposition.SourceAddress;
import dev.pointsman.graph.Pool.Scope;
import dev.pointsman.graph.Shape;
import dev.pointsman.graph.Shape.Part;

/// How the packets of one Frontend run through the table: the three dispositions of a [Shape] as
/// one of the few patterns that the rules can express.
sealed interface Routing {

    /// All refused.
    record Refused() implements Routing {}

    /// All dropped.
    record Dropped() implements Routing {}

    /// All balanced over one pool.
    record Balanced(Pick pick, Scope scope, int size) implements Routing {}

    /// External policy Local: pods and this node take the short cut to the CLUSTER pool, the node
    /// masqueraded; everybody else gets the LOCAL pool.
    ///
    /// @param localSize 0 when everybody else is dropped
    record ShortCircuit(int size, int localSize) implements Routing {}

    /// The ways to send a packet on to an endpoint. Each is a family of chains, one per pool size.
    enum Pick {
        /// With its own source address.
        PICK("pick"),
        /// Masqueraded.
        MASQUERADE_PICK("masquerade-pick"),
        /// Masqueraded unless a local pod sent it.
        POD_AWARE_PICK("pod-aware-pick"),
        /// Masqueraded if this node sent it.
        SHORT_CIRCUIT_PICK("short-circuit-pick"),
        /// To an endpoint on this node, unless this node sent it.
        LOCAL_PICK("local-pick");

        private final String prefix;

        Pick(String prefix) {
            this.prefix = prefix;
        }

        /// What the names of the chains start with.
        String prefix() {
            return prefix;
        }
    }

    /// The routing of a shape.
    ///
    /// @throws IllegalArgumentException for a shape that the planner never makes and the rules
    ///   cannot express
    static Routing of(Shape shape) {
        return switch (shape.fromHost()) {
            case Part.Reject _ -> same(shape, new Refused());
            case Part.Drop _ -> same(shape, new Dropped());
            case Part.Balance host ->
                    switch (shape.fromOutside()) {
                        case Part.Balance outside when outside.scope() == host.scope() ->
                                balanced(shape, host, outside);
                        case Part.Balance outside -> shortCircuit(shape, host, outside.size());
                        case Part.Drop _ -> shortCircuit(shape, host, 0);
                        case Part.Reject _ -> throw inexpressible(shape);
                    };
        };
    }

    private static Routing same(Shape shape, Routing routing) {
        if (shape.fromPod().equals(shape.fromHost())
                && shape.fromOutside().equals(shape.fromHost())) {
            return routing;
        }
        throw inexpressible(shape);
    }

    private static Routing balanced(Shape shape, Part.Balance host, Part.Balance outside) {
        if (!host.equals(outside)
                || !(shape.fromPod() instanceof Part.Balance pod)
                || pod.scope() != host.scope()
                || pod.size() != host.size()) {
            throw inexpressible(shape);
        }
        Pick pick =
                switch (host.source()) {
                    case KEEP -> {
                        if (pod.source() != SourceAddress.KEEP) {
                            throw inexpressible(shape);
                        }
                        yield Pick.PICK;
                    }
                    case MASQUERADE ->
                            switch (pod.source()) {
                                case KEEP -> Pick.POD_AWARE_PICK;
                                case MASQUERADE -> Pick.MASQUERADE_PICK;
                            };
                };
        return new Balanced(pick, host.scope(), host.size());
    }

    /// Where nothing recognises pods, they are outsiders, and no packet is ever asked about.
    private static Routing shortCircuit(Shape shape, Part.Balance host, int localSize) {
        Part viaCluster = new Part.Balance(Scope.CLUSTER, host.size(), SourceAddress.KEEP);
        Part viaLocal = new Part.Balance(Scope.LOCAL, Math.max(1, localSize), SourceAddress.KEEP);
        Part outside = localSize == 0 ? new Part.Drop() : viaLocal;
        if (host.scope() == Scope.CLUSTER
                && host.source() == SourceAddress.MASQUERADE
                && shape.fromOutside().equals(outside)
                && (shape.fromPod().equals(viaCluster) || shape.fromPod().equals(outside))) {
            return new ShortCircuit(host.size(), localSize);
        }
        throw inexpressible(shape);
    }

    private static IllegalArgumentException inexpressible(Shape shape) {
        return new IllegalArgumentException("nftables rules cannot express " + shape);
    }
}
