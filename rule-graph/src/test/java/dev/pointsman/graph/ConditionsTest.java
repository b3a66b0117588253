package dev.pointsman.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What outside traffic meets at a node port, for all combinations of an endpoint's conditions
/// (field report A1).
final class ConditionsTest {
    private static final NodeView NODE =
            new NodeView(
                    "this-node",
                    "",
                    List.of(IpAddress.parse("192.168.0.2")),
                    List.of(Cidr.parse("10.180.0.0/24")));
    private static final ServiceName NAME = new ServiceName("ns1", "web");
    private static final EndpointSlice.Entry COMPANION =
            entry("10.180.1.9", "other-node", EndpointSlice.Conditions.READY);

    @ParameterizedTest(name = "ready={0} serving={1} terminating={2}")
    @CsvSource(
            value = {
                // ready, serving, terminating; policy Cluster: local, remote; policy Local likewise
                "true,  true,  true,  endpoint, endpoint, endpoint, drop",
                "true,  true,  false, endpoint, endpoint, endpoint, drop",
                "true,  false, true,  endpoint, endpoint, endpoint, drop",
                "true,  false, false, endpoint, endpoint, endpoint, drop",
                "false, true,  true,  endpoint, endpoint, endpoint, drop",
                "false, true,  false, reject,   reject,   reject,   reject",
                "false, false, true,  reject,   reject,   reject,   reject",
                "false, false, false, reject,   reject,   reject,   reject",
            })
    void an_endpoint_alone(
            boolean ready,
            boolean serving,
            boolean terminating,
            String clusterLocal,
            String clusterRemote,
            String localLocal,
            String localRemote) {
        var conditions = new EndpointSlice.Conditions(ready, serving, terminating);
        assertThat(meets(TrafficPolicy.CLUSTER, local(conditions))).isEqualTo(clusterLocal);
        assertThat(meets(TrafficPolicy.CLUSTER, remote(conditions))).isEqualTo(clusterRemote);
        assertThat(meets(TrafficPolicy.LOCAL, local(conditions))).isEqualTo(localLocal);
        assertThat(meets(TrafficPolicy.LOCAL, remote(conditions))).isEqualTo(localRemote);
    }

    @ParameterizedTest(name = "ready={0} serving={1} terminating={2}")
    @CsvSource({
        "true,  true,  true,  endpoint companion, endpoint companion, endpoint",
        "true,  true,  false, endpoint companion, endpoint companion, endpoint",
        "true,  false, true,  endpoint companion, endpoint companion, endpoint",
        "true,  false, false, endpoint companion, endpoint companion, endpoint",
        "false, true,  true,  companion,          companion,          endpoint",
        "false, true,  false, companion,          companion,          drop",
        "false, false, true,  companion,          companion,          drop",
        "false, false, false, companion,          companion,          drop",
    })
    void an_endpoint_beside_a_ready_one_on_another_node(
            boolean ready,
            boolean serving,
            boolean terminating,
            String clusterLocal,
            String clusterRemote,
            String localLocal) {
        var conditions = new EndpointSlice.Conditions(ready, serving, terminating);
        assertThat(meets(TrafficPolicy.CLUSTER, local(conditions), COMPANION))
                .isEqualTo(clusterLocal);
        assertThat(meets(TrafficPolicy.CLUSTER, remote(conditions), COMPANION))
                .isEqualTo(clusterRemote);
        assertThat(meets(TrafficPolicy.LOCAL, local(conditions), COMPANION)).isEqualTo(localLocal);
        assertThat(meets(TrafficPolicy.LOCAL, remote(conditions), COMPANION)).isEqualTo("drop");
    }

    private static EndpointSlice.Entry local(EndpointSlice.Conditions conditions) {
        return entry("10.180.0.1", "this-node", conditions);
    }

    private static EndpointSlice.Entry remote(EndpointSlice.Conditions conditions) {
        return entry("10.180.1.1", "other-node", conditions);
    }

    private static EndpointSlice.Entry entry(
            String address, String node, EndpointSlice.Conditions conditions) {
        return new EndpointSlice.Entry(
                IpAddress.parse(address), node, conditions, EndpointSlice.Hints.NONE);
    }

    private static String meets(TrafficPolicy policy, EndpointSlice.Entry... entries) {
        Service service =
                new Service(
                        NAME,
                        Instant.EPOCH,
                        Service.Type.NODE_PORT,
                        new Service.Addresses(
                                List.of(IpAddress.parse("172.30.0.41")), List.of(), List.of()),
                        List.of(),
                        TrafficPolicy.CLUSTER,
                        policy,
                        new Affinity.None(),
                        0,
                        List.of(new Service.Port("http", Protocol.TCP, 80, 3001)),
                        "");
        EndpointSlice slice =
                new EndpointSlice(
                        "slice",
                        NAME,
                        Family.IPV4,
                        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
                        List.of(entries));
        Planner planner = new Planner(Family.IPV4, NODE, Settings.nftablesDefaults());
        planner.plan(List.of(new ServiceState.Present(service, List.of(slice))));
        Treatment treatment =
                planner.graph().frontends().get(new Frontend.NodePort(Protocol.TCP, 3001));
        assertThat(treatment).isNotNull();
        return treatment == null ? "" : words(treatment.fromOutside());
    }

    private static String words(Disposition disposition) {
        return switch (disposition) {
            case Disposition.Balance(Pool pool, _) -> {
                List<String> names = new ArrayList<>();
                for (Endpoint endpoint : pool.endpoints()) {
                    names.add(
                            endpoint.address().equals(COMPANION.address())
                                    ? "companion"
                                    : "endpoint");
                }
                yield String.join(" ", names);
            }
            case Disposition.Reject _ -> "reject";
            case Disposition.Drop _ -> "drop";
        };
    }
}
