package dev.pointsman.packet.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.EndpointSlice.Conditions;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.TrafficPolicy;
import dev.pointsman.packet.read.ConntrackReader;
import java.io.StringReader;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Service `shop/dns` at 10.96.0.53, 198.51.100.53 and node port 30053, port 53 of UDP and TCP. Its
/// endpoints have port 5353: 10.1.0.1 is ready, 10.1.0.2 drains, 10.1.0.3 is not ready.
final class FlowAuditTest {
    private static final ServiceName NAME = new ServiceName("shop", "dns");
    private static final NodeView NODE =
            new NodeView("node-a", "", List.of(IpAddress.parse("192.0.2.1")), List.of());

    private static FlowAudit audit(EndpointSlice.Entry... entries) {
        List<Service.Port> ports =
                List.of(
                        new Service.Port("dns", Protocol.UDP, 53, 30053),
                        new Service.Port("dns-tcp", Protocol.TCP, 53, 30053));
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
                        TrafficPolicy.CLUSTER,
                        TrafficPolicy.CLUSTER,
                        new Affinity.None(),
                        0,
                        ports,
                        "");
        ServiceState.Present state =
                new ServiceState.Present(
                        service,
                        List.of(
                                new EndpointSlice(
                                        "dns-1",
                                        NAME,
                                        Family.IPV4,
                                        List.of(
                                                new EndpointSlice.Port("dns", Protocol.UDP, 5353),
                                                new EndpointSlice.Port(
                                                        "dns-tcp", Protocol.TCP, 5353)),
                                        List.of(entries))));
        Planner planner = new Planner(Family.IPV4, NODE, Settings.nftablesDefaults());
        planner.plan(List.of(state));
        return new FlowAudit(planner.graph(), NODE, List.of(state));
    }

    private static FlowAudit audit() {
        return audit(
                entry("10.1.0.1", Conditions.READY),
                entry("10.1.0.2", new Conditions(false, true, true)),
                entry("10.1.0.3", new Conditions(false, false, false)));
    }

    private static EndpointSlice.Entry entry(String address, Conditions conditions) {
        return new EndpointSlice.Entry(
                IpAddress.parse(address), "node-b", conditions, EndpointSlice.Hints.NONE);
    }

    /// @param to address and port that the client dials
    /// @param by address and port that answer
    private static String line(String protocol, String state, String to, String by) {
        String[] dialled = to.split(":", 2);
        String[] answers = by.split(":", 2);
        return "%s 29 %s src=10.1.0.9 dst=%s sport=40000 dport=%s src=%s dst=10.1.0.9 sport=%s dport=40000 mark=0\n"
                .formatted(protocol, state, dialled[0], dialled[1], answers[0], answers[1])
                .replace("  ", " ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Where it should be, ready or draining.
                "udp 17 |             | 10.96.0.53:53     | 10.1.0.1:5353    | fine",
                "udp 17 |             | 10.96.0.53:53     | 10.1.0.2:5353    | fine",
                "udp 17 |             | 192.0.2.1:30053   | 10.1.0.1:5353    | fine",
                // Not ready, of another port, or unknown.
                "udp 17 |             | 10.96.0.53:53     | 10.1.0.3:5353    | GONE",
                "udp 17 |             | 10.96.0.53:53     | 10.1.0.1:5354    | GONE",
                "udp 17 |             | 198.51.100.53:53  | 10.1.0.7:5353    | GONE",
                "udp 17 |             | 192.0.2.1:30053   | 10.1.0.7:5353    | GONE",
                "tcp 6  | ESTABLISHED | 10.96.0.53:53     | 10.1.0.7:5353    | GONE",
                "tcp 6  | TIME_WAIT   | 10.96.0.53:53     | 10.1.0.7:5353    | fine",
                "udp 17 |             | 10.96.0.53:53     | 10.96.0.53:53    | UNTRANSLATED",
                "udp 17 |             | 198.51.100.53:53  | 198.51.100.53:53 | UNTRANSLATED",
                "udp 17 |             | 192.0.2.1:30053   | 192.0.2.1:30053  | UNTRANSLATED",
                // To no Service, translated by somebody or nobody; to another node's port.
                "udp 17 |             | 10.96.0.53:54     | 10.1.0.7:5353    | fine",
                "udp 17 |             | 10.1.0.7:53       | 10.1.0.7:53      | fine",
                "udp 17 |             | 192.0.2.2:30053   | 10.1.0.7:5353    | fine",
                "dccp 33|             | 10.96.0.53:53     | 10.1.0.7:5353    | fine",
            })
    void a_flow_is_where_a_new_one_could_go_or_stale(
            String protocol, String state, String to, String by, String fault) {
        ConntrackReader.Listed listed =
                ConntrackReader.read(line(protocol, state == null ? "" : state, to, by)).getFirst();
        assertThat(audit().judge(listed).map(stale -> stale.fault().name()).orElse("fine"))
                .isEqualTo(fault);
    }

    @Test
    void without_endpoints_only_what_goes_to_a_lost_one_is_stale() {
        String untranslated = line("udp 17", "", "10.96.0.53:53", "10.96.0.53:53");
        String pinned = line("udp 17", "", "10.96.0.53:53", "10.1.0.1:5353");
        FlowAudit some = audit();
        FlowAudit empty = audit(new EndpointSlice.Entry[0]);
        assertThat(some.judge(ConntrackReader.read(untranslated).getFirst())).isPresent();
        assertThat(empty.judge(ConntrackReader.read(untranslated).getFirst())).isEmpty();
        assertThat(empty.judge(ConntrackReader.read(pinned).getFirst()))
                .map(StaleFlow::fault)
                .contains(StaleFlow.Fault.GONE);
    }

    @Test
    void flows_with_one_fault_are_counted_and_the_first_is_shown() {
        String stale = line("udp 17", "", "10.96.0.53:53", "10.1.0.7:5353");
        String kept = line("tcp 6", "ESTABLISHED", "10.96.0.53:53", "10.1.0.7:5353");
        String fine = line("udp 17", "", "10.96.0.53:53", "10.1.0.1:5353");
        String text =
                Stream.of(
                                kept,
                                fine.replace("sport=40000", "sport=39000")
                                        .replace("dport=40000", "dport=39000"),
                                stale.replace("40000", "41000"),
                                stale,
                                stale.replace("mark=0", "mark=0 zone=4"),
                                "icmp 1 29 src=10.1.0.9 dst=10.1.0.1 type=8 code=0 id=7"
                                        + " src=10.1.0.1 dst=10.1.0.9 type=0 code=0 id=7 mark=0\n")
                        .reduce("", String::concat);
        try (FlowTable table = FlowTable.read(new StringReader(text), 0)) {
            FlowAudit.Result result = audit().judge(table);
            assertThat(result.flows()).isEqualTo(4);
            assertThat(result.others()).isZero();
            assertThat(result.kinds())
                    .extracting(
                            kind ->
                                    kind.stale().owner()
                                            + " "
                                            + kind.flows()
                                            + " line "
                                            + kind.first().line()
                                            + ": "
                                            + kind.stale().remedy())
                    .containsExactly(
                            "shop/dns:dns 2 line 3: conntrack -D -p udp --reply-src 10.1.0.7"
                                    + " --reply-port-src 5353",
                            "shop/dns:dns-tcp 1 line 1: conntrack -D -p tcp --reply-src 10.1.0.7"
                                    + " --reply-port-src 5353");
            assertThat(table.leftOut()).isEqualTo(new FlowTable.LeftOut(1, 1, 0));
        }
    }
}
