package dev.pointsman.packet.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Outcome;
import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Path;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.ScenarioNode;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.ScenarioReader;
import dev.pointsman.packet.scenario.Sync;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// What packets meet when others came before them: the same node while its clock runs and its rules
/// change. Every way that the first packet can take is followed further. Each backend is tested by
/// a class of its own that says how it makes rules.
public abstract class Histories {
    private static final long SECOND = 1000;
    private static final String HEAD =
            """
            # A node over time
            node      this-node  192.168.0.2  pods=10.180.0.0/24
            settings  cluster-range=10.0.0.0/8  guard=off
            """;

    private final Function<RuleGraph, Ruleset> rules;

    /// @param rules what a backend makes of a graph, as the readers read it
    protected Histories(Function<RuleGraph, Ruleset> rules) {
        this.rules = rules;
    }

    /// The states of a node, one for each sync.
    private final class Node {
        private final List<Sync> syncs;

        Node(String scenario) {
            syncs =
                    ScenarioReader.read("history.scenario", HEAD + scenario)
                            .syncs(Arrival.AS_WRITTEN);
        }

        /// What `flow` meets after the sync with this number.
        ScenarioNode.Answer answer(int sync, Flow flow, Memory memory) {
            Sync.Transition transition = syncs.get(sync).transitions().get(Family.IPV4);
            if (transition == null) {
                throw new AssertionError("no rules of IPv4");
            }
            return new ScenarioNode(transition.after(), syncs.get(sync).cluster().node())
                    .answer(rules.apply(transition.after()), flow, memory);
        }

        /// Where it can go.
        SortedSet<Outcome> ends(int sync, Flow flow, Memory memory) {
            return new TreeSet<>(answer(sync, flow, memory).outcomes().keySet());
        }
    }

    /// Packets of one UDP flow stay with their endpoint while they keep coming, wherever new flows
    /// go; the kernel forgets an unanswered flow after 30 s (nf_conntrack_proto_udp.c).
    @Test
    public void udp_stays_with_its_endpoint() {
        Node node =
                new Node(
                        """
                        service   ns1/dns:dns udp  cluster=172.30.0.41:53
                        endpoint  ns1/dns:dns  10.180.0.1:5353  on=this-node
                        health    ns1/dns = none
                        then      endpoint ns1/dns:dns  10.180.0.2:5353  on=this-node
                        health    ns1/dns = none
                        then      remove-endpoint ns1/dns:dns  10.180.0.1:5353
                        health    ns1/dns = none
                        empty
                        """);
        Flow flow = flow(Flow.Origin.POD, Protocol.UDP, "10.180.0.9", "172.30.0.41", 53);
        Outcome old = kept("10.180.0.1", 5353);
        Outcome fresh = kept("10.180.0.2", 5353);
        Memory first = node.answer(0, flow, Memory.blank()).paths().getFirst().memory();
        assertThat(node.ends(1, flow, first.later(20 * SECOND))).containsExactly(old);
        assertThat(node.ends(2, flow, first.later(29 * SECOND))).containsExactly(old);
        Memory second = node.answer(2, flow, first.later(29 * SECOND)).paths().getFirst().memory();
        assertThat(node.ends(2, flow, second.later(29 * SECOND))).containsExactly(old);
        assertThat(node.ends(2, flow, second.later(31 * SECOND))).containsExactly(fresh);
        assertThat(node.ends(1, flow, first.later(31 * SECOND))).containsExactly(old, fresh);
        assertThat(node.ends(2, flow, first.withoutConnections())).containsExactly(fresh);
    }

    /// A client with affinity meets its endpoint again at every address of the Service until the
    /// time is over, each connection beginning it anew; no longer than the endpoint is there.
    @Test
    public void affinity_ends_with_time_or_endpoint() {
        Node node =
                new Node(
                        """
                        service   ns1/web:http tcp  cluster=172.30.0.41:80  nodeport=30041  affinity=600
                        endpoint  ns1/web:http  10.180.0.1:8080  on=this-node
                        endpoint  ns1/web:http  10.180.1.1:8080  on=other-node
                        health    ns1/web = none
                        then      remove-endpoint ns1/web:http  10.180.0.1:8080
                        health    ns1/web = none
                        then      endpoint ns1/web:http  10.180.0.1:8080  on=this-node
                        health    ns1/web = none
                        empty
                        """);
        Flow flow = flow(Flow.Origin.OUTSIDE, Protocol.TCP, "203.0.113.2", "192.168.0.2", 30041);
        Flow other = flow(Flow.Origin.OUTSIDE, Protocol.TCP, "203.0.113.2", "172.30.0.41", 80);
        Outcome here = masqueraded("10.180.0.1", 8080);
        Outcome there = masqueraded("10.180.1.1", 8080);
        for (Path path : node.answer(0, flow, Memory.blank()).paths()) {
            Outcome bound = ScenarioNode.outcome(path, flow);
            Memory left = path.memory().withoutConnections();
            for (Flow again : List.of(flow, other)) {
                assertThat(node.ends(0, again, left.later(599 * SECOND))).containsExactly(bound);
                Memory renewed =
                        node.answer(0, again, left.later(599 * SECOND))
                                .paths()
                                .getFirst()
                                .memory()
                                .withoutConnections();
                assertThat(node.ends(0, flow, renewed.later(599 * SECOND))).containsExactly(bound);
                assertThat(node.ends(0, again, left.later(601 * SECOND)))
                        .containsExactly(here, there);
                assertThat(node.ends(1, again, left.later(SECOND))).containsExactly(there);
            }
        }
    }

    /// A connection stays with a pod that terminates and goes, while new ones go elsewhere.
    @Test
    public void a_draining_pod_keeps_its_connections() {
        Node node =
                new Node(
                        """
                        service   ns1/web:http tcp  cluster=172.30.0.41:80  nodeport=30041
                        endpoint  ns1/web:http  10.180.0.1:8080  on=this-node
                        health    ns1/web = none
                        then      endpoint ns1/web:http  10.180.0.1:8080  on=this-node  serving terminating
                        health    ns1/web = none
                        then      endpoint ns1/web:http  10.180.0.2:8080  on=this-node
                        health    ns1/web = none
                        then      remove-endpoint ns1/web:http  10.180.0.1:8080
                        health    ns1/web = none
                        empty
                        """);
        Flow flow = flow(Flow.Origin.OUTSIDE, Protocol.TCP, "203.0.113.2", "192.168.0.2", 30041);
        Outcome draining = masqueraded("10.180.0.1", 8080);
        Memory open = node.answer(0, flow, Memory.blank()).paths().getFirst().memory();
        List<Outcome> fresh = new ArrayList<>();
        for (int sync = 1; sync <= 3; sync++) {
            assertThat(node.ends(sync, flow, open.later(sync * SECOND))).containsExactly(draining);
            fresh.addAll(node.ends(sync, flow, Memory.blank()));
        }
        assertThat(fresh)
                .containsExactly(
                        draining, masqueraded("10.180.0.2", 8080), masqueraded("10.180.0.2", 8080));
    }

    /// A pod that meets itself behind its Service goes on doing so, and its answers come back
    /// through the node, which alone can translate them.
    @Test
    public void a_hairpin_holds() {
        Node node =
                new Node(
                        """
                        service   ns1/web:http tcp  cluster=172.30.0.41:80
                        endpoint  ns1/web:http  10.180.0.1:8080  on=this-node
                        health    ns1/web = none
                        then      endpoint ns1/web:http  10.180.0.2:8080  on=this-node
                        health    ns1/web = none
                        empty
                        """);
        Flow flow = flow(Flow.Origin.POD, Protocol.TCP, "10.180.0.1", "172.30.0.41", 80);
        Path first = node.answer(0, flow, Memory.blank()).paths().getFirst();
        assertThat(first.reply()).isEqualTo(Path.Reply.FINDS_BACK);
        assertThat(ScenarioNode.outcome(first, flow)).isEqualTo(masqueraded("10.180.0.1", 8080));
        assertThat(node.ends(1, flow, first.memory().later(100 * SECOND)))
                .containsExactly(masqueraded("10.180.0.1", 8080));
    }

    private static Flow flow(
            Flow.Origin origin, Protocol protocol, String from, String to, int port) {
        return new Flow(origin, protocol, IpAddress.parse(from), IpAddress.parse(to), port);
    }

    private static Outcome kept(String endpoint, int port) {
        return new Outcome.Delivered(IpAddress.parse(endpoint), port, Outcome.Source.KEPT);
    }

    private static Outcome masqueraded(String endpoint, int port) {
        return new Outcome.Delivered(IpAddress.parse(endpoint), port, Outcome.Source.NODE);
    }
}
