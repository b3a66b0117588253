package dev.pointsman.perf;

import dev.pointsman.conntrack.FlowCleanup;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.iptables.IptablesMode;
import dev.pointsman.nftables.NftablesMode;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.sync.Outcome;
import dev.pointsman.sync.Pace;
import dev.pointsman.sync.SyncLoop;
import dev.pointsman.sync.SyncReport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.HdrHistogram.Histogram;

/// How long the Services of a node are gone when somebody calls `nft flush ruleset`, in the network
/// namespace of the caller: from when nft has ended until all rules are back.
final class FlushCost {
    private static final int ENDPOINTS = 5;
    private static final int FLUSHES = 20;

    /// So long at most after all is in place, so that a flush meets the loop between any two looks.
    private static final int REST_MILLIS = 1_000;

    private final Random random = new Random(1);
    private final BlockingQueue<SyncReport.Committed> commits = new LinkedBlockingQueue<>();
    private final Mode mode;
    private final Settings settings;
    private final ClusterShape shape;

    private FlushCost(Mode mode, Settings settings, ClusterShape shape) {
        this.mode = mode;
        this.settings = settings;
        this.shape = shape;
    }

    public static void main(String[] arguments) throws Exception {
        List<Integer> scales = Scales.of(arguments, List.of(100, 1_000, 10_000));
        System.out.println(
                ENDPOINTS + " endpoints a Service, one family; ms of " + FLUSHES + " flushes");
        System.out.printf("%10s %10s %10s %10s%n", "mode", "Services", "p50", "max");
        measure(new NftablesMode(), Settings.nftablesDefaults(), scales);
        measure(new IptablesMode(IptablesMode.Choice.NFT), Settings.iptablesDefaults(), scales);
    }

    private static void measure(Mode mode, Settings settings, List<Integer> scales)
            throws Exception {
        for (int services : scales) {
            new FlushCost(mode, settings, new ClusterShape(services, ENDPOINTS)).measure();
        }
    }

    private void measure() throws Exception {
        TreeMap<Family, Dataplane> dataplanes = new TreeMap<>();
        dataplanes.put(Family.IPV4, mode.dataplane(Family.IPV4));
        try (SyncLoop loop =
                new SyncLoop(
                        shape.nodeName(0),
                        settings,
                        Pace.DEFAULT,
                        dataplanes,
                        _ -> new FlowCleanup.Result.Cleaned(0, 0, List.of()),
                        System::nanoTime,
                        this::take,
                        _ -> {})) {
            loop.take(events());
            loop.listed();
            CompletableFuture<Outcome> end = new CompletableFuture<>();
            Thread.ofPlatform()
                    .daemon()
                    .start(
                            () -> {
                                try {
                                    end.complete(loop.run(_ -> false));
                                } catch (InterruptedException | RuntimeException e) {
                                    end.completeExceptionally(e);
                                }
                            });
            commits.take();
            Histogram gone = new Histogram(3);
            for (int flush = 0; flush < FLUSHES; flush++) {
                Thread.sleep(Duration.ofMillis(random.nextInt(REST_MILLIS)));
                flush();
                long begun = System.nanoTime();
                commits.take();
                gone.recordValue(System.nanoTime() - begun);
            }
            System.out.printf(
                    Locale.ROOT,
                    "%10s %10d %10.0f %10.0f%n",
                    mode.name(),
                    shape.services(),
                    gone.getValueAtPercentile(50) / 1e6,
                    gone.getMaxValue() / 1e6);
            loop.stop();
            end.get();
        }
        flush();
    }

    private List<ClusterEvent> events() {
        List<ClusterEvent> events = new ArrayList<>();
        events.add(new ClusterEvent.NodeSeen(shape.node()));
        for (ServiceState state : shape.states()) {
            if (state instanceof ServiceState.Present(var service, var slices)) {
                events.add(new ClusterEvent.ServiceSeen(service));
                slices.forEach(slice -> events.add(new ClusterEvent.SliceSeen(slice)));
            }
        }
        return events;
    }

    private void take(SyncReport report) {
        if (report instanceof SyncReport.Committed committed) {
            commits.add(committed);
        } else if (report instanceof SyncReport.Failed failed) {
            System.err.println(failed);
        }
    }

    private static void flush() throws IOException, InterruptedException {
        int code = new ProcessBuilder("nft", "flush", "ruleset").inheritIO().start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("nft flush ruleset ended with " + code);
        }
    }
}
