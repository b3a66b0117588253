package dev.pointsman.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Sources;
import dev.pointsman.graph.Treatment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/// No packet falls between two commits: wherever on its way a commit overtakes it, it meets what
/// the graph before or the graph after has for it.
class PassageLaws {
    /// No random pool is larger.
    private static final int SLOTS = 6;

    /// What a packet may meet.
    private record Expected(Set<String> fates, Set<Boolean> masqueraded, Set<String> endpoints) {
        Expected() {
            this(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        }
    }

    @Property(tries = 200)
    void a_packet_on_its_way_meets_the_old_or_the_new_graph(
            @ForAll Family family, @ForAll Random random) {
        RandomCluster cluster = new RandomCluster(family, random);
        Planner planner = new Planner(family, cluster.node(), cluster.settings());
        planner.plan(cluster.services());
        RuleGraph from = planner.graph();
        Delta delta = planner.plan(cluster.services());
        NftablesTransaction change = Renderer.render(from, delta);

        InMemoryNft nft = new InMemoryNft();
        nft.apply(Renderer.load(from));
        List<InMemoryNft> states = new ArrayList<>();
        states.add(nft.copy());
        for (Batch batch : change.batches()) {
            nft.apply(batch);
            states.add(nft.copy());
        }
        Map<Passage.Packet, Frontend> packets = packets(family, from, planner.graph());
        Map<ServicePortName, Set<String>> endpoints = new LinkedHashMap<>();
        for (RuleGraph graph : List.of(from, planner.graph())) {
            graph.frontends()
                    .values()
                    .forEach(
                            treatment ->
                                    endpoints
                                            .computeIfAbsent(
                                                    treatment.owner(), _ -> new TreeSet<>())
                                            .addAll(endpoints(treatment)));
        }
        packets.forEach(
                (packet, frontend) -> {
                    if (changesRanges(
                            from.frontends().get(frontend),
                            planner.graph().frontends().get(frontend))) {
                        return;
                    }
                    Expected expected = new Expected();
                    expected.endpoints().add("");
                    for (InMemoryNft end : List.of(states.getFirst(), states.getLast())) {
                        outcomes(end, packet)
                                .forEach(
                                        outcome -> {
                                            expected.fates().add(outcome.fate());
                                            expected.masqueraded().add(outcome.masqueraded());
                                        });
                    }
                    // Nobody was promised anything yet, or is any more.
                    if (!from.frontends().containsKey(frontend)
                            || !planner.graph().frontends().containsKey(frontend)) {
                        expected.fates().addAll(List.of("dropped", "refused"));
                    }
                    // The Frontends of a sticky ServicePort share their endpoints: one that is
                    // going may still lead to a new one.
                    Stream.of(from, planner.graph())
                            .map(graph -> graph.frontends().get(frontend))
                            .forEach(
                                    treatment -> {
                                        if (treatment != null) {
                                            expected.endpoints()
                                                    .addAll(endpoints.get(treatment.owner()));
                                        }
                                    });
                    check(packet, expected, states, change);
                });
    }

    /// Other source ranges and another policy in one update are two changes, and a packet may meet
    /// one without the other: somebody outside the old ranges may be refused where there were no
    /// endpoints, on the way from one way of dropping to the next.
    private static boolean changesRanges(@Nullable Treatment before, @Nullable Treatment after) {
        return before != null
                && after != null
                && !before.sources().equals(after.sources())
                && (before.sources() instanceof Sources.Only
                                && after.sources() instanceof Sources.Only
                        || !dispositions(before).equals(dispositions(after)));
    }

    private static List<Disposition> dispositions(Treatment treatment) {
        return List.of(treatment.fromPod(), treatment.fromHost(), treatment.fromOutside());
    }

    private static void check(
            Passage.Packet packet,
            Expected expected,
            List<InMemoryNft> states,
            NftablesTransaction change) {
        for (int i = 0; i + 1 < states.size(); i++) {
            for (int slot = 0; slot < SLOTS; slot++) {
                int changeAt = 0;
                Passage passage;
                do {
                    passage = new Passage(states.get(i), states.get(i + 1), changeAt, slot, packet);
                    Passage.Outcome outcome = passage.outcome();
                    if (!expected.fates().contains(outcome.fate())
                            || !expected.endpoints().contains(outcome.endpoint())
                            || !expected.masqueraded().contains(outcome.masqueraded())) {
                        assertThat(outcome)
                                .as(
                                        "%s overtaken by commit %d at look-up %d of%n%s",
                                        packet, i, changeAt, change.text())
                                .isEqualTo(expected);
                    }
                } while (changeAt++ <= passage.lookups());
            }
        }
    }

    private static Set<Passage.Outcome> outcomes(InMemoryNft nft, Passage.Packet packet) {
        Set<Passage.Outcome> outcomes = new LinkedHashSet<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            outcomes.add(new Passage(nft, nft, 0, slot, packet).outcome());
        }
        return outcomes;
    }

    private static Set<String> endpoints(Treatment treatment) {
        Set<String> endpoints = new TreeSet<>();
        treatment
                .pools()
                .forEach(pool -> pool.endpoints().forEach(e -> endpoints.add(e.toString())));
        return endpoints;
    }

    /// To every Frontend of either graph, from a pod of this node, the node and two clients.
    private static Map<Passage.Packet, Frontend> packets(
            Family family, RuleGraph from, RuleGraph to) {
        boolean four = family == Family.IPV4;
        IpAddress node = IpAddress.parse(four ? "192.168.0.2" : "fd00:1::2");
        IpAddress pod = IpAddress.parse(four ? "10.1.0.99" : "fd00:a:0:1::99");
        List<IpAddress> clients =
                List.of(
                        IpAddress.parse(four ? "203.0.113.200" : "2001:db8:1:8000::1"),
                        IpAddress.parse(four ? "9.9.9.9" : "2001:db8:9::9"));
        Set<Frontend> frontends = new TreeSet<>(from.frontends().keySet());
        frontends.addAll(to.frontends().keySet());
        Map<Passage.Packet, Frontend> packets = new LinkedHashMap<>();
        for (Frontend frontend : frontends) {
            IpAddress destination =
                    switch (frontend) {
                        case Frontend.Address(var address, _, _) -> address;
                        case Frontend.NodePort _ -> node;
                    };
            packets.put(packet(pod, "cali7", destination, node, frontend), frontend);
            packets.put(packet(pod, "br0", destination, node, frontend), frontend);
            packets.put(packet(node, "", destination, node, frontend), frontend);
            for (IpAddress client : clients) {
                packets.put(packet(client, Passage.UPLINK, destination, node, frontend), frontend);
            }
        }
        return packets;
    }

    private static Passage.Packet packet(
            IpAddress source, String in, IpAddress destination, IpAddress node, Frontend frontend) {
        return new Passage.Packet(
                source,
                source.equals(node),
                in,
                destination,
                destination.equals(node),
                frontend.protocol(),
                frontend.port());
    }
}
