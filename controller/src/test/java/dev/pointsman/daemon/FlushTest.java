package dev.pointsman.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.KernelTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/// Somebody else flushes the rules: the Services are back at once, and how soon is printed.
class FlushTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CONNECT_MILLIS = 100;

    @TempDir Path folder;

    @KernelTest
    void in_mode_nftables() throws Exception {
        check("nftables", "nft flush ruleset", "nft delete table ip pointsman");
    }

    /// Of each variant what its own program can do; `nft` knows only the newer one.
    @KernelTest(tools = {"iptables", "ip6tables", "nft"})
    void in_mode_iptables() throws Exception {
        check(
                "iptables",
                "iptables -t nat -F",
                "iptables -t filter -F; iptables -t nat -F; iptables -t nat -X",
                "nft flush ruleset; iptables -t nat -F");
    }

    private void check(String mode, String... flushes) throws Exception {
        try (Crossing crossing = Crossing.create(folder);
                ServerSocket server =
                        crossing.pods()
                                .namespace()
                                .call(() -> new ServerSocket(Crossing.POD_PORT))) {
            RunProcess run = crossing.run(mode);
            run.await("IPv4: brought up to date");
            assertThat(server.isBound()).isTrue();
            awaitService(crossing);
            for (String flush : flushes) {
                crossing.node().run("sh", "-ec", flush);
                long flushed = System.nanoTime();
                awaitService(crossing);
                System.out.printf(
                        "mode %s, after %s: back within %d ms%n",
                        mode, flush, (System.nanoTime() - flushed) / 1_000_000);
            }
            assertThat(
                            run.said()
                                    .lines()
                                    .filter(line -> line.contains("IPv4: the rules were removed")))
                    .hasSameSizeAs(List.of(flushes));
        }
    }

    /// Returns when a client gets a connection.
    private static void awaitService(Crossing crossing) throws Exception {
        long begun = System.nanoTime();
        boolean there =
                crossing.clients()
                        .namespace()
                        .call(
                                () -> {
                                    boolean connected = connects();
                                    while (!connected
                                            && System.nanoTime() - begun < PATIENCE.toNanos()) {
                                        connected = connects();
                                    }
                                    return connected;
                                });
        assertThat(there).as("the Service answers within " + PATIENCE).isTrue();
    }

    private static boolean connects() {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(
                            InetAddress.ofLiteral(Crossing.WEB.toString()), Crossing.WEB_PORT),
                    CONNECT_MILLIS);
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
