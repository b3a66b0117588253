package dev.pointsman.peers;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.kube.Snapshot;
import dev.pointsman.kube.SnapshotReader;
import dev.pointsman.store.ClusterState;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The example of `deploy/examples/shop.yaml`, on its first worker.
final class Shop {
    static final Path FILE = Path.of("..", "deploy", "examples", "shop.yaml");
    static final List<Cidr> SERVICE_RANGES =
            Stream.of("10.96.0.0/12", "fd00:10:96::/112").map(Cidr::parse).toList();

    private static final String NODE = "worker-1";
    private static final Settings.DetectLocal PODS =
            new Settings.DetectLocal.ClusterRanges(
                    Stream.of("10.244.0.0/16", "fd00:10:244::/48").map(Cidr::parse).toList());

    /// Where the rules are that kube-proxy wrote for the shop and the first beacon.
    private static final Path DUMPS = Path.of("src", "test", "resources", "kube-proxy");

    private Shop() {}

    /// With the beacon of this number.
    static Situation situation(ProxyMode mode, int beacon) {
        Snapshot snapshot =
                SnapshotReader.read(List.of(FILE.toString()), InputStream.nullInputStream());
        ClusterState state = new ClusterState(NODE);
        snapshot.events().forEach(state::take);
        List<ServiceState> services = new ArrayList<>(state.all());
        services.add(Beacon.within(SERVICE_RANGES).state(beacon));
        NodeView node = state.node().orElseThrow();
        return new Situation(
                node,
                mode.settings(Settings.nftablesDefaults().withDetectLocal(PODS), SERVICE_RANGES),
                services);
    }

    static Path dump(ProxyMode mode, Family family) {
        return DUMPS.resolve(
                "shop." + mode.title() + "." + family.title().toLowerCase(Locale.ROOT));
    }
}
