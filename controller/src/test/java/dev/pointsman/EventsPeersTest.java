package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.kube.RealApiServer;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `run` posts to a real API server, with no right but those of `system:node-proxier`.
@Tag("peers")
class EventsPeersTest {
    private static final int PATIENCE_SECONDS = 60;
    private static final String ADMIN = "for-tests-only";
    private static final String PROXY = "for-the-proxy-only";
    private static final String CONFIGURATION =
            """
            apiVersion: kubeproxy.config.k8s.io/v1alpha1
            kind: KubeProxyConfiguration
            clusterCIDR: 10.1.0.0/16
            """;

    private final InMemoryMode mode = new InMemoryMode();
    private final Console console = new Console(() -> List.of(mode), "worker-1");
    private final BlockingQueue<Event> posted = new LinkedBlockingQueue<>();
    private final List<Event> seen = new ArrayList<>();

    @Test
    void conflicts_and_services_set_aside_are_told_on_the_services(@TempDir Path folder)
            throws Exception {
        Path tokens =
                Files.writeString(
                        folder.resolve("users.csv"),
                        ADMIN
                                + ",admin,admin,system:masters\n"
                                + PROXY
                                + ",system:kube-proxy,kube-proxy\n");
        try (RealApiServer server =
                        RealApiServer.start(
                                folder,
                                "--authorization-mode=RBAC",
                                "--token-auth-file=" + tokens);
                KubernetesClient kubectl = server.admin()) {
            create(kubectl, "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n");
            create(
                    kubectl,
                    """
                    apiVersion: v1
                    kind: Node
                    metadata: {name: worker-1}
                    spec: {podCIDR: 10.1.0.0/24, podCIDRs: [10.1.0.0/24]}
                    """);
            create(kubectl, service("a-first"));
            create(kubectl, service("b-second"));
            create(kubectl, service("refused"));
            mode.kernel(Family.IPV4).refuses(new ServiceName("shop", "refused"));
            Path config = Files.writeString(folder.resolve("config.conf"), CONFIGURATION);
            kubectl.events().v1().events().inAnyNamespace().watch(watcher());
            CompletableFuture<Integer> run = start(kubeconfig(server), config);
            try {
                Map<String, Event> events =
                        await(
                                Set.of(
                                        "Starting worker-1",
                                        "KubeProxyDefaultMode worker-1",
                                        "AddressConflict b-second",
                                        "RulesRefused refused"));
                Event conflict = Objects.requireNonNull(events.get("AddressConflict b-second"));
                assertThat(conflict.getNote()).contains("192.0.2.50:80", "shop/a-first");
                assertThat(conflict.getType()).isEqualTo("Warning");
                assertThat(conflict.getReportingInstance()).isEqualTo("worker-1");
                // By this kubectl describe finds it.
                assertThat(conflict.getRegarding().getUid())
                        .isEqualTo(
                                kubectl.services()
                                        .inNamespace("shop")
                                        .withName("b-second")
                                        .get()
                                        .getMetadata()
                                        .getUid());
                // It is tried again after a second, so that it becomes a series.
                assertThat(awaitSeries("RulesRefused").getSeries().getCount()).isEqualTo(2);
                assertThat(seen)
                        .filteredOn(event -> event.getReportingController().equals("pointsman"))
                        .extracting(event -> event.getRegarding().getName())
                        .doesNotContain("a-first");
            } finally {
                Files.writeString(config, CONFIGURATION + "oomScoreAdj: 7\n");
                assertThat(run.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(75);
            }
        }
    }

    private static Path kubeconfig(RealApiServer server) throws Exception {
        Path file = server.kubeconfig();
        return Files.writeString(file, Files.readString(file).replace(ADMIN, PROXY));
    }

    private CompletableFuture<Integer> start(Path kubeconfig, Path config) {
        List<String> line =
                List.of(
                        "run",
                        "--kubeconfig",
                        kubeconfig.toString(),
                        "--config",
                        config.toString(),
                        "--family",
                        "ipv4");
        // Not in the common pool: the client of run needs it, and it may have one thread.
        CompletableFuture<Integer> exit = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> exit.complete(console.run(InputStream.nullInputStream(), line)));
        return exit;
    }

    private Event next() throws InterruptedException {
        Event event = posted.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(event).as("run said:\n" + console.err).isNotNull();
        seen.add(Objects.requireNonNull(event));
        return seen.getLast();
    }

    /// Waits for an Event of each of `wanted`, which are reasons with names of objects.
    private Map<String, Event> await(Set<String> wanted) throws InterruptedException {
        Map<String, Event> found = new HashMap<>();
        while (!found.keySet().containsAll(wanted)) {
            Event event = next();
            found.put(event.getReason() + " " + event.getRegarding().getName(), event);
        }
        return found;
    }

    private Event awaitSeries(String reason) throws InterruptedException {
        for (Event event : List.copyOf(seen)) {
            if (event.getReason().equals(reason) && event.getSeries() != null) {
                return event;
            }
        }
        Event event = next();
        while (!event.getReason().equals(reason) || event.getSeries() == null) {
            event = next();
        }
        return event;
    }

    private Watcher<Event> watcher() {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, Event event) {
                posted.add(event);
            }

            @Override
            public void onClose(WatcherException cause) {}
        };
    }

    private static void create(KubernetesClient kubectl, String yaml) {
        kubectl.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).create();
    }

    /// One that wants the same external address as the others, on another port if it is refused.
    private static String service(String name) {
        return """
               apiVersion: v1
               kind: Service
               metadata: {name: %s, namespace: shop}
               spec: {externalIPs: [192.0.2.50], ports: [{port: %d}]}
               """
                .formatted(name, name.equals("refused") ? 81 : 80);
    }
}
