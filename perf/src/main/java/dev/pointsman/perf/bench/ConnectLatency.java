package dev.pointsman.perf.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/// What the rules cost a new connection, by the place of its Service in the list; in turns with
/// connections that need none.
final class ConnectLatency {
    private static final int WARM_UP = 100;
    private static final int DIALS = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private ConnectLatency() {}

    static void measure(Run run) throws IOException {
        int last = run.population().shape().services() - 1;
        Map<Metric, Dial> dials = new LinkedHashMap<>();
        dials.put(
                Metric.CONNECT_NONE,
                new Dial(run.population().shape().podIp(0, 0), Pods.PORT, PATIENCE));
        dials.put(Metric.CONNECT_FIRST, run.dial(0));
        dials.put(Metric.CONNECT_MEDIAN, run.dial(last / 2));
        dials.put(Metric.CONNECT_LAST, run.dial(last));
        Town.call(run.town().client(), () -> handshakes(dials))
                .forEach((metric, nanos) -> run.note(metric, new Reading.Times(nanos)));
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
