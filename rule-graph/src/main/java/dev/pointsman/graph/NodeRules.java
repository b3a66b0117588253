package dev.pointsman.graph;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// What holds for the whole node, in one family.
public sealed interface NodeRules {
    /// Nothing is programmed, not even the fixed part: the graph before the first sync and after
    /// clean-up.
    record None() implements NodeRules {}

    /// The rules of a programmed node.
    ///
    /// @param masqueradeMark the one bit of the packet mark that asks for masquerading
    /// @param loopback what was asked for; a backend that cannot do it leaves loopback silent
    /// @param serviceRanges where cluster IPs come from; unallocated ones are dropped under the
    ///   guard
    /// @param ownPods addresses that only pods of this node have; empty when that is not known
    /// @param addresses of the node itself, as far as its Node object names them
    /// @param ipvs for mode `ipvs` alone
    record Programmed(
            int masqueradeMark,
            LocalDetector detector,
            NodePortAddresses nodePorts,
            NodePortAddresses.Loopback loopback,
            Settings.ClusterIpGuard clusterIpGuard,
            SortedSet<Cidr> serviceRanges,
            SortedSet<Cidr> ownPods,
            SortedSet<IpAddress> addresses,
            IpvsSettings ipvs)
            implements NodeRules {
        public Programmed {
            serviceRanges = Collections.unmodifiableSortedSet(Cidr.union(serviceRanges));
            ownPods = Collections.unmodifiableSortedSet(Cidr.union(ownPods));
            addresses = Collections.unmodifiableSortedSet(new TreeSet<>(addresses));
        }

        /// The detector's range, if pods of other nodes may be in it too.
        public Optional<Cidr> sharedPods() {
            return detector instanceof LocalDetector.Range(var range)
                            && ownPods.stream().noneMatch(own -> own.contains(range))
                    ? Optional.of(range)
                    : Optional.empty();
        }
    }

    /// What `settings` mean on `node`.
    static Programmed resolve(Family family, NodeView node, Settings settings) {
        return new Programmed(
                1 << settings.masqueradeBit(),
                detector(family, node, settings),
                nodePorts(family, node, settings),
                loopback(family, settings),
                settings.clusterIpGuard(),
                ofFamily(family, settings.serviceRanges()),
                ofFamily(family, node.podRanges()),
                addresses(family, node),
                settings.ipvs());
    }

    private static SortedSet<IpAddress> addresses(Family family, NodeView node) {
        SortedSet<IpAddress> addresses = new TreeSet<>();
        for (IpAddress address : node.addresses()) {
            if (address.family() == family) {
                addresses.add(address);
            }
        }
        return addresses;
    }

    private static LocalDetector detector(Family family, NodeView node, Settings settings) {
        return switch (settings.detectLocal()) {
            case Settings.DetectLocal.ClusterRanges(var ranges) -> firstRange(family, ranges);
            case Settings.DetectLocal.NodeRanges _ -> firstRange(family, node.podRanges());
            case Settings.DetectLocal.BridgeInterface(var name) ->
                    new LocalDetector.Interface(name);
            case Settings.DetectLocal.InterfacePrefix(var prefix) ->
                    new LocalDetector.InterfacePrefix(prefix);
        };
    }

    private static LocalDetector firstRange(Family family, List<Cidr> ranges) {
        for (Cidr range : ranges) {
            if (range.family() == family) {
                return new LocalDetector.Range(range);
            }
        }
        return new LocalDetector.None();
    }

    /// Whether node ports shall answer on loopback addresses.
    static NodePortAddresses.Loopback loopback(Family family, Settings settings) {
        return family == Family.IPV4
                        && settings.nodePortAddresses()
                                .contains(new Settings.NodePortRange.Localhost())
                ? NodePortAddresses.Loopback.ANSWERS
                : NodePortAddresses.Loopback.SILENT;
    }

    private static NodePortAddresses nodePorts(Family family, NodeView node, Settings settings) {
        SortedSet<Cidr> ranges = new TreeSet<>();
        boolean forThisFamily = false;
        for (Settings.NodePortRange word : settings.nodePortAddresses()) {
            switch (word) {
                case Settings.NodePortRange.All _ -> {
                    return new NodePortAddresses.All();
                }
                case Settings.NodePortRange.Primary _ -> {
                    forThisFamily = true;
                    node.primary(family).ifPresent(address -> ranges.add(Cidr.of(address)));
                }
                case Settings.NodePortRange.Localhost _ -> forThisFamily = true;
                case Settings.NodePortRange.Range(Cidr range) -> {
                    if (range.family() == family && range.length() == 0) {
                        return new NodePortAddresses.All();
                    }
                    if (range.family() == family) {
                        forThisFamily = true;
                        ranges.add(range);
                    }
                }
            }
        }
        // A list without a word for this family leaves the family unrestricted (behaviour document
        // 2.8).
        return forThisFamily ? new NodePortAddresses.Within(ranges) : new NodePortAddresses.All();
    }

    private static SortedSet<Cidr> ofFamily(Family family, List<Cidr> ranges) {
        SortedSet<Cidr> chosen = new TreeSet<>();
        for (Cidr range : ranges) {
            if (range.family() == family) {
                chosen.add(range);
            }
        }
        return chosen;
    }
}
