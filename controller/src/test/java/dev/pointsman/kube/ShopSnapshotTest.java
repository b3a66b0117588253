package dev.pointsman.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Service;
import dev.pointsman.kube.Snapshot.NodeLookup;
import dev.pointsman.store.ClusterEvent;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The example that the documentation reads.
class ShopSnapshotTest {
    private final Snapshot shop =
            SnapshotReader.read(
                    List.of("../deploy/examples/shop.yaml"), InputStream.nullInputStream());

    @Test
    void it_reads_without_findings() {
        assertThat(shop.findings()).isEmpty();
        assertThat(shop.counts())
                .containsEntry("Node", 3)
                .containsEntry("Pod", 15)
                .containsEntry("Service", 13)
                .containsEntry("EndpointSlice", 13)
                .containsEntry("ServiceCIDR", 1);
    }

    @Test
    void services_of_no_concern_give_no_events() {
        assertThat(services())
                .extracting(service -> service.name().toString())
                .containsExactlyInAnyOrder(
                        "default/kubernetes",
                        "kube-system/kube-dns",
                        "shop/cart",
                        "shop/catalog",
                        "shop/checkout",
                        "shop/gateway",
                        "shop/legacy-api",
                        "shop/metrics-agent",
                        "shop/reports",
                        "shop/web");
    }

    @Test
    void nodes_have_their_zone_addresses_and_pod_ranges() {
        assertThat(shop.node("worker-1"))
                .isInstanceOfSatisfying(
                        NodeLookup.Found.class,
                        found -> {
                            assertThat(found.node().zone()).isEqualTo("zone-a");
                            assertThat(found.node().addresses())
                                    .extracting(Object::toString)
                                    .containsExactly("192.0.2.11", "2001:db8::11", "203.0.113.11");
                            assertThat(found.node().podRanges())
                                    .extracting(Object::toString)
                                    .containsExactly("10.244.1.0/24", "fd00:10:244:1::/64");
                        });
    }

    @Test
    void an_unknown_node_is_answered_with_those_there_are() {
        assertThat(shop.node("worker1"))
                .isInstanceOfSatisfying(
                        NodeLookup.Unknown.class,
                        unknown ->
                                assertThat(unknown.message())
                                        .contains(
                                                "\"worker1\"",
                                                "control-plane, worker-1, worker-2"));
    }

    @Test
    void a_draining_endpoint_keeps_its_conditions() {
        assertThat(slice("checkout-z6r8k").entries().getFirst().conditions())
                .isEqualTo(new EndpointSlice.Conditions(false, true, true));
    }

    @Test
    void pods_say_whose_network_they_are_in_and_finished_ones_have_no_address() {
        assertThat(shop.pods())
                .filteredOn(pod -> pod.network() == Pod.Network.HOST)
                .extracting(Pod::name)
                .containsExactly("metrics-agent-8kq2p", "metrics-agent-m4v7c");
        assertThat(shop.pods())
                .filteredOn(pod -> pod.addresses().isEmpty())
                .extracting(Pod::name)
                .containsExactly("migrate-28f4k");
    }

    private List<Service> services() {
        return shop.events().stream()
                .filter(ClusterEvent.ServiceSeen.class::isInstance)
                .map(event -> ((ClusterEvent.ServiceSeen) event).service())
                .toList();
    }

    private EndpointSlice slice(String name) {
        return shop.events().stream()
                .filter(ClusterEvent.SliceSeen.class::isInstance)
                .map(event -> ((ClusterEvent.SliceSeen) event).slice())
                .filter(slice -> slice.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
