package dev.pointsman.daemon;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.netlink.TestNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A node between clients and pods, with three Services on all pods: `web` over TCP, `dns` over UDP
/// and `sticky` over UDP, whose clients stay with their endpoint.
final class Crossing implements AutoCloseable {
    static final IpAddress WEB = IpAddress.parse("10.96.0.80");
    static final int WEB_PORT = 80;
    static final IpAddress DNS = IpAddress.parse("10.96.0.53");
    static final IpAddress STICKY = IpAddress.parse("10.96.0.54");
    static final int DNS_PORT = 53;

    /// Where the pods listen, over TCP and UDP.
    static final int POD_PORT = 8080;

    private static final String NODE = "192.0.2.1";
    private static final String NAME = "worker-1";
    private static final String PATIENCE_SECONDS = "120";
    private static final int PODS = 4;
    private static final int CLIENTS = 16;

    private static final String SERVICE =
            """
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: %s, namespace: crossing}
            spec:
              clusterIP: %s
              sessionAffinity: %s
              ports: [{name: main, protocol: %s, port: %d}]
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata:
              name: %1$s-1
              namespace: crossing
              labels: {kubernetes.io/service-name: %1$s}
            addressType: IPv4
            ports: [{name: main, protocol: %4$s, port: %6$d}]
            endpoints: [%7$s]
            """;

    private final TestNamespace node;
    private final TestNamespace clients;
    private final TestNamespace pods;
    private final Path folder;
    private final List<RunProcess> started = new ArrayList<>();

    private Crossing(TestNamespace node, TestNamespace clients, TestNamespace pods, Path folder) {
        this.node = node;
        this.clients = clients;
        this.pods = pods;
        this.folder = folder;
    }

    /// @param folder for files of its own
    static Crossing create(Path folder) throws IOException {
        var crossing =
                new Crossing(
                        TestNamespace.create(),
                        TestNamespace.create(),
                        TestNamespace.create(),
                        folder);
        crossing.node.run("sysctl", "-qw", "net.ipv4.ip_forward=1");
        crossing.attach("clients", crossing.clients, clientAddresses());
        crossing.attach("pods", crossing.pods, podAddresses());
        crossing.endpoints(podAddresses());
        return crossing;
    }

    /// From now on all Services have these endpoints.
    void endpoints(List<String> addresses) throws IOException {
        Path next = Files.writeString(folder.resolve("next"), cluster(addresses));
        Files.move(next, snapshot(), StandardCopyOption.ATOMIC_MOVE);
    }

    private void attach(String link, TestNamespace peer, List<String> addresses) {
        node.wire(link, peer, NODE, addresses.getFirst());
        for (String more : addresses.subList(1, addresses.size())) {
            peer.run("ip", "addr", "add", more + "/32", "dev", "eth0");
            node.run("ip", "route", "add", more + "/32", "dev", link);
        }
    }

    static List<String> clientAddresses() {
        return IntStream.range(0, CLIENTS).mapToObj(i -> "192.0.2." + (100 + i)).toList();
    }

    static List<String> podAddresses() {
        return IntStream.range(0, PODS).mapToObj(i -> "10.244.1." + (10 + i)).toList();
    }

    /// The cluster with these endpoints, as `kubectl` prints it.
    private static String cluster(List<String> endpoints) {
        String entries =
                endpoints.stream()
                        .map(address -> "{addresses: [" + address + "], nodeName: worker-1}")
                        .collect(Collectors.joining(", "));
        return """
               apiVersion: v1
               kind: Node
               metadata: {name: %s}
               status: {addresses: [{type: InternalIP, address: %s}]}
               """
                        .formatted(NAME, NODE)
                + SERVICE.formatted("web", WEB, "None", "TCP", WEB_PORT, POD_PORT, entries)
                + SERVICE.formatted("dns", DNS, "None", "UDP", DNS_PORT, POD_PORT, entries)
                + SERVICE.formatted(
                        "sticky", STICKY, "ClientIP", "UDP", DNS_PORT, POD_PORT, entries);
    }

    /// Starts `run` on the node, for no longer than the node is there.
    RunProcess run(String mode, String... more) throws IOException {
        return run(mode, Map.of(), more);
    }

    /// @param environment what is other in it
    RunProcess run(String mode, Map<String, String> environment, String... more)
            throws IOException {
        List<String> options =
                new ArrayList<>(List.of("--mode", mode, "--snapshot", snapshot().toString()));
        options.addAll(List.of(more));
        return run(environment, options);
    }

    /// The same with the cluster from elsewhere.
    RunProcess run(Map<String, String> environment, List<String> options) throws IOException {
        List<String> line = new ArrayList<>(List.of("run", "--node", NAME));
        line.addAll(options);
        RunProcess run =
                RunProcess.start(
                        node,
                        folder.resolve("run-" + started.size() + ".log"),
                        new RunProcess.Around(List.of(), environment),
                        line.toArray(String[]::new));
        started.add(run);
        return run;
    }

    /// What `run` answers on the node.
    ///
    /// @param page port and path
    String ask(String page) {
        return node.run("curl", "-sS", "--max-time", PATIENCE_SECONDS, "http://127.0.0.1:" + page);
    }

    /// The file with the cluster.
    Path snapshot() {
        return folder.resolve("cluster.yaml");
    }

    TestNamespace node() {
        return node;
    }

    TestNamespace clients() {
        return clients;
    }

    TestNamespace pods() {
        return pods;
    }

    @Override
    public void close() {
        started.forEach(RunProcess::kill);
        List.of(clients, pods, node).forEach(TestNamespace::close);
    }
}
