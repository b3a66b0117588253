package dev.pointsman.packet.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.ExpectedFlows;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.Graphs;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.StaleFlows;
import dev.pointsman.graph.Treatment;
import dev.pointsman.packet.netfilter.Connection;
import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.netfilter.Transport;
import dev.pointsman.packet.read.ConntrackReader.Listed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/// What `run` deletes is what [FlowAudit] says must go. That one asks the oracle flow by flow, from
/// the Services as they are; the other keeps a book of Frontends as Services come and go.
final class StaleFlowsLaws {
    private static final List<Integer> PROTOCOLS = List.of(17, 17, 17, 17, 6, 132);

    @Provide
    Arbitrary<List<ServiceState>> histories() {
        return Graphs.events().list().ofMaxSize(14);
    }

    @Provide
    Arbitrary<NodeView> nodes() {
        return Graphs.nodes();
    }

    @Provide
    Arbitrary<Settings> settings() {
        return Graphs.settings();
    }

    @Property(tries = 300)
    void both_find_the_same_flows_stale(
            @ForAll Family family,
            @ForAll("nodes") NodeView node,
            @ForAll("settings") Settings settings,
            @ForAll("histories") List<ServiceState> events,
            @ForAll long seed) {
        Planner planner = new Planner(family, node, settings);
        ExpectedFlows expected = ExpectedFlows.nothing(family);
        for (ServiceState event : events) {
            planner.plan(List.of(event));
            expected = expected.with(event, node).in(planner.graph(), Set.of());
        }
        List<ServiceState.Present> services =
                Graphs.latest(events).stream()
                        .filter(ServiceState.Present.class::isInstance)
                        .map(ServiceState.Present.class::cast)
                        .toList();
        FlowAudit audit = new FlowAudit(planner.graph(), node, services);
        StaleFlows stale = expected.staleOn(Set.of());
        for (Listed flow : flows(planner.graph(), node, new Random(seed))) {
            Packet packet = flow.connection().original();
            Packet answer = flow.connection().reply();
            boolean mustGo = audit.judge(flow).filter(StaleFlow::mustGo).isPresent();
            boolean found =
                    packet.transport().protocol() == 17
                            && stale.hasPort(packet.destinationPort())
                            && stale.contains(
                                    packet.destination(),
                                    packet.destinationPort(),
                                    answer.source(),
                                    answer.sourcePort());
            assertThat(found).as("%s", flow).isEqualTo(mustGo);
            Statistics.collect(found);
        }
        Statistics.coverage(
                checker -> {
                    checker.check(true).percentage(share -> share > 2);
                    checker.check(false).percentage(share -> share > 2);
                });
    }

    /// Flows between whatever the graph names and some strangers.
    private static List<Listed> flows(RuleGraph graph, NodeView node, Random chance) {
        List<IpAddress> dialled = new ArrayList<>(addresses(graph.family(), node));
        List<Integer> ports = new ArrayList<>(List.of(53, 1));
        List<Endpoint> answering = new ArrayList<>();
        graph.frontends()
                .forEach(
                        (frontend, treatment) -> {
                            ports.add(frontend.port());
                            if (frontend instanceof Frontend.Address at) {
                                dialled.add(at.address());
                            }
                            answering.addAll(endpoints(treatment));
                        });
        List<Listed> flows = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            IpAddress destination = one(dialled, chance);
            int port = one(ports, chance);
            boolean translated = !answering.isEmpty() && chance.nextInt(3) > 0;
            IpAddress answerer =
                    translated ? one(answering, chance).address() : one(dialled, chance);
            int from = translated ? one(answering, chance).port() : one(ports, chance);
            boolean plain = chance.nextInt(4) == 0;
            flows.add(
                    listed(
                            one(PROTOCOLS, chance),
                            destination,
                            port,
                            plain ? destination : answerer,
                            plain ? port : from));
        }
        return flows;
    }

    private static List<IpAddress> addresses(Family family, NodeView node) {
        return Stream.concat(
                        node.addresses().stream(),
                        Stream.of("127.0.0.1", "203.0.113.9", "::1", "2001:db8::9")
                                .map(IpAddress::parse))
                .filter(address -> address.family() == family)
                .toList();
    }

    private static List<Endpoint> endpoints(Treatment treatment) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (Pool pool : treatment.pools()) {
            endpoints.addAll(pool.endpoints());
        }
        return endpoints;
    }

    private static <T> T one(List<T> of, Random chance) {
        return of.get(chance.nextInt(of.size()));
    }

    private static Listed listed(
            int protocol, IpAddress destination, int port, IpAddress answerer, int from) {
        IpAddress client =
                IpAddress.parse(
                        switch (destination.family()) {
                            case IPV4 -> "10.180.0.77";
                            case IPV6 -> "fd00:10:180::77";
                        });
        return new Listed(
                Connection.listed(
                        new Packet(
                                client, destination, new Transport.Ported(protocol, 40000, port)),
                        new Packet(answerer, client, new Transport.Ported(protocol, from, 40000)),
                        Connection.SEEN_REPLY,
                        0,
                        Element.FOREVER),
                "",
                0,
                1);
    }
}
