package dev.pointsman.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.ExpectedFlows;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.TrafficPolicy;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// When the loop has flows cleaned up, and what it says they should be like. Service `shop/dns` is
/// at 10.96.0.53 port 53 and a node port.
final class FlowNotesTest {
    private static final Frontend DNS =
            new Frontend.Address(IpAddress.parse("10.96.0.53"), Protocol.UDP, 53);
    private static final Frontend NODE_PORT = new Frontend.NodePort(Protocol.UDP, 30053);

    private final InMemoryKernel kernel = new InMemoryKernel(Family.IPV4);
    private final List<ExpectedFlows> flows = new ArrayList<>();
    private long now = 1_000_000_000_000L;
    private final Sync sync = sync();

    private Sync sync() {
        SortedMap<Family, Dataplane> kernels = new TreeMap<>();
        kernels.put(Family.IPV4, kernel);
        return new Sync(
                "node-a",
                Settings.nftablesDefaults(),
                Pace.DEFAULT,
                kernels,
                () -> now,
                this::note,
                _ -> {},
                _ -> {});
    }

    /// Rules come first.
    private void note(ExpectedFlows expected) {
        for (Frontend gone : expected.gone()) {
            assertThat(kernel.held().frontends()).doesNotContainKey(gone);
        }
        flows.add(expected);
    }

    private void take(ClusterEvent event) {
        sync.take(event, now);
        sync.step();
    }

    private void pass(Duration time) {
        long end = now + time.toNanos();
        long due = sync.step();
        while (due <= end) {
            now = Math.max(now, due);
            due = sync.step();
        }
        now = end;
    }

    private void start() {
        Sample.cluster().forEach(event -> sync.take(event, now));
        sync.take(dns(30053), now);
        sync.take(endpoints("10.1.0.1"), now);
        sync.listed();
        sync.step();
    }

    private static ClusterEvent dns(int nodePort) {
        return new ClusterEvent.ServiceSeen(
                new Service(
                        Sample.name("dns"),
                        Instant.EPOCH,
                        Service.Type.NODE_PORT,
                        new Service.Addresses(
                                List.of(IpAddress.parse("10.96.0.53")), List.of(), List.of()),
                        List.of(),
                        TrafficPolicy.CLUSTER,
                        TrafficPolicy.CLUSTER,
                        new Affinity.None(),
                        0,
                        List.of(new Service.Port("dns", Protocol.UDP, 53, nodePort)),
                        ""));
    }

    private static ClusterEvent endpoints(String... addresses) {
        return new ClusterEvent.SliceSeen(slice(EndpointSlice.Conditions.READY, addresses));
    }

    private static EndpointSlice slice(EndpointSlice.Conditions conditions, String... addresses) {
        return new EndpointSlice(
                "dns-1",
                Sample.name("dns"),
                Family.IPV4,
                List.of(new EndpointSlice.Port("dns", Protocol.UDP, 5353)),
                Stream.of(addresses)
                        .map(
                                address ->
                                        new EndpointSlice.Entry(
                                                IpAddress.parse(address),
                                                "node-a",
                                                conditions,
                                                EndpointSlice.Hints.NONE))
                        .toList());
    }

    /// Whether the last expectation wants a flow to the Service that `answerer` answers gone.
    private boolean wouldGo(String answerer) {
        IpAddress at = IpAddress.parse("10.96.0.53");
        return flows.getLast().staleOn(Set.of()).contains(at, 53, IpAddress.parse(answerer), 5353);
    }

    @Test
    void the_first_sync_has_one_and_a_restart_as_well() {
        start();
        assertThat(flows).hasSize(1);
        assertThat(flows.getFirst().gone()).isEmpty();
        assertThat(wouldGo("10.1.0.1")).isFalse();
        assertThat(wouldGo("10.1.0.9")).isTrue();
    }

    @Test
    void endpoints_of_tcp_and_idle_time_have_none() {
        start();
        take(new ClusterEvent.SliceSeen(Sample.slice("web-1", "web", "10.1.0.1", "10.1.0.2")));
        take(new ClusterEvent.ServiceGone(Sample.name("web")));
        pass(Duration.ofMinutes(9));
        assertThat(flows).hasSize(1);
        pass(Duration.ofMinutes(2));
        assertThat(flows).as("with the audit").hasSize(2);
    }

    @Test
    void an_endpoint_that_comes_or_goes_has_one() {
        start();
        take(endpoints("10.1.0.1", "10.1.0.2"));
        take(endpoints("10.1.0.2"));
        assertThat(flows).hasSize(3);
        assertThat(wouldGo("10.1.0.1")).isTrue();
    }

    @Test
    void an_endpoint_that_only_drains_keeps_its_flows_until_it_ends() {
        start();
        take(endpoints("10.1.0.1", "10.1.0.2"));
        EndpointSlice.Entry ready =
                slice(EndpointSlice.Conditions.READY, "10.1.0.2").entries().getFirst();
        EndpointSlice.Conditions draining = new EndpointSlice.Conditions(false, true, true);
        EndpointSlice.Conditions ended = new EndpointSlice.Conditions(false, false, true);
        for (EndpointSlice.Conditions conditions : List.of(draining, ended)) {
            EndpointSlice last = slice(conditions, "10.1.0.1");
            take(
                    new ClusterEvent.SliceSeen(
                            new EndpointSlice(
                                    last.name(),
                                    last.service(),
                                    last.family(),
                                    last.ports(),
                                    List.of(last.entries().getFirst(), ready))));
            assertThat(wouldGo("10.1.0.1")).isEqualTo(conditions.equals(ended));
        }
        assertThat(flows).as("the rules were the same when it ended").hasSize(3);
    }

    @Test
    void a_deleted_service_and_a_changed_node_port_are_told_once() {
        start();
        take(dns(30054));
        assertThat(flows.getLast().gone()).containsExactly(NODE_PORT);
        take(new ClusterEvent.ServiceGone(Sample.name("dns")));
        assertThat(flows.getLast().gone())
                .containsExactly(DNS, new Frontend.NodePort(Protocol.UDP, 30054));
        pass(Duration.ofMinutes(11));
        assertThat(flows.getLast().gone()).isEmpty();
    }

    @Test
    void what_went_while_commits_failed_is_told_when_one_succeeds() {
        start();
        kernel.is(InMemoryKernel.Mood.BUSY);
        take(new ClusterEvent.ServiceGone(Sample.name("dns")));
        assertThat(flows).hasSize(1);
        kernel.is(InMemoryKernel.Mood.WELL);
        pass(Duration.ofSeconds(5));
        assertThat(flows.getLast().gone()).containsExactly(DNS, NODE_PORT);
    }

    @Test
    void a_service_that_the_kernel_refuses_keeps_its_flows_until_it_is_deleted() {
        start();
        kernel.refuses(Sample.name("dns"));
        take(endpoints("10.1.0.2"));
        assertThat(kernel.held().frontends()).doesNotContainKey(DNS);
        assertThat(wouldGo("10.1.0.1")).isFalse();
        take(new ClusterEvent.ServiceGone(Sample.name("dns")));
        assertThat(flows.getLast().gone()).containsExactly(DNS, NODE_PORT);
    }

    @Test
    void rules_that_somebody_removed_let_flows_go_astray() {
        start();
        kernel.losesEverything();
        pass(Duration.ofSeconds(2));
        assertThat(flows).hasSize(2);
    }
}
