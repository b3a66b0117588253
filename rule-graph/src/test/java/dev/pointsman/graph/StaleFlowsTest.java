package dev.pointsman.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.EndpointSlice.Conditions;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Service `shop/dns` at 10.96.0.53, 198.51.100.53 and node port 30053, UDP port 53. Its endpoints
/// have port 5353: 10.1.0.1 is ready, 10.1.0.2 drains, 10.1.0.3 is not ready. The node has
/// 192.0.2.1 and, as its interfaces tell, 10.1.0.254.
final class StaleFlowsTest {
    private static final ServiceName NAME = new ServiceName("shop", "dns");
    private static final NodeView NODE =
            new NodeView("node-a", "", List.of(IpAddress.parse("192.0.2.1")), List.of());
    private static final Set<IpAddress> OWN = Set.of(IpAddress.parse("10.1.0.254"));

    private final Planner everywhere = new Planner(Family.IPV4, NODE, Settings.iptablesDefaults());
    private final Planner primary = new Planner(Family.IPV4, NODE, Settings.nftablesDefaults());

    private static ServiceState.Present dns(int nodePort, EndpointSlice.Entry... entries) {
        Service service =
                new Service(
                        NAME,
                        Instant.EPOCH,
                        Service.Type.NODE_PORT,
                        new Service.Addresses(
                                List.of(IpAddress.parse("10.96.0.53")),
                                List.of(IpAddress.parse("198.51.100.53")),
                                List.of()),
                        List.of(),
                        TrafficPolicy.LOCAL,
                        TrafficPolicy.LOCAL,
                        new Affinity.None(),
                        0,
                        List.of(new Service.Port("dns", Protocol.UDP, 53, nodePort)),
                        "");
        return new ServiceState.Present(
                service,
                List.of(
                        new EndpointSlice(
                                "dns-1",
                                NAME,
                                Family.IPV4,
                                List.of(new EndpointSlice.Port("dns", Protocol.UDP, 5353)),
                                List.of(entries))));
    }

    private static EndpointSlice.Entry entry(String address, Conditions conditions) {
        return new EndpointSlice.Entry(
                IpAddress.parse(address), "node-b", conditions, EndpointSlice.Hints.NONE);
    }

    private static ServiceState.Present dns() {
        return dns(
                30053,
                entry("10.1.0.1", Conditions.READY),
                entry("10.1.0.2", new Conditions(false, true, true)),
                entry("10.1.0.3", new Conditions(false, false, false)));
    }

    private static ExpectedFlows flows(Planner planner, ServiceState state) {
        planner.plan(List.of(state));
        return ExpectedFlows.nothing(Family.IPV4).with(state, NODE).in(planner.graph(), Set.of());
    }

    /// @param to address and port that the client dials
    /// @param by address and port that answer
    private static boolean isStale(ExpectedFlows flows, String to, String by) {
        String[] dialled = to.split(":", 2);
        String[] answers = by.split(":", 2);
        StaleFlows stale = flows.staleOn(OWN);
        int port = Integer.parseInt(dialled[1]);
        return stale.hasPort(port)
                && stale.contains(
                        IpAddress.parse(dialled[0]),
                        port,
                        IpAddress.parse(answers[0]),
                        Integer.parseInt(answers[1]));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Where it should be, ready or draining, whatever the policies and on whose node.
                "10.96.0.53:53    | 10.1.0.1:5353     | false",
                "10.96.0.53:53    | 10.1.0.2:5353     | false",
                "198.51.100.53:53 | 10.1.0.1:5353     | false",
                "192.0.2.1:30053  | 10.1.0.2:5353     | false",
                "10.1.0.254:30053 | 10.1.0.2:5353     | false",
                "127.0.0.1:30053  | 10.1.0.1:5353     | false",
                // Not ready, of another port, unknown, or untranslated.
                "10.96.0.53:53    | 10.1.0.3:5353     | true",
                "10.96.0.53:53    | 10.1.0.1:5354     | true",
                "198.51.100.53:53 | 10.1.0.7:5353     | true",
                "192.0.2.1:30053  | 10.1.0.7:5353     | true",
                "10.1.0.254:30053 | 10.1.0.7:5353     | true",
                "127.0.0.1:30053  | 10.1.0.7:5353     | true",
                "10.96.0.53:53    | 10.96.0.53:53     | true",
                "192.0.2.1:30053  | 192.0.2.1:30053   | true",
                // To other servers on the same ports, to other ports, to other nodes.
                "8.8.8.8:53       | 8.8.8.8:53        | false",
                "8.8.8.8:53       | 10.1.0.7:5353     | false",
                "8.8.8.8:30053    | 8.8.8.8:30053     | false",
                "192.0.2.1:53     | 192.0.2.1:53      | false",
                "192.0.2.2:30053  | 10.1.0.7:5353     | false",
                "10.96.0.53:54    | 10.1.0.7:5353     | false",
                "10.96.0.53:30053 | 10.1.0.7:5353     | false",
                "10.1.0.3:5353    | 10.1.0.3:5353     | false",
            })
    void a_flow_stays_where_a_new_one_could_go(String to, String by, boolean stale) {
        assertThat(isStale(flows(everywhere, dns()), to, by)).isEqualTo(stale);
    }

    @Test
    void an_address_without_node_ports_is_a_stranger() {
        ExpectedFlows flows = flows(primary, dns());
        assertThat(isStale(flows, "192.0.2.1:30053", "10.1.0.7:5353")).isTrue();
        assertThat(isStale(flows, "10.1.0.254:30053", "10.1.0.7:5353")).isFalse();
        assertThat(isStale(flows, "127.0.0.1:30053", "127.0.0.1:30053")).isFalse();
    }

    @Test
    void without_endpoints_only_what_goes_to_a_lost_one_is_stale() {
        ExpectedFlows flows = flows(primary, dns(30053));
        assertThat(isStale(flows, "10.96.0.53:53", "10.1.0.1:5353")).isTrue();
        assertThat(isStale(flows, "10.96.0.53:53", "10.96.0.53:53")).isFalse();
    }

    @Test
    void of_a_frontend_that_is_gone_what_was_translated_is_stale() {
        ExpectedFlows before = flows(everywhere, dns());
        Set<Frontend> all = Set.copyOf(everywhere.graph().frontends().keySet());
        everywhere.plan(List.of(new ServiceState.Absent(NAME)));
        ExpectedFlows after =
                before.with(new ServiceState.Absent(NAME), NODE).in(everywhere.graph(), all);
        assertThat(isStale(after, "10.96.0.53:53", "10.1.0.1:5353")).isTrue();
        assertThat(isStale(after, "192.0.2.1:30053", "10.1.0.1:5353")).isTrue();
        assertThat(isStale(after, "192.0.2.1:30053", "192.0.2.1:30053")).isFalse();
        assertThat(isStale(after, "192.0.2.2:30053", "10.1.0.1:5353")).isFalse();
        assertThat(isStale(after, "8.8.8.8:53", "8.8.8.8:53")).isFalse();
        ExpectedFlows later = after.in(everywhere.graph(), Set.of());
        assertThat(later.staleOn(OWN).isEmpty()).isTrue();
        assertThat(later.after(after).gone()).isEqualTo(after.gone());
    }

    @Test
    void a_node_port_that_changed_leaves_flows_to_the_old_one() {
        flows(everywhere, dns());
        Frontend old = new Frontend.NodePort(Protocol.UDP, 30053);
        ServiceState.Present moved = dns(30054, entry("10.1.0.1", Conditions.READY));
        ExpectedFlows flows = flows(everywhere, moved).in(everywhere.graph(), Set.of(old));
        assertThat(isStale(flows, "192.0.2.1:30053", "10.1.0.1:5353")).isTrue();
        assertThat(isStale(flows, "192.0.2.1:30054", "10.1.0.1:5353")).isFalse();
        assertThat(isStale(flows, "10.96.0.53:53", "10.1.0.1:5353")).isFalse();
    }

    @Test
    void a_frontend_that_came_back_is_not_gone() {
        ExpectedFlows back = flows(everywhere, dns());
        ExpectedFlows missing =
                ExpectedFlows.nothing(Family.IPV4)
                        .in(
                                RuleGraph.nothing(Family.IPV4),
                                everywhere.graph().frontends().keySet());
        assertThat(missing.gone()).hasSize(3);
        assertThat(back.after(missing).gone()).isEmpty();
    }

    @Test
    void what_changes_no_udp_flow_changes_nothing() {
        ExpectedFlows flows = flows(everywhere, dns());
        assertThat(flows.with(dns(), NODE)).isSameAs(flows);
        assertThat(flows.with(dns(30053), NODE)).isNotSameAs(flows);
        assertThat(flows.with(new ServiceState.Absent(new ServiceName("shop", "web")), NODE))
                .isSameAs(flows);
    }
}
