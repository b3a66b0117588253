package dev.pointsman.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.TrafficPolicy;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Finding;
import dev.pointsman.store.Outlook;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What objects without faults come to, field by field.
class DecodingTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "clusterIP: 10.96.0.5                                                                    | [10.96.0.5]",
                "clusterIP: fd00::5                                                                      | [fd00::5]",
                "clusterIP: 10.96.0.5, clusterIPs: [10.96.0.5, fd00::5], ipFamilies: [IPv4, IPv6]         | [10.96.0.5, fd00::5]",
                "clusterIP: fd00::5, clusterIPs: [fd00::5, 10.96.0.5], ipFamilies: [IPv6, IPv4]           | [10.96.0.5, fd00::5]",
                "clusterIP: 10.96.0.5, clusterIPs: [10.96.0.5, fd00::5]                                   | [10.96.0.5]",
                "clusterIP: 10.96.0.5, clusterIPs: [10.96.0.5], ipFamilies: [IPv4, IPv6]                  | [10.96.0.5]",
                "clusterIP: 010.096.000.005                                                               | [10.96.0.5]",
            })
    void cluster_addresses_by_family(String spec, String addresses) {
        assertThat(service(spec).addresses().cluster()).hasToString(addresses);
    }

    @ParameterizedTest
    @CsvSource({
        "service.kubernetes.io/headless, ''",
        "service.kubernetes.io/headless, 'false'",
        "service.kubernetes.io/service-proxy-name, ''",
    })
    void a_label_hides_a_service_whatever_its_value(String label, String value) {
        Snapshot snapshot =
                read(
                        """
                        {apiVersion: v1, kind: Service, spec: {clusterIP: 10.96.0.5, ports: [{port: 80}]},
                         metadata: {name: a, namespace: b, labels: {%s: "%s"}}}
                        """
                                .formatted(label, value));
        assertThat(snapshot.events()).isEmpty();
        assertThat(snapshot.findings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata: {name: a} | STAYS",
                "metadata: {name: a, deletionTimestamp: '2026-11-30T08:00:00Z'} | BEING_DELETED",
                "metadata: {name: a}, spec: {taints: [{key: x, effect: NoSchedule}]} | STAYS",
                "metadata: {name: a}, spec: {taints: [{key: x}, {key: ToBeDeletedByClusterAutoscaler, value: '1', effect: NoSchedule}]} | TO_BE_TAKEN_DOWN",
            })
    void a_node_that_is_about_to_go_is_known_by_its_deletion_or_a_taint(
            String fields, Outlook outlook) {
        assertThat(read("{apiVersion: v1, kind: Node, " + fields + "}").events())
                .singleElement()
                .isInstanceOfSatisfying(
                        ClusterEvent.NodeSeen.class,
                        seen -> assertThat(seen.outlook()).isEqualTo(outlook));
    }

    @Test
    void defaults_are_those_of_the_api() {
        Service service = service("clusterIP: 10.96.0.5");
        assertThat(service.type()).isEqualTo(Service.Type.CLUSTER_IP);
        assertThat(service.internalPolicy()).isEqualTo(TrafficPolicy.CLUSTER);
        assertThat(service.externalPolicy()).isEqualTo(TrafficPolicy.CLUSTER);
        assertThat(service.affinity()).isEqualTo(new Affinity.None());
        assertThat(service.created()).isEqualTo(Instant.MAX);
        assertThat(service.ports().getFirst().nodePort()).isZero();
        assertThat(service("clusterIP: 10.96.0.5, sessionAffinity: ClientIP").affinity())
                .isEqualTo(new Affinity.ClientIp(10_800));
    }

    @Test
    void one_number_may_serve_two_protocols() {
        assertThat(
                        service(
                                        "clusterIP: 10.96.0.5, ports: [{name: a, port: 53}, {name: b, port: 53, protocol: UDP}]")
                                .ports())
                .hasSize(2);
    }

    @Test
    void absent_conditions_mean_ready_and_serving() {
        EndpointSlice slice =
                slice(
                        "{addresses: [10.0.0.1]}, {addresses: [10.0.0.2], conditions: {ready: false}},"
                                + " {addresses: [10.0.0.3, 10.0.0.4], conditions: {ready: null, serving: null, terminating: null}}");
        assertThat(slice.entries())
                .extracting(EndpointSlice.Entry::conditions)
                .containsExactly(
                        EndpointSlice.Conditions.READY,
                        new EndpointSlice.Conditions(false, true, false),
                        EndpointSlice.Conditions.READY);
        assertThat(slice.entries().getLast().address()).hasToString("10.0.0.3");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-30T08:00:00Z, 2026-11-30T08:00:00Z",
        "2026-11-30T10:00:00.123456789+02:00, 2026-11-30T08:00:00.123456789Z",
    })
    void a_slice_says_when_its_change_came_about(String written, Instant meant) {
        assertThat(triggered(written).events())
                .singleElement()
                .isInstanceOfSatisfying(
                        ClusterEvent.SliceSeen.class,
                        seen -> assertThat(seen.trigger()).isEqualTo(meant));
    }

    @Test
    void a_slice_whose_change_came_about_at_no_time_counts_without_it() {
        Snapshot snapshot = triggered("yesterday");
        assertThat(snapshot.events())
                .singleElement()
                .isInstanceOfSatisfying(
                        ClusterEvent.SliceSeen.class,
                        seen ->
                                assertThat(seen.trigger())
                                        .isEqualTo(ClusterEvent.SliceSeen.UNSAID));
        assertThat(snapshot.findings())
                .singleElement()
                .asString()
                .contains("last-change-trigger-time", "\"yesterday\" is no time");
    }

    private static Snapshot triggered(String time) {
        return read(
                "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: IPv4,"
                        + " metadata: {name: a-1, namespace: b, labels: {kubernetes.io/service-name: a},"
                        + " annotations: {endpoints.kubernetes.io/last-change-trigger-time: '"
                        + time
                        + "'}}, ports: [{name: '', port: 80}], endpoints: [{addresses: [10.0.0.1]}]}");
    }

    @Test
    void endpoints_share_what_repeats() {
        EndpointSlice slice =
                slice(
                        "{addresses: [10.0.0.1], nodeName: n, hints: {forZones: [{name: z}]}},"
                                + " {addresses: [10.0.0.2], nodeName: n, hints: {forZones: [{name: z}]}}");
        assertThat(slice.entries().getLast().hints()).isSameAs(slice.entries().getFirst().hints());
        assertThat(slice.entries().getLast().node()).isSameAs(slice.entries().getFirst().node());
        assertThat(slice.entries().getLast().conditions())
                .isSameAs(slice.entries().getFirst().conditions());
    }

    @Test
    void addresses_of_the_other_family_are_normal() {
        Snapshot snapshot =
                read(
                        """
                        {apiVersion: v1, kind: Service, metadata: {name: a, namespace: b},
                         spec: {clusterIP: "fd00::5", clusterIPs: ["fd00::5"], ipFamilies: [IPv6], externalIPs: [198.51.100.1],
                                loadBalancerSourceRanges: [203.0.113.0/24], ports: [{port: 80}]},
                         status: {loadBalancer: {ingress: [{ip: 198.51.100.5}]}}}
                        """);
        assertThat(snapshot.findings()).allMatch(f -> f.object().equals("snapshot"));
    }

    private static final String WITH_ANNOTATIONS =
            """
            {"apiVersion": "v1", "kind": "Service",
             "metadata": {"name": "a", "namespace": "b",
                          "annotations": {"other": "x", "pointsman.dev/ipvs-scheduler": "%s"}},
             "spec": {"clusterIP": "10.96.0.5", "ports": [{"port": 80}]}}
            """;

    @ParameterizedTest
    @ValueSource(strings = {"wlc", "mh", "fifteen-letters", "their_own2"})
    void a_service_may_name_its_ipvs_scheduler_in_yaml_and_in_json(String name) {
        String text = WITH_ANNOTATIONS.formatted(name);
        for (Snapshot snapshot : List.of(read(text), readAsIs(text))) {
            assertThat(only(snapshot).scheduler()).isEqualTo(name);
            assertThat(ofObjects(snapshot)).isEmpty();
        }
    }

    @Test
    void without_the_annotation_the_node_decides() {
        assertThat(service("clusterIP: 10.96.0.5").scheduler()).isEmpty();
        assertThat(only(read(WITH_ANNOTATIONS.formatted(""))).scheduler()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rr; reboot",
                "rr -p 1",
                "rr\\n-A -t 10.96.0.9:1",
                "$(reboot)",
                "sixteen-letters-",
                "RR",
                "../rr",
                "rr\\u0000",
                " rr"
            })
    void a_name_that_no_scheduler_can_have_is_told_and_the_service_is_served(String name) {
        String text = WITH_ANNOTATIONS.formatted(name);
        for (Snapshot snapshot : List.of(read(text), readAsIs(text))) {
            assertThat(only(snapshot).scheduler()).isEmpty();
            assertThat(ofObjects(snapshot))
                    .singleElement()
                    .satisfies(
                            finding -> {
                                assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
                                assertThat(finding.field())
                                        .contains("pointsman.dev/ipvs-scheduler");
                                assertThat(finding.toString())
                                        .contains("is no name of an IPVS scheduler")
                                        .doesNotContain("\n", "\0");
                            });
        }
    }

    private static List<Finding> ofObjects(Snapshot snapshot) {
        return snapshot.findings().stream().filter(f -> !f.object().equals("snapshot")).toList();
    }

    private static Service only(Snapshot snapshot) {
        assertThat(snapshot.events()).hasSize(1);
        return snapshot.events().getFirst() instanceof ClusterEvent.ServiceSeen(var service)
                ? service
                : fail("no Service");
    }

    private static Service service(String spec) {
        Snapshot snapshot =
                read(
                        "{apiVersion: v1, kind: Service, metadata: {name: a, namespace: b}, spec: {"
                                + spec
                                + (spec.contains("ports") ? "" : ", ports: [{port: 80}]")
                                + "}}");
        return only(snapshot);
    }

    private static EndpointSlice slice(String endpoints) {
        Snapshot snapshot =
                read(
                        "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: IPv4,"
                                + " metadata: {name: a-1, namespace: b, labels: {kubernetes.io/service-name: a}},"
                                + " ports: [{name: '', port: 80}], endpoints: ["
                                + endpoints
                                + "]}");
        assertThat(snapshot.findings()).isEmpty();
        return snapshot.events().getFirst() instanceof ClusterEvent.SliceSeen(var slice, _)
                ? slice
                : fail("no slice");
    }

    private static Snapshot read(String flow) {
        // Flow style begins like JSON; the marker says that it is YAML.
        return readAsIs("---\n" + flow);
    }

    private static Snapshot readAsIs(String text) {
        return SnapshotReader.read(
                List.of("-"), new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
