package dev.pointsman.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// `kill -9` and a start again, in one mode, under new connections and UDP flows that go on.
///
/// @param kills how often
/// @param flows how many
/// @param folders for files of its own
record Restart(String mode, int kills, int flows, Path folders) {
    private static final int LISTINGS = 10;

    /// The flows of the first client, by port and by the number that the kernel gave to the entry.
    private static final Pattern ENTRY =
            Pattern.compile(
                    "src="
                            + Crossing.clientAddresses().getFirst()
                            + " dst="
                            + Crossing.DNS
                            + " sport=(\\d+) .* id=(\\d+)");

    /// Plays it, and gives what went wrong with connections and flows.
    List<String> play() throws Exception {
        try (Crossing crossing = Crossing.create(Files.createTempDirectory(folders, "play"))) {
            RunProcess run = crossing.run(mode);
            run.await("IPv4: brought up to date");
            // Whoever stalls for half a minute between two datagrams would end the flow himself.
            crossing.node()
                    .run(
                            "sysctl",
                            "-qw",
                            "net.netfilter.nf_conntrack_udp_timeout=600",
                            "net.netfilter.nf_conntrack_udp_timeout_stream=600");
            try (ConnectionStream stream =
                            new ConnectionStream(crossing.pods(), Crossing.POD_PORT);
                    UdpFlows udp = new UdpFlows(crossing)) {
                stream.dial(crossing.clients(), Crossing.WEB, Crossing.WEB_PORT);
                udp.begin(flows);
                int port = 40_000;
                Map<String, String> sticky = udp.stickyAnswerers(port);
                assertThat(sticky.values()).doesNotContain("nobody");
                Map<String, String> entries = entries(crossing);
                assertThat(entries).hasSize(flows);
                for (int kill = 0; kill < kills; kill++) {
                    run.kill();
                    assertThat(run.said()).doesNotContain("deleted in");
                    stream.awaitMore();
                    run = crossing.run(mode);
                    run.await("IPv4: the kernel already holds all");
                    stream.awaitMore();
                    udp.awaitAll();
                    port++;
                    assertThat(udp.stickyAnswerers(port)).isEqualTo(sticky);
                }
                // It ends only when it has looked for stale flows.
                run.end();
                assertThat(run.said()).doesNotContain("written in", "deleted in");
                List<String> failures = new ArrayList<>(stream.failures());
                failures.addAll(udp.failures());
                Map<String, String> left = entries(crossing);
                entries.forEach(
                        (from, entry) -> {
                            if (!entry.equals(left.get(from))
                                    && !asked(crossing, from).contains("id=" + entry)) {
                                failures.add("the flow from port " + from + " has a new entry");
                            }
                        });
                return failures;
            }
        }
    }

    /// The number of each entry, by the port of its client. A listing passes an entry over now and
    /// then, where one of the kernel's messages ends and the next begins. Those of all protocols
    /// end elsewhere each time, as connections come and go.
    private Map<String, String> entries(Crossing crossing) {
        Map<String, String> entries = new HashMap<>();
        for (int listing = 0; listing < LISTINGS && entries.size() < flows; listing++) {
            ENTRY.matcher(crossing.node().run("conntrack", "-L", "-o", "id"))
                    .results()
                    .forEach(entry -> entries.put(entry.group(1), entry.group(2)));
        }
        return entries;
    }

    /// The entry of one flow, which no listing passes over; fails when there is none.
    private static String asked(Crossing crossing, String port) {
        return crossing.node()
                .run(
                        "conntrack",
                        "-G",
                        "--proto=udp",
                        "--src=" + Crossing.clientAddresses().getFirst(),
                        "--dst=" + Crossing.DNS,
                        "--sport=" + port,
                        "--dport=" + Crossing.DNS_PORT,
                        "--output=id");
    }
}
