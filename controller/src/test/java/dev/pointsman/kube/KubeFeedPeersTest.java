package dev.pointsman.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.store.Finding;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The feed against a real API server.
@Tag("peers")
class KubeFeedPeersTest {
    @Test
    void events_arrive_and_a_gap_is_made_up_for(@TempDir Path folder) throws Exception {
        try (RealApiServer server = RealApiServer.start(folder);
                Relay relay = new Relay(server.port());
                KubernetesClient kubectl = server.admin();
                ApiServer connection =
                        ApiServer.of(server.kubeconfig(relay.port(), RealApiServer.TRUSTING));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            create(kubectl, "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n");
            create(kubectl, service("web", "", ""));
            create(kubectl, slice("web-1"));
            create(kubectl, service("db", "", "clusterIP: None, "));
            create(kubectl, service("mesh", "service.kubernetes.io/service-proxy-name: mesh", ""));
            Told services = new Told();
            try {
                new KubeFeed(
                                connection,
                                "worker-1",
                                services,
                                new SplittableRandom(1),
                                duration -> Thread.sleep(duration))
                        .start(threads);
                services.until("synced");
                assertThat(services.untold()).doesNotContain("+ shop/db", "+ shop/mesh");

                create(kubectl, service("cart", "", ""));
                services.until("+ shop/cart");

                create(kubectl, "apiVersion: v1\nkind: Node\nmetadata: {name: worker-2}\n");
                create(kubectl, "apiVersion: v1\nkind: Node\nmetadata: {name: worker-1}\n");
                services.until("+ node worker-1");
                assertThat(services.nextFinding().toString())
                        .contains("Node worker-1", "no usable");

                relay.cut();
                kubectl.services().inNamespace("shop").withName("web").delete();
                create(kubectl, service("late", "", ""));
                assertThat(services.nextFinding().toString()).contains("cannot list or watch");
                relay.mend();
                services.untilAll("- shop/web", "+ shop/late");

                kubectl.services()
                        .inNamespace("shop")
                        .withName("cart")
                        .edit(
                                cart -> {
                                    cart.getMetadata()
                                            .getLabels()
                                            .put("service.kubernetes.io/headless", "");
                                    return cart;
                                });
                services.until("- shop/cart");
                kubectl.discovery()
                        .v1()
                        .endpointSlices()
                        .inNamespace("shop")
                        .withName("web-1")
                        .delete();
                services.until("- slice web-1");
                assertThat(services.findings())
                        .extracting(Finding::object)
                        .containsOnly("API server", "Node worker-1");
            } finally {
                threads.shutdownNow();
            }
        }
    }

    @Test
    void a_certificate_that_the_kubeconfig_does_not_trust_is_refused(@TempDir Path folder)
            throws Exception {
        try (RealApiServer server = RealApiServer.start(folder);
                ApiServer connection =
                        ApiServer.of(
                                server.kubeconfig(server.port(), "disable-compression: true"));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Told told = new Told();
            try {
                new KubeFeed(
                                connection,
                                "worker-1",
                                told,
                                new SplittableRandom(1),
                                duration -> Thread.sleep(duration))
                        .start(threads);
                assertThat(told.nextFinding().toString())
                        .contains("SSLHandshakeException")
                        .doesNotContain("for-tests-only");
            } finally {
                threads.shutdownNow();
            }
        }
    }

    @Test
    void a_certificate_that_the_kubeconfig_does_trust_is_accepted(@TempDir Path folder)
            throws Exception {
        try (RealApiServer server = RealApiServer.start(folder);
                ApiServer connection =
                        ApiServer.of(
                                server.kubeconfig(
                                        server.port(),
                                        "certificate-authority: "
                                                + folder.resolve("certs/apiserver.crt")));
                ApiServer.Answer answer = connection.get("/readyz")) {
            assertThat(answer.code()).isEqualTo(200);
        }
    }

    private static void create(KubernetesClient kubectl, String yaml) {
        kubectl.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).create();
    }

    private static String service(String name, String label, String spec) {
        return """
               apiVersion: v1
               kind: Service
               metadata: {name: %1$s, namespace: shop, labels: {app: %1$s, %2$s}}
               spec: {%3$s ports: [{port: 80}]}
               """
                .formatted(name, label, spec);
    }

    private static String slice(String name) {
        return """
               addressType: IPv4
               apiVersion: discovery.k8s.io/v1
               endpoints: [{addresses: [10.244.1.10]}]
               kind: EndpointSlice
               metadata: {name: %s, namespace: shop, labels: {kubernetes.io/service-name: web}}
               ports: [{port: 8080}]
               """
                .formatted(name);
    }
}
