package dev.pointsman.peers;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Settings;
import dev.pointsman.kube.Relay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// A running kube-proxy, in the network namespace of the thread that started it. Everything but
/// [#close] is called from inside that namespace.
final class KubeProxy implements AutoCloseable {
    static final String PROGRAM = "POINTSMAN_KUBE_PROXY";

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int LOOK_MILLIS = 20;
    private static final Path SYSTEM_PROGRAMS = Path.of("/usr/sbin");
    private static final int STARTS = 20;

    /// What kube-proxy reads when it starts, and never again.
    record Start(ProxyMode mode, NodeView node, Settings settings) {
        Set<Family> families() {
            return Situation.families(node);
        }
    }

    private final Start start;
    private final Beacon beacon;
    private final Relay relay;
    private final Path log;
    private final Process process;

    private KubeProxy(Peers peers, Start start) throws Exception {
        this.start = start;
        beacon = peers.beacon();
        relay = peers.relay();
        log = Files.createTempFile(peers.folder(), "kube-proxy", ".log");
        String configuration =
                start.mode()
                        .configuration(
                                start.settings(),
                                start.node().name(),
                                peers.kubeconfig(relay.port()).toString());
        Path config = Files.createTempFile(peers.folder(), "kube-proxy", ".yaml");
        ProcessBuilder builder =
                new ProcessBuilder(
                                String.valueOf(System.getenv(PROGRAM)),
                                // So that it says when a sync ends.
                                "-v=4",
                                "--config=" + Files.writeString(config, configuration))
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        if (start.mode() == ProxyMode.IPVS) {
            builder.environment().put("PATH", programs(peers.folder(), start.families()));
        }
        process = builder.start();
    }

    /// A folder with the programs that mode ipvs runs a hundred times in a sync, which takes
    /// seconds in the guest: the faster iptables, and none for a family that the node does not
    /// have.
    private static String programs(Path folder, Set<Family> families) throws IOException {
        Path programs = Files.createTempDirectory(folder, "programs");
        Files.createSymbolicLink(programs.resolve("ipset"), SYSTEM_PROGRAMS.resolve("ipset"));
        for (Family family : families) {
            String iptables = family == Family.IPV4 ? "iptables" : "ip6tables";
            for (String each : List.of("", "-save", "-restore")) {
                Files.createSymbolicLink(
                        programs.resolve(iptables + each),
                        SYSTEM_PROGRAMS.resolve(iptables + "-legacy" + each));
            }
        }
        return programs.toString();
    }

    /// Starts one, and returns when it has written everything before the beacon with this number.
    ///
    /// kube-proxy does not wait for the ServiceCIDRs before its first sync, and what it missed then
    /// it writes with the next full one, an hour later: such a one is started anew. So is one that
    /// crashes, since it starts to watch its Node before it has what takes in the answer.
    static KubeProxy start(Peers peers, Start start, int number) throws Exception {
        for (int i = 0; i < STARTS; i++) {
            KubeProxy proxy = new KubeProxy(peers, start);
            try {
                proxy.await(number);
                if (start.mode().hasServiceRanges(start.families())) {
                    return proxy;
                }
            } catch (Exception | AssertionError e) {
                if (!proxy.hasCrashed()) {
                    proxy.close();
                    throw e;
                }
                System.out.println("kube-proxy crashed at its start; started anew");
            }
            proxy.close();
        }
        throw new AssertionError(
                "kube-proxy synced before it knew the ServiceCIDRs, or crashed, "
                        + STARTS
                        + " times");
    }

    private boolean hasCrashed() throws IOException {
        return log().contains("Observed a panic");
    }

    Start start() {
        return start;
    }

    /// Returns when everything before the beacon with this number is written.
    void await(int number) throws Exception {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (!isWritten(number)) {
            if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                    || Instant.now().isAfter(deadline)) {
                throw new AssertionError("kube-proxy did not write its rules: " + log());
            }
        }
    }

    private boolean isWritten(int number) throws Exception {
        for (Family family : start.families()) {
            if (!beacon.isIn(start.mode().dump(family), family, number)
                    || !start.mode().isSettled(family, log())) {
                return false;
            }
        }
        return true;
    }

    private String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        end();
    }

    /// Ends it; its rules stay.
    void end() {
        process.destroyForcibly();
        process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        relay.close();
    }
}
