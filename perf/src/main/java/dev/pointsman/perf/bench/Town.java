package dev.pointsman.perf.bench;

import dev.pointsman.netlink.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// A node between a client and all pods, each a network namespace; gone on close.
///
/// The client counts as a pod: proxies leave its address as it is. The other pods share a namespace
/// in which every address of their range is local, so that a hundred thousand of them need no
/// interface each. Without rules the node has no route to a Service, and says so at once.
final class Town implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();

    /// Those of `ClusterShape`: its node, and the range that its pods begin in.
    private static final String NODE = "192.0.2.10";

    private static final String PODS = "10.128.0.0/10";
    private static final String A_POD = "10.191.255.254";

    /// Within the range of all pods and outside of the generated ones.
    private static final String CLIENT = "10.255.0.2";

    /// With its usual limit on ICMP the node would answer one in many of those who ask before there
    /// are rules, and the others would wait.
    private static final Map<String, String> SYSCTLS =
            Map.of("ip_forward", "1", "icmp_ratelimit", "0");

    private final String name =
            "pm-bench-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();

    private Town() {}

    static Town build() throws IOException {
        Town town = new Town();
        try {
            ip(
                    """
                    netns add %1$s-node
                    netns add %1$s-client
                    netns add %1$s-pods
                    """
                            .formatted(town.name));
            town.wire();
            return town;
        } catch (IOException e) {
            town.close();
            throw e;
        }
    }

    private void wire() throws IOException {
        inside(
                nodeName(),
                """
                link set lo up
                link add client type veth peer name eth0 netns %1$s-client
                link add pods type veth peer name eth0 netns %1$s-pods
                addr add %2$s/32 dev client
                addr add %2$s/32 dev pods
                link set client up
                link set pods up
                route add %3$s/32 dev client
                route add %4$s via %5$s dev pods onlink
                """
                        .formatted(name, NODE, CLIENT, PODS, A_POD));
        inside(name + "-client", links(CLIENT));
        inside(name + "-pods", links(A_POD) + "route add local " + PODS + " dev lo\n");
        call(node(), Town::setSysctls);
    }

    private static boolean setSysctls() throws IOException {
        for (var sysctl : SYSCTLS.entrySet()) {
            Files.writeString(Path.of("/proc/sys/net/ipv4", sysctl.getKey()), sysctl.getValue());
        }
        return true;
    }

    private static String links(String address) {
        return """
               link set lo up
               addr add %1$s/32 dev eth0
               link set eth0 up
               route add %2$s/32 dev eth0
               route add default via %2$s dev eth0
               """
                .formatted(address, NODE);
    }

    private static void inside(String namespace, String commands) throws IOException {
        Program.run(commands, List.of("ip", "-n", namespace, "-batch", "-"));
    }

    private static void ip(String commands) throws IOException {
        Program.run(commands, List.of("ip", "-batch", "-"));
    }

    /// What is done in a namespace.
    @FunctionalInterface
    interface Task<T> {
        T run() throws IOException, InterruptedException;
    }

    /// Runs `task` on a thread of its own in `namespace`, to which its sockets belong.
    static <T> T call(NetworkNamespace namespace, Task<T> task) throws IOException {
        try {
            return namespace.call(task::run);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("in " + namespace.file(), e);
        }
    }

    String nodeName() {
        return name + "-node";
    }

    NetworkNamespace node() {
        return NetworkNamespace.named(nodeName());
    }

    NetworkNamespace client() {
        return NetworkNamespace.named(name + "-client");
    }

    NetworkNamespace pods() {
        return NetworkNamespace.named(name + "-pods");
    }

    /// Runs a program on the node and gives what it prints.
    String onNode(String... words) throws IOException {
        List<String> inside = new ArrayList<>(List.of("ip", "netns", "exec", nodeName()));
        inside.addAll(List.of(words));
        return Program.run("", inside);
    }

    @Override
    public void close() {
        for (String part : List.of("-node", "-client", "-pods")) {
            if (Files.exists(Path.of("/var/run/netns", name + part))) {
                try {
                    ip("netns delete " + name + part + "\n");
                } catch (IOException e) {
                    System.err.println("a namespace is left: " + e.getMessage());
                }
            }
        }
    }
}
