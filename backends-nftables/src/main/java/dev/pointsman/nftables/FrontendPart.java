package dev.pointsman.nftables;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.Shape;
import dev.pointsman.graph.Sources;
import dev.pointsman.graph.Treatment;
import dev.pointsman.netlink.NftValue;
import java.util.function.Consumer;

/// The elements that one Frontend has to itself. They depend on nothing but its treatment.
final class FrontendPart {
    private final Frontend frontend;
    private final Treatment treatment;
    private final Sets.Tables tables;
    private final byte[] key;
    private final Subject subject;
    private final Consumer<Element> out;

    private FrontendPart(Frontend frontend, Treatment treatment, Consumer<Element> out) {
        this.frontend = frontend;
        this.treatment = treatment;
        this.out = out;
        tables = Sets.Tables.of(shape().form());
        key = KeyBytes.of(frontend);
        subject = new Subject.Port(treatment.owner());
    }

    static void write(Frontend frontend, Treatment treatment, Consumer<Element> out) {
        new FrontendPart(frontend, treatment, out).write();
    }

    /// How the Frontend is routed.
    ///
    /// @throws IllegalArgumentException naming the owner, for a treatment that the planner never
    ///   makes and the rules cannot express
    static Routing routing(Frontend frontend, Treatment treatment) {
        try {
            return Routing.of(Shape.of(frontend, treatment));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    treatment.owner() + " at " + frontend + ": " + e.getMessage(), e);
        }
    }

    private Shape shape() {
        return Shape.of(frontend, treatment);
    }

    private void write() {
        sources();
        switch (routing(frontend, treatment)) {
            case Routing.Refused _ ->
                    verdict(tables.remaining(), new NftValue.Goto(NodePart.REFUSE));
            case Routing.Dropped _ -> verdict(tables.remaining(), new NftValue.Drop());
            case Routing.Balanced(var pick, _, _) -> {
                Pool pool = pool(treatment.fromHost());
                verdict(tables.deciding(), new NftValue.Goto(chain(pick, pool)));
                endpoints(pool, 0);
            }
            case Routing.ShortCircuit(_, int localSize) -> {
                Pool cluster = pool(treatment.fromHost());
                verdict(
                        tables.deciding(),
                        new NftValue.Goto(chain(Routing.Pick.SHORT_CIRCUIT_PICK, cluster)));
                endpoints(cluster, 0);
                out.accept(Element.member(tables.shortCircuit(), key, subject));
                if (localSize == 0) {
                    verdict(tables.local(), new NftValue.Jump(NodePart.UNTOUCHED));
                    verdict(tables.remaining(), new NftValue.Drop());
                } else {
                    Pool local = pool(treatment.fromOutside());
                    verdict(
                            tables.local(),
                            new NftValue.Jump(chain(Routing.Pick.LOCAL_PICK, local)));
                    endpoints(local, Sets.SECOND_POOL);
                }
            }
        }
    }

    private void sources() {
        switch (treatment.sources()) {
            case Sources.Everyone _ -> {}
            case Sources.Only(var ranges) -> {
                if (frontend instanceof Frontend.NodePort) {
                    throw new IllegalArgumentException(
                            treatment.owner()
                                    + " at "
                                    + frontend
                                    + ": nftables rules restrict sources of addresses only");
                }
                out.accept(Element.member(Sets.RANGED, key, subject));
                for (Cidr range : ranges) {
                    out.accept(
                            Element.range(
                                    Sets.SOURCE_RANGES,
                                    KeyBytes.join(key, range.base().bytes()),
                                    KeyBytes.join(key, range.last().bytes()),
                                    subject));
                }
            }
        }
    }

    private String chain(Routing.Pick pick, Pool pool) {
        return switch (treatment.affinity()) {
            case Affinity.None _ ->
                    new PickChain(shape().form(), pick, pool.endpoints().size()).name();
            case Affinity.ClientIp _ -> StickyPart.chainName(pick, pool.scope(), pool.owner());
        };
    }

    /// Sticky ServicePorts have chains that name their endpoints.
    private void endpoints(Pool pool, int firstSlot) {
        switch (treatment.affinity()) {
            case Affinity.ClientIp _ -> {}
            case Affinity.None _ -> {
                int slot = firstSlot;
                for (Endpoint endpoint : pool.endpoints()) {
                    out.accept(
                            Element.endpoint(
                                    tables.endpoints(),
                                    KeyBytes.slot(key, slot++),
                                    KeyBytes.endpoint(endpoint.address(), endpoint.port()),
                                    subject));
                }
            }
        }
    }

    private void verdict(NamedSet map, NftValue.Verdict verdict) {
        out.accept(Element.verdict(map, key, verdict, subject));
    }

    private static Pool pool(Disposition disposition) {
        if (disposition instanceof Disposition.Balance(var pool, _)) {
            return pool;
        }
        throw new IllegalArgumentException("no pool in " + disposition);
    }
}
