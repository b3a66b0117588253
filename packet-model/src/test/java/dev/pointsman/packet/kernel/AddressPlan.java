package dev.pointsman.packet.kernel;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.Treatment;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.Expectation;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Sync;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Who has which address while a scenario is played.
///
/// @param node the node's own, the primary ones first
/// @param nodeExtra others that processes of the node send from
/// @param pods those of pods on this node, each with a namespace of its own
/// @param elsewhere those of everybody beyond the uplink
record AddressPlan(
        Set<IpAddress> node,
        SortedSet<IpAddress> nodeExtra,
        SortedSet<IpAddress> pods,
        SortedSet<IpAddress> elsewhere,
        SortedSet<Listener> listeners,
        Attachment attachment) {
    private static final Cidr IPV4_LOOPBACK = Cidr.parse("127.0.0.0/8");
    private static final Cidr IPV6_LOOPBACK = Cidr.parse("::1/128");

    /// Where an endpoint listens.
    record Listener(Protocol protocol, IpAddress address, int port)
            implements Comparable<Listener> {
        private static final Comparator<Listener> ORDER =
                Comparator.comparing(Listener::address)
                        .thenComparingInt(Listener::port)
                        .thenComparing(Listener::protocol);

        @Override
        public int compareTo(Listener other) {
            return ORDER.compare(this, other);
        }
    }

    /// How pods are attached to the node.
    sealed interface Attachment {
        /// Each by an interface whose name begins so.
        record Own(String prefix) implements Attachment {}

        /// All to one bridge.
        record Bridge(String name) implements Attachment {}
    }

    static AddressPlan of(Scenario scenario) {
        Set<IpAddress> node = new LinkedHashSet<>();
        SortedSet<IpAddress> nodeExtra = new TreeSet<>();
        SortedSet<IpAddress> pods = new TreeSet<>();
        SortedSet<IpAddress> elsewhere = new TreeSet<>();
        SortedSet<Listener> listeners = new TreeSet<>();
        Attachment attachment = new Attachment.Own("veth");
        for (Sync sync : scenario.syncs(Arrival.AS_WRITTEN)) {
            node.addAll(sync.cluster().node().addresses());
            attachment = attachment(sync.cluster().settings(), attachment);
            for (Sync.Transition transition : sync.transitions().values()) {
                for (Treatment treatment : transition.after().frontends().values()) {
                    for (Pool pool : treatment.pools()) {
                        for (Endpoint endpoint : pool.endpoints()) {
                            listeners.add(
                                    new Listener(
                                            pool.owner().protocol(),
                                            endpoint.address(),
                                            endpoint.port()));
                            switch (endpoint.place()) {
                                case THIS_NODE -> pods.add(endpoint.address());
                                case ELSEWHERE -> elsewhere.add(endpoint.address());
                            }
                        }
                    }
                }
            }
            for (Expectation expectation : sync.expectations()) {
                if (expectation instanceof Expectation.Ends(_, Flow flow, _, _)) {
                    switch (flow.origin()) {
                        case POD -> pods.add(flow.source());
                        case HOST -> nodeExtra.add(flow.source());
                        case OUTSIDE -> elsewhere.add(flow.source());
                    }
                }
            }
        }
        pods.removeAll(node);
        nodeExtra.removeAll(node);
        nodeExtra.removeIf(AddressPlan::isLoopback);
        return new AddressPlan(node, nodeExtra, pods, elsewhere, listeners, attachment);
    }

    private static boolean isLoopback(IpAddress address) {
        return IPV4_LOOPBACK.contains(address) || IPV6_LOOPBACK.contains(address);
    }

    private static Attachment attachment(Settings settings, Attachment otherwise) {
        return switch (settings.detectLocal()) {
            case Settings.DetectLocal.BridgeInterface(var name) -> new Attachment.Bridge(name);
            case Settings.DetectLocal.InterfacePrefix(var prefix) -> new Attachment.Own(prefix);
            case Settings.DetectLocal.ClusterRanges _, Settings.DetectLocal.NodeRanges _ ->
                    otherwise;
        };
    }
}
