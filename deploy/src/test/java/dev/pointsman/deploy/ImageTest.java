package dev.pointsman.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HealthCheck;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;

/// The image as the DaemonSet runs it: beside other containers in a pod's network, with one
/// capability and a root that it cannot write.
final class ImageTest {
    private static final InetSocketAddress WEB = new InetSocketAddress("10.96.0.80", 80);

    /// Is not there from the beginning.
    private static final InetSocketAddress API = new InetSocketAddress("10.96.0.81", 80);

    // capabilities(7)
    private static final String NET_ADMIN_ALONE = "CapEff:\t%016x".formatted(1L << 12);

    @TempDir Path folder;

    @EngineTest
    void mode_nftables_needs_nothing_but_net_admin() throws Exception {
        stays(Images.Base.PLAIN, "nftables", "nft", "list", "ruleset");
    }

    @EngineTest
    void mode_iptables_needs_its_programs_beside() throws Exception {
        stays(Images.Base.IPTABLES, "iptables", "iptables-nft-save");
    }

    /// Rules follow the API server and take packets. They stay through a restart and through
    /// another version, and so does a connection that was there before.
    private void stays(Images.Base base, String mode, String... list) throws Exception {
        String image = Images.build(base, "1");
        try (Pod pod = Pod.start(image, folder);
                Page _ = Page.open(pod)) {
            PodNetwork network = pod.network();
            // As the init container of the manifests does, which may write /proc/sys.
            network.run("sysctl", "-qw", "net.ipv4.conf.all.route_localnet=1");
            GenericContainer<?> first = pod.pointsman(image, mode);
            assertThat(first.getLogs()).contains("IPv4: brought up to date");
            assertThat(network.run(list))
                    .contains(WEB.getAddress().getHostAddress())
                    .doesNotContain(API.getAddress().getHostAddress());
            assertThat(network.ask(WEB)).isEqualTo(Page.WORDS);

            Pod.objects("second.yaml").objects().forEach(pod.cluster()::put);
            network.awaitAnswer(API);
            assertThat(network.run(list)).contains(API.getAddress().getHostAddress());

            try (Socket kept = network.connect(WEB)) {
                assertThat(heard(kept, Page.WORDS.length())).isEqualTo(Page.WORDS);
                Pod.restart(first);
                assertThat(network.ask(WEB)).isEqualTo(Page.WORDS);
                assertThat(repeated(kept, "restarted")).isEqualTo("restarted");

                first.stop();
                assertThat(network.ask(API)).as("while nobody runs").isEqualTo(Page.WORDS);
                GenericContainer<?> second = pod.pointsman(Images.build(base, "2"), mode);
                assertThat(second.getLogs())
                        .contains("IPv4: the kernel already holds all")
                        .doesNotContain("brought up to date");
                assertThat(network.ask(API)).isEqualTo(Page.WORDS);
                assertThat(repeated(kept, "upgraded")).isEqualTo("upgraded");
                second.stop();
            }
        }
    }

    private static String repeated(Socket connection, String words) throws IOException {
        connection.getOutputStream().write(words.getBytes(StandardCharsets.UTF_8));
        return heard(connection, words.length());
    }

    private static String heard(Socket connection, int bytes) throws IOException {
        return new String(connection.getInputStream().readNBytes(bytes), StandardCharsets.UTF_8);
    }

    @EngineTest
    void it_can_do_no_more_than_it_declares() throws Exception {
        String image = Images.build(Images.Base.PLAIN, "1");
        try (Pod pod = Pod.start(image, folder)) {
            GenericContainer<?> container = pod.pointsman(image, "nftables");
            InspectContainerResponse inspected = Pod.inspected(container);
            assertThat(inspected.getHostConfig().getPrivileged()).isFalse();
            assertThat(inspected.getHostConfig().getCapDrop()).containsExactly(Capability.ALL);
            assertThat(inspected.getHostConfig().getCapAdd()).containsExactly(Capability.NET_ADMIN);
            Path process = Path.of("/proc", String.valueOf(Pod.state(container).getPidLong()));
            assertThat(Files.readAllLines(process.resolve("status"))).contains(NET_ADMIN_ALONE);
            try (Stream<String> mounts = Files.lines(process.resolve("mounts"))) {
                assertThat(mounts.filter(line -> line.contains(" / ")))
                        .singleElement()
                        .asString()
                        .containsPattern(" ro,");
            }
            container.stop();
        }
    }

    @EngineTest
    void whoever_asks_learns_that_it_is_healthy() throws Exception {
        String image = Images.build(Images.Base.PLAIN, "1");
        try (Pod pod = Pod.start(image, folder)) {
            GenericContainer<?> container = pod.pointsman(image, "nftables");
            assertThat(pod.network().call(ImageTest::healthz)).isEqualTo(200);
            List<String> check = new ArrayList<>(Images.PROGRAM);
            check.add("health");
            ExecResult checked = container.execInContainer(check.toArray(String[]::new));
            assertThat(checked.getStdout()).isEqualTo("healthy\n");
            assertThat(checked.getExitCode()).isZero();
            check.addFirst("CMD");
            assertThat(Pod.inspected(container).getConfig().getHealthcheck())
                    .extracting(HealthCheck::getTest)
                    .isEqualTo(check);
            container.stop();
        }
    }

    private static int healthz() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:10256/healthz"))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }
}
