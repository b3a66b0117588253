package dev.pointsman.perf.bench;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.perf.ClusterShape;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/// What the rules cost a new connection, by the place of its Service in the list; in turns with
/// connections that need none.
final class ConnectLatency {
    private static final int WARM_UP = 100;
    private static final int DIALS = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /// Of those set aside for benchmarks (RFC 2544): no cluster has it.
    private static final IpAddress CONSTANT = IpAddress.parse("198.18.0.1");

    private static final int CONSTANT_PORT = 80;

    private ConnectLatency() {}

    static void measure(Run run) throws IOException {
        int last = run.population().shape().services() - 1;
        Map<Metric, Dial> dials = new LinkedHashMap<>();
        dials.put(
                Metric.CONNECT_NONE, new Dial(aPod(run.population().shape()), Pods.PORT, PATIENCE));
        dials.put(Metric.CONNECT_CONSTANT, new Dial(CONSTANT, CONSTANT_PORT, PATIENCE));
        dials.put(Metric.CONNECT_FIRST, run.dial(0));
        dials.put(Metric.CONNECT_MEDIAN, run.dial(last / 2));
        dials.put(Metric.CONNECT_LAST, run.dial(last));
        Map<Metric, Histogram> handshakes = Town.call(run.town().client(), () -> handshakes(dials));
        handshakes.forEach((metric, nanos) -> run.note(metric, new Reading.Times(nanos)));
        double slowest =
                Stream.of(Metric.CONNECT_FIRST, Metric.CONNECT_MEDIAN, Metric.CONNECT_LAST)
                        .mapToDouble(metric -> median(handshakes, metric))
                        .max()
                        .orElseThrow();
        run.note(
                Metric.RULES_COST,
                new Reading.Exact(slowest - median(handshakes, Metric.CONNECT_CONSTANT)));
    }

    /// Adds the constant rule, before the rules of any proxy, which then have nothing to translate
    /// any more; and before there is a proxy, which would look at its own rules after somebody
    /// else's change of others, just while connections are timed.
    static void prepare(Town town, ClusterShape shape) throws IOException {
        town.onNode(
                "nft",
                """
                table ip pointsman-bench {
                  chain dnat-to-a-pod {
                    type nat hook prerouting priority -110;
                    ip daddr %s tcp dport %d dnat to %s:%d
                  }
                }
                """
                        .formatted(CONSTANT, CONSTANT_PORT, aPod(shape), Pods.PORT));
    }

    private static IpAddress aPod(ClusterShape shape) {
        return shape.podIp(0, 0);
    }

    private static double median(Map<Metric, Histogram> handshakes, Metric metric) {
        return new Reading.Times(Objects.requireNonNull(handshakes.get(metric)))
                .middle(metric.unit());
    }

    private static Map<Metric, Histogram> handshakes(Map<Metric, Dial> dials) throws IOException {
        Map<Metric, Histogram> all = new LinkedHashMap<>();
        for (int i = 0; i < WARM_UP + DIALS; i++) {
            for (var each : dials.entrySet()) {
                long nanos =
                        each.getValue()
                                .once()
                                .orElseThrow(
                                        () -> new IOException("a connection was lost: " + each))
                                .handshakeNanos();
                if (i >= WARM_UP) {
                    all.computeIfAbsent(each.getKey(), _ -> new Histogram(3)).recordValue(nanos);
                }
            }
        }
        return all;
    }
}
