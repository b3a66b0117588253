package dev.pointsman.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.KernelTest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// The API server is not heard of any more, and no connection ends: rules stay as they are, and
/// what changed meanwhile is made up for.
@Tag("peers")
class OutageTest {
    private static final int PORT = 40_000;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final long LOOK_MILLIS = 200;

    private static final Pattern AGE =
            Pattern.compile("pointsman_information_age_seconds\\{kind=\"Service\"} (\\S+)");

    private static final Pattern REQUESTS =
            Pattern.compile(
                    "rest_client_requests_total\\{code=\"200\",host=\"\\S+\",method=\"GET\"} (\\S+)");

    /// Services, EndpointSlices, the Node and ServiceCIDRs.
    private static final int KINDS = 4;

    private final List<String> pods = Crossing.podAddresses();

    @TempDir Path folder;

    /// Nobody can tell before a watch has been silent for 90 s.
    @KernelTest(tools = {"nft", "curl"})
    void packets_are_dropped_until_it_is_said_and_longer() throws Exception {
        try (ServedCrossing served = ServedCrossing.create(folder);
                UdpFlows flows = new UdpFlows(served.crossing())) {
            RunProcess run = started(served);
            swallow(served);
            served.endpoint(pods.get(1));
            run.await("cannot list or watch", 4);
            assertThat(run.said()).contains("rules stay as they are; it is tried again");
            assertThat(flows.stickyAnswerers(PORT).values()).containsOnly(pods.get(0));
            double age = age(served);
            assertThat(age).isGreaterThan(90);

            served.crossing().node().run("nft", "delete table inet hole");
            run.await("is listed again", 4);
            flows.awaitSticky(PORT, pods.get(1));
            assertThat(age(served)).isLessThan(age);
            assertThat(run.end()).isZero();
        }
    }

    /// The next watch begins in a history that is there no more.
    @KernelTest(tools = {"nft", "curl"})
    void a_connection_dies_and_the_store_is_compacted() throws Exception {
        try (ServedCrossing served = ServedCrossing.create(folder);
                UdpFlows flows = new UdpFlows(served.crossing())) {
            RunProcess run = started(served);
            assertThat(flows.stickyAnswerers(PORT).values()).containsOnly(pods.get(0));
            served.wire().deafen();
            served.endpoint(pods.get(1));
            served.server().compact();
            served.endpoint(pods.get(2));
            served.wire().mend();
            assertThat(flows.stickyAnswerers(PORT + 1).values()).containsOnly(pods.get(0));
            flows.awaitSticky(PORT, pods.get(2));
            // A list and a watch of each kind, a watch that is refused, and both again.
            awaitRequests(served, KINDS * (2 + 1 + 2));
            assertThat(run.said()).doesNotContain("cannot list or watch");
            assertThat(run.end()).isZero();
        }
    }

    private static RunProcess started(ServedCrossing served) throws Exception {
        RunProcess run = served.run(Map.of(), "--mode", "nftables", "-v", "2");
        run.await("IPv6: brought up to date");
        return run;
    }

    /// Each kind's watch was silent for a time of its own when the wire went deaf, and so counts as
    /// dead at a time of its own.
    private static void awaitRequests(ServedCrossing served, int enough) throws Exception {
        Instant deadline = Instant.now().plus(PATIENCE);
        double asked = metric(served, REQUESTS);
        while (asked < enough) {
            assertThat(Instant.now()).as(asked + " requests").isBefore(deadline);
            Thread.sleep(LOOK_MILLIS);
            asked = metric(served, REQUESTS);
        }
    }

    /// From now on no packet comes through, either way.
    private static void swallow(ServedCrossing served) {
        String hole =
                """
                table inet hole {
                  chain input {
                    type filter hook input priority 0
                    tcp dport %1$d drop
                    tcp sport %1$d drop
                  }
                }
                """
                        .formatted(served.wire().port());
        served.crossing().node().feed(hole, "nft", "-f", "-");
    }

    /// That of what is known of Services, in seconds.
    private static double age(ServedCrossing served) {
        return metric(served, AGE);
    }

    private static double metric(ServedCrossing served, Pattern pattern) {
        Matcher found = pattern.matcher(served.crossing().ask("10249/metrics"));
        assertThat(found.find()).isTrue();
        return Double.parseDouble(found.group(1));
    }
}
