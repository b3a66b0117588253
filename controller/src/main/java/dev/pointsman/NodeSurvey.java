package dev.pointsman;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.packet.netfilter.IpvsTable;
import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.read.AddressReader.Device;
import dev.pointsman.packet.read.Sysctls;
import dev.pointsman.packet.verify.AssumedNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a node itself told of its addresses, routes and settings. What it did not tell is assumed.
///
/// @param devices none when it was not asked
/// @param routes those of the families that were asked for
/// @param sysctls none when it was not asked
record NodeSurvey(List<Device> devices, Map<Family, List<Node.Route>> routes, Sysctls sysctls) {
    NodeSurvey {
        devices = List.copyOf(devices);
        routes = Map.copyOf(routes);
    }

    /// The same cluster with all addresses of the node, the known ones first.
    Situation of(Situation situation) {
        NodeView view = situation.node();
        Set<IpAddress> addresses = new LinkedHashSet<>(view.addresses());
        for (Device device : devices) {
            // Its addresses answer on no node port.
            if (!device.name().equals(IpvsTable.DEVICE)) {
                device.addresses().stream()
                        .map(Node.Address::address)
                        .filter(address -> !Node.isLoopback(address))
                        .forEach(addresses::add);
            }
        }
        return situation.with(
                new NodeView(view.name(), view.zone(), List.copyOf(addresses), view.podRanges()));
    }

    /// `assumed` with what is known of it.
    AssumedNode on(AssumedNode assumed, Family family) {
        AssumedNode node = assumed;
        List<Node.Route> known = routes.getOrDefault(family, List.of());
        if (!known.isEmpty()) {
            List<Node.Interface> interfaces = new ArrayList<>();
            for (Device device : devices) {
                interfaces.add(device.behind(side(device, known)));
            }
            node = node.with(interfaces, known);
        }
        return sysctls.values().isEmpty()
                ? node
                : node.with(sysctls.forwarding(family), sysctls.localnet(node.uplink()));
    }

    /// Whether the node told which addresses it has, on whichever interface.
    boolean knowsAddresses() {
        return !devices.isEmpty();
    }

    /// `rules` with what is known of the kernel's settings.
    Ruleset on(Ruleset rules) {
        return sysctls.values().isEmpty() ? rules : rules.with(rules.ipvs().with(sysctls.ipvs()));
    }

    /// Pods are next hops themselves: whoever is behind a gateway is somebody else.
    private static Node.Side side(Device device, List<Node.Route> routes) {
        if (device.name().equals(IpvsTable.DEVICE)) {
            return Node.Side.NOBODY;
        }
        return routes.stream()
                        .anyMatch(
                                route ->
                                        route.hop() instanceof Node.NextHop.Via(_, String name)
                                                && name.equals(device.name()))
                ? Node.Side.UPLINK
                : Node.Side.PODS;
    }
}
