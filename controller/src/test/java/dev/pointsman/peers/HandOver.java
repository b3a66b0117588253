package dev.pointsman.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.daemon.ConnectionStream;
import dev.pointsman.daemon.RunProcess;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.TrafficPolicy;
import dev.pointsman.kube.Relay;
import dev.pointsman.netlink.TestNamespace;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/// From a real kube-proxy to Pointsman and back, in one mode, under new connections.
///
/// @param folder for files of its own
record HandOver(Peers peers, ProxyMode mode, Path folder) {
    static final List<Cidr> SERVICE_RANGES = Comparison.SERVICE_RANGES;

    private static final IpAddress NODE = IpAddress.parse("192.0.2.1");
    private static final IpAddress CLIENT = IpAddress.parse("192.0.2.100");
    private static final IpAddress POD = IpAddress.parse("10.244.1.10");
    private static final IpAddress CLUSTER_IP = IpAddress.parse("172.30.80.80");
    private static final int PORT = 8080;

    /// Plays it, and gives what went wrong with connections.
    List<String> thereAndBack() throws Exception {
        try (TestNamespace node = TestNamespace.create();
                TestNamespace client = attach(node, "client", CLIENT);
                TestNamespace pod = attach(node, "pod", POD);
                ConnectionStream stream = new ConnectionStream(pod, PORT)) {
            node.run("sysctl", "-qw", "net.ipv4.ip_forward=1");
            try (KubeProxy before = kubeProxy(node);
                    Relay relay = node.namespace().call(peers::relay)) {
                stream.dial(client, CLUSTER_IP, 80);
                stream.awaitMore();
                try (RunProcess run = run(node, relay)) {
                    run.await("took over");
                    stream.awaitMore();
                    before.end();
                    stream.awaitMore();
                    run.end();
                }
            }
            assertThat(makers(node)).contains(Leftovers.Maker.POINTSMAN);
            try (KubeProxy _ = kubeProxy(node)) {
                stream.awaitMore();
                cleanUp(node);
                stream.awaitMore();
                assertThat(makers(node)).containsOnly(Leftovers.Maker.KUBE_PROXY);
            }
            return stream.failures();
        }
    }

    /// Returns when it has written rules of its own: nobody else has seen the beacon.
    private KubeProxy kubeProxy(TestNamespace node) throws Exception {
        int number = peers.hold(objects());
        Settings settings = mode.settings(Settings.nftablesDefaults(), SERVICE_RANGES);
        KubeProxy.Start start = new KubeProxy.Start(mode, node(), settings);
        return node.namespace().call(() -> KubeProxy.start(peers, start, number));
    }

    private static NodeView node() {
        return new NodeView("worker-1", "", List.of(NODE), List.of());
    }

    private static List<HasMetadata> objects() {
        ServiceName name = new ServiceName("hand-over", "web");
        List<HasMetadata> objects = new ArrayList<>();
        objects.add(KubeObjects.of(node()));
        objects.addAll(
                KubeObjects.of(
                        new ServiceState.Present(
                                new Service(
                                        name,
                                        Instant.EPOCH,
                                        Service.Type.CLUSTER_IP,
                                        new Service.Addresses(
                                                List.of(CLUSTER_IP), List.of(), List.of()),
                                        List.of(),
                                        TrafficPolicy.CLUSTER,
                                        TrafficPolicy.CLUSTER,
                                        new Affinity.None(),
                                        0,
                                        List.of(new Service.Port("http", Protocol.TCP, 80, 0)),
                                        ""),
                                List.of(
                                        new EndpointSlice(
                                                "web-1",
                                                name,
                                                Family.IPV4,
                                                List.of(
                                                        new EndpointSlice.Port(
                                                                "http", Protocol.TCP, PORT)),
                                                List.of(
                                                        new EndpointSlice.Entry(
                                                                POD,
                                                                "worker-1",
                                                                EndpointSlice.Conditions.READY,
                                                                EndpointSlice.Hints.NONE)))))));
        return objects;
    }

    private static TestNamespace attach(TestNamespace node, String link, IpAddress address) {
        TestNamespace peer = TestNamespace.create();
        node.wire(link, peer, NODE.toString(), address.toString());
        return peer;
    }

    private RunProcess run(TestNamespace node, Relay relay) throws Exception {
        return RunProcess.start(
                node,
                folder.resolve("run.log"),
                "run",
                "--take-over",
                "--mode",
                mode.title(),
                "--node",
                "worker-1",
                "--kubeconfig",
                peers.kubeconfig(relay.port()).toString());
    }

    private void cleanUp(TestNamespace node) throws Exception {
        RunProcess cleanup = RunProcess.start(node, folder.resolve("cleanup.log"), "cleanup");
        assertThat(cleanup.exitCode()).as(cleanup.said()).isZero();
    }

    /// Whose rules of the mode are there.
    private List<Leftovers.Maker> makers(TestNamespace node) throws Exception {
        return node.namespace()
                .call(
                        () ->
                                ServiceLoader.load(Mode.class).stream()
                                        .map(ServiceLoader.Provider::get)
                                        .filter(each -> each.name().equals(mode.title()))
                                        .flatMap(each -> each.leftovers().stream())
                                        .map(Leftovers.Found.class::cast)
                                        .map(Leftovers.Found::maker)
                                        .toList());
    }
}
