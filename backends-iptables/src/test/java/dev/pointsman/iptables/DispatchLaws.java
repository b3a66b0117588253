package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Disposition.SourceAddress;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Sources;
import dev.pointsman.graph.Treatment;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class DispatchLaws {
    private static final List<Protocol> PROTOCOLS =
            List.of(Protocol.TCP, Protocol.UDP, Protocol.SCTP);
    private static final Treatment TREATMENT = treatment();

    @Property(tries = 60)
    void every_frontend_is_in_the_leaf_that_its_packets_reach(
            @ForAll long seed, @ForAll @IntRange(max = 800) int size) {
        for (Block.Form form : Block.Form.values()) {
            for (Family family : Family.values()) {
                SortedMap<Frontend, Treatment> all =
                        frontends(new Random(seed), form, family, size);
                Dispatch tree = new Dispatch(Block.everything(form, family), all);
                for (Frontend frontend : all.keySet()) {
                    List<Dispatch.Node> path = tree.path(frontend);
                    assertThat(path.getLast().isLeaf()).isTrue();
                    assertThat(path.getLast().content()).containsKey(frontend);
                    assertThat(path).allMatch(node -> node.block().contains(frontend));
                    int rules = path.getLast().content().size();
                    for (Dispatch.Node node : path.subList(0, path.size() - 1)) {
                        rules += node.parts().size();
                    }
                    assertThat(rules).isLessThan(Dispatch.LEAF + 16 * 5);
                }
            }
        }
    }

    @Example
    void a_packet_to_any_of_ten_thousand_services_compares_tens_of_rules() {
        for (Block.Form form : Block.Form.values()) {
            SortedMap<Frontend, Treatment> all =
                    frontends(new Random(1), form, Family.IPV4, 10_000);
            Dispatch tree = new Dispatch(Block.everything(form, Family.IPV4), all);
            for (Frontend frontend : all.keySet()) {
                assertThat(comparisons(tree, frontend)).isBetween(1, 99);
            }
        }
    }

    /// Rules that a packet for `frontend` meets, the one that takes it on included.
    private static int comparisons(Dispatch tree, Frontend frontend) {
        int met = 0;
        for (Dispatch.Node node : tree.path(frontend)) {
            met +=
                    node.isLeaf()
                            ? node.content().headMap(frontend).size() + 1
                            : (int)
                                            node.parts().stream()
                                                    .takeWhile(p -> !p.block().contains(frontend))
                                                    .count()
                                    + 1;
        }
        return met;
    }

    @Property(tries = 80)
    void blocks_outside_the_neighbourhood_of_a_change_stay_as_they_are(
            @ForAll long seed,
            @ForAll @IntRange(max = 400) int size,
            @ForAll @IntRange(min = 1, max = 120) int changes) {
        Random random = new Random(seed);
        for (Block.Form form : Block.Form.values()) {
            SortedMap<Frontend, Treatment> before = frontends(random, form, Family.IPV4, size);
            SortedMap<Frontend, Treatment> after = new TreeMap<>(before);
            List<Frontend> present = List.copyOf(before.keySet());
            Set<Frontend> touched = new HashSet<>();
            for (int i = 0; i < changes; i++) {
                if (random.nextBoolean() && !present.isEmpty()) {
                    Frontend gone = present.get(random.nextInt(present.size()));
                    after.remove(gone);
                    touched.add(gone);
                }
            }
            frontends(random, form, Family.IPV4, random.nextInt(changes))
                    .forEach(
                            (frontend, treatment) -> {
                                after.put(frontend, treatment);
                                touched.add(frontend);
                            });
            check(form, before, after, touched);
        }
    }

    private static void check(
            Block.Form form,
            SortedMap<Frontend, Treatment> before,
            SortedMap<Frontend, Treatment> after,
            Set<Frontend> touched) {
        Block whole = Block.everything(form, Family.IPV4);
        Dispatch from = new Dispatch(whole, before);
        Dispatch to = new Dispatch(whole, after);
        Map<Block, Object> nearBefore = new TreeMap<>(DispatchLaws::compare);
        Map<Block, Object> nearAfter = new TreeMap<>(DispatchLaws::compare);
        for (Frontend frontend : touched) {
            from.near(frontend, to, node -> nearBefore.put(node.block(), shape(node)));
            to.near(frontend, from, node -> nearAfter.put(node.block(), shape(node)));
        }
        Map<Block, Object> expected = all(from);
        nearBefore.keySet().forEach(expected::remove);
        expected.putAll(nearAfter);
        assertThat(expected).isEqualTo(all(to));
    }

    private static Map<Block, Object> all(Dispatch tree) {
        Map<Block, Object> all = new TreeMap<>(DispatchLaws::compare);
        Dispatch.walk(tree.root(), node -> all.put(node.block(), shape(node)));
        return all;
    }

    /// What the rules of a node's chain depend on.
    private static Object shape(Dispatch.Node node) {
        return node.isLeaf()
                ? Set.copyOf(node.content().keySet())
                : node.parts().stream().map(Dispatch.Node::block).toList();
    }

    private static int compare(Block one, Block other) {
        return one.digits().compareTo(other.digits());
    }

    private static SortedMap<Frontend, Treatment> frontends(
            Random random, Block.Form form, Family family, int size) {
        SortedMap<Frontend, Treatment> all = new TreeMap<>();
        for (int i = 0; i < size; i++) {
            Protocol protocol = PROTOCOLS.get(random.nextInt(PROTOCOLS.size()));
            all.put(
                    switch (form) {
                        case NODE_PORT ->
                                new Frontend.NodePort(protocol, 30000 + random.nextInt(2768));
                        case ADDRESS ->
                                new Frontend.Address(
                                        address(random, family), protocol, random.nextInt(65536));
                    },
                    TREATMENT);
        }
        return all;
    }

    /// Addresses of a wide and a narrow range, and one that has many ports.
    private static IpAddress address(Random random, Family family) {
        int kind = random.nextInt(10);
        int low = kind == 0 ? 1 : kind < 5 ? random.nextInt(256) : random.nextInt(1 << 20);
        int high = kind < 5 ? 1 : kind < 9 ? 2 : random.nextInt(200);
        return switch (family) {
            case IPV4 -> new IpAddress.Ipv4(high << 24 | low);
            case IPV6 -> new IpAddress.Ipv6(0xfd000000L << 32 | high, low);
        };
    }

    private static Treatment treatment() {
        ServicePortName owner = new ServicePortName(new ServiceName("ns", "a"), "", Protocol.TCP);
        Endpoint endpoint = new Endpoint(IpAddress.parse("10.0.0.1"), 80, Endpoint.Place.ELSEWHERE);
        Disposition balance =
                new Disposition.Balance(
                        new Pool(owner, Pool.Scope.CLUSTER, List.of(endpoint)),
                        SourceAddress.MASQUERADE);
        return new Treatment(
                owner,
                Treatment.Kind.EXTERNAL_IP,
                new Sources.Everyone(),
                new Affinity.None(),
                balance,
                balance,
                balance,
                "rr");
    }
}
