package dev.pointsman.packet.kernel;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.netlink.NetworkNamespace;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// A node and its surroundings, made of network namespaces: the node itself, one for each local
/// pod, and one for all that is beyond the uplink.
///
/// All links are point to point with fixed neighbours, so that nothing waits for ARP or duplicate
/// address detection. What is beyond the uplink talks to itself directly, past this node: an answer
/// that ought to come back through the node and does not is lost, as in a cluster.
///
/// A table of the node, `scenario-witness`, notes packets that leave or reach it with the
/// destination they were sent to, behind all rules of others: it tells a flow that the node refuses
/// or drops from one that it lets go its way.
final class KernelWorld implements AutoCloseable {
    /// What nft says when somebody writes rules while it reads.
    private static final String INTERRUPTED = "Interrupted system call";

    private static final int LOOKS = 50;

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final String NODE_MAC = "02:00:00:00:00:01";
    private static final String UPLINK_MAC = "02:00:00:00:00:02";
    private static final String BRIDGE_MAC = "02:00:00:00:00:03";
    private static final String BEYOND = "169.254.1.1";
    private static final String GATEWAY = "169.254.1.2";
    private static final String BEYOND_IPV6 = "fe80::1";
    private static final String GATEWAY_IPV6 = "fe80::2";
    private static final Map<String, String> SYSCTLS =
            Map.of(
                    "ipv4/ip_forward", "1",
                    "ipv4/conf/all/rp_filter", "0",
                    "ipv4/conf/default/rp_filter", "0",
                    "ipv4/icmp_ratelimit", "0",
                    "ipv6/icmp/ratelimit", "0",
                    "ipv6/conf/all/forwarding", "1",
                    "ipv6/conf/default/accept_dad", "0",
                    "ipv6/conf/default/accept_ra", "0");
    private static final String WITNESS =
            """
            table inet scenario-witness {
                set passed4 {
                    type ipv4_addr . inet_proto . inet_service . inet_service
                    flags dynamic
                    size 65535
                }
                set passed6 {
                    type ipv6_addr . inet_proto . inet_service . inet_service
                    flags dynamic
                    size 65535
                }
                chain note {
                    meta l4proto { tcp, udp } meta nfproto ipv4 update @passed4 { ip daddr . meta l4proto . th sport . th dport }
                    meta l4proto { tcp, udp } meta nfproto ipv6 update @passed6 { ip6 daddr . meta l4proto . th sport . th dport }
                }
                chain input {
                    type filter hook input priority 300
                    jump note
                }
                chain postrouting {
                    type filter hook postrouting priority 300
                    oifname != "lo" jump note
                }
            }
            """;

    private final String name =
            "pm-" + ProcessHandle.current().pid() + "-" + COUNT.getAndIncrement();
    private final AddressPlan plan;
    private final Map<IpAddress, String> pods = new HashMap<>();
    private final Listeners listeners;
    private final Client client;

    private KernelWorld(AddressPlan plan) throws IOException {
        this.plan = plan;
        listeners = new Listeners();
        client = new Client();
        int number = 0;
        for (IpAddress pod : plan.pods()) {
            pods.put(pod, name + "-pod" + number++);
        }
    }

    static KernelWorld build(AddressPlan plan) throws Exception {
        KernelWorld world = new KernelWorld(plan);
        try {
            world.build();
        } catch (Exception e) {
            world.close();
            throw e;
        }
        return world;
    }

    /// The namespace whose rules are on trial.
    NetworkNamespace node() {
        return NetworkNamespace.named(nodeName());
    }

    private String nodeName() {
        return name + "-node";
    }

    private String elsewhereName() {
        return name + "-else";
    }

    private void build() throws Exception {
        StringBuilder all = new StringBuilder();
        all.append("netns add ").append(nodeName()).append('\n');
        all.append("netns add ").append(elsewhereName()).append('\n');
        pods.values().forEach(pod -> all.append("netns add ").append(pod).append('\n'));
        Command.run(all.toString(), "ip", "-batch", "-").succeeded();
        node().call(
                        () -> {
                            setSysctls();
                            Command.run(nodeLinks(), "ip", "-batch", "-").succeeded();
                            return Command.run(WITNESS, "nft", "-f", "-").succeeded();
                        });
        configure(elsewhereName(), elsewhereLinks());
        for (IpAddress pod : plan.pods()) {
            configure(namespaceOf(pod), podLinks(pod));
        }
        for (AddressPlan.Listener listener : plan.listeners()) {
            listeners.open(NetworkNamespace.named(namespaceOf(listener.address())), listener);
        }
        listeners.start();
    }

    private String namespaceOf(IpAddress address) {
        if (plan.node().contains(address)) {
            return nodeName();
        }
        return pods.getOrDefault(address, elsewhereName());
    }

    private static void configure(String namespace, String links) throws Exception {
        NetworkNamespace.named(namespace)
                .call(
                        () -> {
                            Files.writeString(
                                    Path.of("/proc/sys/net/ipv6/conf/default/accept_dad"), "0");
                            return Command.run(links, "ip", "-batch", "-").succeeded();
                        });
    }

    private static void setSysctls() throws IOException {
        for (var sysctl : SYSCTLS.entrySet()) {
            Files.writeString(Path.of("/proc/sys/net").resolve(sysctl.getKey()), sysctl.getValue());
        }
    }

    private String nodeLinks() {
        StringBuilder text = new StringBuilder("link set lo up\n");
        text.append(
                "link add uplink address %s type veth peer name uplink address %s netns %s\n"
                        .formatted(NODE_MAC, UPLINK_MAC, elsewhereName()));
        text.append("link set uplink up\n");
        for (IpAddress address : plan.node()) {
            text.append("addr add %s dev uplink%s\n".formatted(host(address), nodad(address)));
        }
        for (IpAddress address : plan.nodeExtra()) {
            text.append("addr add %s dev uplink%s\n".formatted(host(address), nodad(address)));
        }
        text.append(
                "neigh add %s lladdr %s dev uplink nud permanent\n".formatted(BEYOND, UPLINK_MAC));
        text.append(
                "neigh add %s lladdr %s dev uplink nud permanent\n"
                        .formatted(BEYOND_IPV6, UPLINK_MAC));
        text.append("route add 0.0.0.0/0 via %s dev uplink onlink\n".formatted(BEYOND));
        text.append("route add ::/0 via %s dev uplink onlink\n".formatted(BEYOND_IPV6));
        if (plan.attachment() instanceof AddressPlan.Attachment.Bridge(var bridge)) {
            text.append("link add %s address %s type bridge\n".formatted(bridge, BRIDGE_MAC));
            text.append("link set %s up\n".formatted(bridge));
        }
        int number = 0;
        for (IpAddress pod : plan.pods()) {
            podLink(text, pod, number++);
        }
        return text.toString();
    }

    private void podLink(StringBuilder text, IpAddress pod, int number) {
        String prefix =
                switch (plan.attachment()) {
                    case AddressPlan.Attachment.Own(var letters) -> letters;
                    case AddressPlan.Attachment.Bridge _ -> "veth";
                };
        String link = prefix + number;
        text.append(
                "link add %s address %s type veth peer name eth0 address %s netns %s\n"
                        .formatted(link, podGatewayMac(number), podMac(number), namespaceOf(pod)));
        text.append("link set %s up\n".formatted(link));
        String device =
                switch (plan.attachment()) {
                    case AddressPlan.Attachment.Own _ -> link;
                    case AddressPlan.Attachment.Bridge(var bridge) -> {
                        text.append("link set %s master %s\n".formatted(link, bridge));
                        // As the bridge plugin of CNI does: where br_netfilter is at work, a pod
                        // that reaches itself never leaves the bridge.
                        text.append("link set %s type bridge_slave hairpin on\n".formatted(link));
                        yield bridge;
                    }
                };
        text.append("route add %s dev %s\n".formatted(host(pod), device));
        text.append(
                "neigh add %s lladdr %s dev %s nud permanent\n"
                        .formatted(pod, podMac(number), device));
    }

    private String podLinks(IpAddress pod) {
        int number = plan.pods().headSet(pod).size();
        String gatewayMac =
                switch (plan.attachment()) {
                    case AddressPlan.Attachment.Own _ -> podGatewayMac(number);
                    case AddressPlan.Attachment.Bridge _ -> BRIDGE_MAC;
                };
        StringBuilder text = new StringBuilder("link set lo up\n");
        text.append("link set eth0 up\n");
        text.append("addr add %s dev eth0%s\n".formatted(host(pod), nodad(pod)));
        defaultRoutes(text, "eth0", gatewayMac);
        return text.toString();
    }

    private String elsewhereLinks() {
        StringBuilder text = new StringBuilder("link set lo up\n");
        text.append("link set uplink up\n");
        for (IpAddress address : plan.elsewhere()) {
            text.append("addr add %s dev lo%s\n".formatted(host(address), nodad(address)));
        }
        defaultRoutes(text, "uplink", NODE_MAC);
        return text.toString();
    }

    private static void defaultRoutes(StringBuilder text, String device, String gatewayMac) {
        text.append(
                "neigh add %s lladdr %s dev %s nud permanent\n"
                        .formatted(GATEWAY, gatewayMac, device));
        text.append(
                "neigh add %s lladdr %s dev %s nud permanent\n"
                        .formatted(GATEWAY_IPV6, gatewayMac, device));
        text.append("route add 0.0.0.0/0 via %s dev %s onlink\n".formatted(GATEWAY, device));
        text.append("route add ::/0 via %s dev %s onlink\n".formatted(GATEWAY_IPV6, device));
    }

    private static String host(IpAddress address) {
        return address + "/" + address.family().bits();
    }

    private static String nodad(IpAddress address) {
        return address.family() == Family.IPV6 ? " nodad" : "";
    }

    private static String podMac(int number) {
        return "02:00:00:01:00:%02x".formatted(number);
    }

    private static String podGatewayMac(int number) {
        return "02:00:00:02:00:%02x".formatted(number);
    }

    /// Sends `flow` once, from a port not used before.
    ///
    /// @param patience how long silence lasts before it counts as such
    Outcome play(Flow flow, Duration patience) throws Exception {
        NetworkNamespace from =
                NetworkNamespace.named(
                        switch (flow.origin()) {
                            case HOST -> nodeName();
                            case POD, OUTSIDE -> namespaceOf(flow.source());
                        });
        int port = client.freshPort();
        return switch (client.send(from, flow, port, patience)) {
            case Client.Reaction.Answered(var answer) -> delivered(flow, answer);
            case Client.Reaction.Refused _ ->
                    passed(flow, port) ? new Outcome.Untouched() : new Outcome.Rejected();
            case Client.Reaction.Silence _ ->
                    passed(flow, port) ? new Outcome.Untouched() : new Outcome.Dropped();
        };
    }

    private Outcome delivered(Flow flow, Listeners.Answer answer) {
        IpAddress saw = IpAddress.of(answer.saw());
        Outcome.Source source;
        if (plan.node().contains(saw)) {
            source = Outcome.Source.NODE;
        } else if (saw.equals(flow.source())) {
            source = Outcome.Source.KEPT;
        } else {
            throw new AssertionError(
                    answer.endpoint()
                            + " saw "
                            + flow
                            + " come from "
                            + saw
                            + ", which is neither the sender nor the node");
        }
        return new Outcome.Delivered(
                IpAddress.of(answer.endpoint().getAddress()), answer.endpoint().getPort(), source);
    }

    private boolean passed(Flow flow, int sourcePort) throws Exception {
        String set = flow.family() == Family.IPV4 ? "passed4" : "passed6";
        String element =
                "{ %s . %s . %d . %d }"
                        .formatted(
                                flow.destination(),
                                flow.protocol().keyword(),
                                sourcePort,
                                flow.port());
        Command look = look(set, element);
        for (int i = 0; look.output().contains(INTERRUPTED) && i < LOOKS; i++) {
            look = look(set, element);
        }
        if (look.status() != 0 && !look.output().contains("No such file or directory")) {
            look.succeeded();
        }
        return look.status() == 0;
    }

    private Command look(String set, String element) throws Exception {
        return node().call(
                        () ->
                                Command.run(
                                        "",
                                        "nft",
                                        "get",
                                        "element",
                                        "inet",
                                        "scenario-witness",
                                        set,
                                        element));
    }

    /// Deletes all namespaces. Interfaces go with them, and so does everything that was programmed.
    @Override
    public void close() throws IOException {
        listeners.close();
        StringBuilder all = new StringBuilder();
        for (String namespace : pods.values()) {
            all.append("netns delete ").append(namespace).append('\n');
        }
        all.append("netns delete ").append(elsewhereName()).append('\n');
        all.append("netns delete ").append(nodeName()).append('\n');
        Command.run(all.toString(), "ip", "-force", "-batch", "-");
    }
}
