package dev.pointsman.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// 10,000 Services with 5 endpoints each, printed as kubectl prints them. Says what reading costs;
/// fails only when that is out of proportion, since the machine may be busy.
class SnapshotScaleTest {
    private static final int SERVICES = 10_000;
    private static final int ENDPOINTS = 5;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @TempDir Path folder;

    @Test
    void a_large_cluster_is_read_in_seconds_and_kept_in_little() throws IOException {
        Path file = folder.resolve("large.json");
        write(file);
        long before = used();
        Snapshot snapshot = read(file);
        long clock = Long.MAX_VALUE;
        long processor = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            long clockStart = System.nanoTime();
            long processorStart = THREADS.getCurrentThreadCpuTime();
            snapshot = read(file);
            processor = Math.min(processor, THREADS.getCurrentThreadCpuTime() - processorStart);
            clock = Math.min(clock, System.nanoTime() - clockStart);
        }
        long kept = used() - before;
        System.out.printf(
                Locale.ROOT,
                "snapshot of %d Services x %d endpoints, %d MB JSON: %d ms warm (%d ms of processor), %d bytes kept per"
                        + " endpoint%n",
                SERVICES,
                ENDPOINTS,
                Files.size(file) / 1_000_000,
                clock / 1_000_000,
                processor / 1_000_000,
                kept / SERVICES / ENDPOINTS);

        assertThat(snapshot.events()).hasSize(2 * SERVICES + 1);
        assertThat(processor).isLessThan(5_000_000_000L);
        assertThat(kept).isLessThan(100L * 1_000_000);
    }

    @Test
    void files_of_hundreds_of_megabytes_pass() {
        String item = service(1) + slice(1);
        long items = 300_000_000L / item.length();
        Endless text =
                new Endless(
                        "{\"apiVersion\": \"v1\", \"items\": [",
                        item,
                        items,
                        "{\"kind\": \"Secret\"}], \"kind\": \"List\"}");
        Snapshot snapshot = SnapshotReader.read(List.of("-"), text);
        assertThat(snapshot.findings()).isEmpty();
        assertThat(snapshot.counts())
                .containsEntry("Service", (int) items)
                .containsEntry("EndpointSlice", (int) items)
                .containsEntry("Secret", 1);
    }

    @Test
    void yaml_documents_of_tens_of_megabytes_pass() throws IOException {
        String list = Files.readString(Path.of("../deploy/examples/shop.yaml"));
        String head = list.substring(0, list.indexOf("- apiVersion"));
        String items = list.substring(head.length(), list.lastIndexOf("kind: List"));
        int times = 12_000_000 / items.length();
        long start = THREADS.getCurrentThreadCpuTime();
        Snapshot snapshot =
                SnapshotReader.read(List.of("-"), new Endless(head, items, times, "kind: List\n"));
        System.out.printf(
                Locale.ROOT,
                "snapshot of 12 MB YAML: %d ms of processor, cold%n",
                (THREADS.getCurrentThreadCpuTime() - start) / 1_000_000);
        assertThat(snapshot.findings()).isEmpty();
        assertThat(snapshot.counts()).containsEntry("Node", 3 * times);
    }

    private static Snapshot read(Path file) {
        return SnapshotReader.read(List.of(file.toString()), InputStream.nullInputStream());
    }

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void write(Path file) throws IOException {
        try (PrintStream out =
                new PrintStream(
                        new BufferedOutputStream(Files.newOutputStream(file)),
                        false,
                        StandardCharsets.UTF_8)) {
            out.print("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n");
            for (int i = 0; i < SERVICES; i++) {
                out.print(service(i));
                out.print(slice(i));
            }
            out.print(
                    """
                            {
                                "apiVersion": "v1",
                                "kind": "Node",
                                "metadata": {"name": "node-0"}
                            }
                        ],
                        "kind": "List",
                        "metadata": {"resourceVersion": ""}
                    }
                    """);
        }
    }

    private static String service(int i) {
        return """
                       {
                           "apiVersion": "v1",
                           "kind": "Service",
                           "metadata": {
                               "annotations": {
                                   "kubectl.kubernetes.io/last-applied-configuration": "{\\"apiVersion\\":\\"v1\\",\\"kind\\":\\"Service\\",\\"metadata\\":{\\"annotations\\":{},\\"name\\":\\"service-%1$d\\",\\"namespace\\":\\"team-%2$d\\"}}\\n"
                               },
                               "creationTimestamp": "2026-09-14T08:05:00Z",
                               "labels": {"app": "app-%1$d", "app.kubernetes.io/managed-by": "Helm"},
                               "name": "service-%1$d",
                               "namespace": "team-%2$d",
                               "resourceVersion": "%1$d",
                               "uid": "00000000-0000-4000-8000-000000000000"
                           },
                           "spec": {
                               "clusterIP": "10.%3$d.%4$d.%5$d",
                               "clusterIPs": ["10.%3$d.%4$d.%5$d"],
                               "internalTrafficPolicy": "Cluster",
                               "ipFamilies": ["IPv4"],
                               "ipFamilyPolicy": "SingleStack",
                               "ports": [{"name": "http", "port": 80, "protocol": "TCP", "targetPort": "http"}],
                               "selector": {"app": "app-%1$d"},
                               "sessionAffinity": "None",
                               "type": "ClusterIP"
                           },
                           "status": {"loadBalancer": {}}
                       },
               """
                .formatted(i, i % 100, 96 + (i >> 16), i >> 8 & 255, i & 255);
    }

    private static String slice(int i) {
        StringBuilder endpoints = new StringBuilder();
        for (int e = 0; e < ENDPOINTS; e++) {
            int pod = i * ENDPOINTS + e;
            endpoints.append(
                    """
                    %6$s{
                        "addresses": ["10.%1$d.%2$d.%3$d"],
                        "conditions": {"ready": true, "serving": true, "terminating": false},
                        "hints": {"forZones": [{"name": "zone-%4$d"}]},
                        "nodeName": "node-%5$d.eu-1.compute.internal",
                        "targetRef": {"kind": "Pod", "name": "app-%5$d", "namespace": "team", "uid": "00000000-0000-4000-8000-000000000000"},
                        "zone": "zone-%4$d"
                    }
                    """
                            .formatted(
                                    128 + (pod >> 16),
                                    pod >> 8 & 255,
                                    pod & 255,
                                    pod % 3,
                                    pod % 1000,
                                    e == 0 ? "" : ","));
        }
        return """
                       {
                           "addressType": "IPv4",
                           "apiVersion": "discovery.k8s.io/v1",
                           "endpoints": [%3$s],
                           "kind": "EndpointSlice",
                           "metadata": {
                               "annotations": {"endpoints.kubernetes.io/last-change-trigger-time": "2026-09-14T08:40:00Z"},
                               "generateName": "service-%1$d-",
                               "labels": {
                                   "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
                                   "kubernetes.io/service-name": "service-%1$d"
                               },
                               "name": "service-%1$d-x7k2p",
                               "namespace": "team-%2$d",
                               "ownerReferences": [{"apiVersion": "v1", "kind": "Service", "name": "service-%1$d"}]
                           },
                           "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}]
                       },
               """
                .formatted(i, i % 100, endpoints);
    }
}
