package dev.pointsman.perf;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.iptables.IptablesMode;
import dev.pointsman.kube.SnapshotReader;
import dev.pointsman.nftables.NftablesMode;
import dev.pointsman.perf.Spent.Stage;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.ClusterState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Where the time of a first sync and of a single change goes, stage by stage from the bytes of an
/// API server to the kernel's answer, and what each stage allocates; in a warm JVM, for one family,
/// in the network namespace of the caller.
final class Split {
    private static final int ENDPOINTS = 5;
    private static final int WARM_UP_LOADS = 3;
    private static final int LOADS = 5;
    private static final List<Integer> SCALES = List.of(1_000, 10_000);

    /// What is played in one mode. A change through `iptables-restore` takes as long as a thousand
    /// over netlink.
    private record Played(
            Mode mode, Settings settings, Supplier<Wire> wire, int warmUp, int changes) {
        static final List<Played> ALL =
                List.of(
                        new Played(
                                new NftablesMode(),
                                Settings.nftablesDefaults(),
                                NetlinkWire::open,
                                2_000,
                                4_000),
                        new Played(
                                new IptablesMode(IptablesMode.Choice.NFT),
                                Settings.iptablesDefaults(),
                                () -> new RestoreWire(IptablesMode.Choice.NFT),
                                20,
                                40));
    }

    private final ClusterShape shape;
    private final ClusterObjects objects;
    private final Played played;
    private final Dataplane dataplane;
    private final Wire wire;

    private Split(ClusterShape shape, Played played, Dataplane dataplane, Wire wire) {
        this.shape = shape;
        objects = new ClusterObjects(shape);
        this.played = played;
        this.dataplane = dataplane;
        this.wire = wire;
    }

    public static void main(String[] arguments) {
        List<Integer> scales = Scales.of(arguments, SCALES);
        System.out.println(
                ENDPOINTS
                        + " endpoints a Service, one family, medians; a first sync in ms, a change"
                        + " of one endpoint in µs and in bytes allocated");
        System.out.println(Spent.heading());
        for (Played played : Played.ALL) {
            for (int services : scales) {
                try (Dataplane dataplane = played.mode().dataplane(Family.IPV4);
                        Wire wire = played.wire().get()) {
                    new Split(new ClusterShape(services, ENDPOINTS), played, dataplane, wire)
                            .measure();
                }
            }
        }
    }

    private void measure() {
        byte[] all = everything();
        Spent loads = new Spent();
        for (int run = 0; run < WARM_UP_LOADS + LOADS; run++) {
            Passages passages = new Passages();
            passages.take(all, run < WARM_UP_LOADS ? new Spent() : loads);
            passages.clear();
        }
        String who = played.mode().name() + " " + shape.services();
        System.out.println(loads.nanos(who + ", first sync, ms", 1e6));
        Spent changes = changes(all);
        System.out.println(changes.nanos(who + ", change, µs", 1e3));
        System.out.println(changes.bytes(who + ", change, bytes"));
    }

    private Spent changes(byte[] all) {
        Passages passages = new Passages();
        passages.take(all, new Spent());
        Swaps swaps = new Swaps(shape);
        Spent spent = new Spent();
        for (int change = 0; change < played.warmUp() + played.changes(); change++) {
            Swaps.Swap swap = swaps.swap();
            byte[] slice =
                    objects.slices(swap.service(), swap.slots())
                            .getFirst()
                            .toString()
                            .getBytes(StandardCharsets.UTF_8);
            passages.take(slice, change < played.warmUp() ? new Spent() : spent);
        }
        passages.clear();
        return spent;
    }

    private byte[] everything() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        GenerateCluster.write(shape, text);
        return text.toByteArray();
    }

    /// Goes on from what it has taken before.
    private final class Passages {
        private final ClusterState state = new ClusterState(shape.node().name());
        private final Planner planner = new Planner(Family.IPV4, shape.node(), played.settings());
        private RuleGraph graph = planner.graph();

        void take(byte[] json, Spent spent) {
            List<ClusterEvent> events =
                    spent.on(
                            Stage.DECODE,
                            () ->
                                    SnapshotReader.read(
                                                    List.of(SnapshotReader.STDIN),
                                                    new ByteArrayInputStream(json))
                                            .events());
            Delta delta = spent.on(Stage.DECIDE, () -> decide(events));
            Transaction transaction = spent.on(Stage.RENDER, () -> dataplane.render(graph, delta));
            Runnable sending = spent.on(Stage.ENCODE, () -> wire.encode(transaction));
            spent.on(
                    Stage.KERNEL,
                    () -> {
                        sending.run();
                        return true;
                    });
            graph = planner.graph();
        }

        private Delta decide(List<ClusterEvent> events) {
            events.forEach(state::take);
            List<ServiceState> states = new ArrayList<>();
            state.drain().services().forEach(name -> states.add(state.state(name)));
            return planner.plan(states);
        }

        void clear() {
            Load.clear(dataplane, graph);
        }
    }
}
