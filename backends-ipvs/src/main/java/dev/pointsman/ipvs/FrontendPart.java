package dev.pointsman.ipvs;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Disposition.SourceAddress;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Sources;
import dev.pointsman.graph.Treatment;
import dev.pointsman.iptables.Subject;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// What stands for one Frontend: its virtual server and its places in the sets.
///
/// A virtual server cannot ask where a packet comes from, so it has the pool of packets from
/// outside. Where pods and processes of this node are led elsewhere, there is a [ShortCut].
final class FrontendPart {
    private static final List<Cidr> EVERY_IPV4 =
            List.of(Cidr.parse("0.0.0.0/1"), Cidr.parse("128.0.0.0/1"));
    private static final List<Cidr> EVERY_IPV6 =
            List.of(Cidr.parse("::/1"), Cidr.parse("8000::/1"));

    private final RuleGraph graph;
    private final Frontend frontend;
    private final Treatment treatment;
    private final Subject subject;

    FrontendPart(RuleGraph graph, Frontend frontend, Treatment treatment) {
        this.graph = graph;
        this.frontend = frontend;
        this.treatment = treatment;
        subject = new Subject.Service(treatment.owner().service());
    }

    void write(Inventory out) {
        out.add(server(key(), treatment.fromOutside()));
        ShortCut.ownServer(graph, treatment).ifPresent(way -> hidden(way, out));
        switch (frontend) {
            case Frontend.Address address -> write(address, out);
            case Frontend.NodePort port -> write(port, out);
        }
    }

    /// A virtual server that only packets from a [ShortCut] reach: they have another address when
    /// it is asked what to drop.
    private void hidden(ShortCut way, Inventory out) {
        ServerKey key = way.server();
        out.add(server(key, way.disposition()));
        out.add(
                ServiceSet.DROP,
                new Member.AddressPort(key.address(), key.protocol(), key.port()),
                subject);
    }

    private ServerKey key() {
        IpAddress address =
                switch (frontend) {
                    case Frontend.Address at -> at.address();
                    case Frontend.NodePort _ -> NodePortAddress.of(graph.family());
                };
        return new ServerKey(address, frontend.protocol(), frontend.port());
    }

    private VirtualServer server(ServerKey key, Disposition disposition) {
        int persistence =
                switch (treatment.affinity()) {
                    case Affinity.None _ -> 0;
                    case Affinity.ClientIp(int seconds) -> seconds;
                };
        return new VirtualServer(
                key,
                new VirtualServer.Balancing(treatment.scheduler(), persistence),
                servers(disposition),
                subject);
    }

    /// A virtual server without real servers refuses, as the kernel does by itself.
    private static SortedSet<RealServer> servers(Disposition disposition) {
        return switch (disposition) {
            case Disposition.Balance(Pool pool, _) -> {
                SortedSet<RealServer> servers = new TreeSet<>();
                pool.endpoints().forEach(endpoint -> servers.add(RealServer.of(endpoint)));
                yield servers;
            }
            case Disposition.Reject _, Disposition.Drop _ -> Collections.emptySortedSet();
        };
    }

    private void write(Frontend.Address address, Inventory out) {
        Member member = Member.AddressPort.of(address);
        out.add(ServiceSet.SERVICE_IP, member, subject);
        if (masquerades(treatment.fromPod())) {
            out.add(ServiceSet.MASQUERADE, member, subject);
        } else if (masquerades(treatment.fromOutside())) {
            out.add(ServiceSet.MASQUERADE_NOT_PODS, member, subject);
        }
        if (ShortCut.isNeeded(treatment)) {
            out.add(ServiceSet.LOCAL_POLICY, member, subject);
        }
        if (treatment.fromHost() instanceof Disposition.Drop) {
            out.add(ServiceSet.DROP, member, subject);
        } else if (treatment.fromOutside() instanceof Disposition.Drop) {
            out.add(ServiceSet.DROP_OUTSIDE, member, subject);
        }
        switch (treatment.sources()) {
            case Sources.Everyone _ -> {}
            case Sources.Only(var ranges) -> {
                out.add(ServiceSet.RESTRICTED, member, subject);
                for (Cidr range : ranges) {
                    for (Cidr part : Member.ranges(range)) {
                        out.add(
                                ServiceSet.SOURCE_RANGES,
                                new Member.AddressPortNet(
                                        address.address(),
                                        address.protocol(),
                                        address.port(),
                                        part),
                                subject);
                    }
                }
            }
        }
    }

    private void write(Frontend.NodePort port, Inventory out) {
        List<Cidr> everywhere =
                switch (graph.family()) {
                    case IPV4 -> EVERY_IPV4;
                    case IPV6 -> EVERY_IPV6;
                };
        for (Cidr half : everywhere) {
            Member member = new Member.NetPort(half, port.protocol(), port.port());
            out.add(ServiceSet.NODE_PORT, member, subject);
            if (masquerades(treatment.fromPod())) {
                out.add(ServiceSet.NODE_PORT_MASQUERADE, member, subject);
            }
            if (ShortCut.isNeeded(treatment)) {
                out.add(ServiceSet.NODE_PORT_LOCAL_POLICY, member, subject);
            }
            if (treatment.fromOutside() instanceof Disposition.Drop) {
                out.add(ServiceSet.NODE_PORT_DROP_OUTSIDE, member, subject);
            }
        }
    }

    private static boolean masquerades(Disposition disposition) {
        return disposition instanceof Disposition.Balance(_, var source)
                && source == SourceAddress.MASQUERADE;
    }
}
