package dev.pointsman.graph;

import java.util.List;

/// What configuration and cluster-wide objects decide, of either family.
///
/// @param masqueradeBit 0..31, the bit of the packet mark that asks for masquerading
/// @param serviceRanges from ServiceCIDR objects
/// @param ipvs for mode `ipvs` alone
public record Settings(
        DetectLocal detectLocal,
        int masqueradeBit,
        MasqueradeScope masquerade,
        List<NodePortRange> nodePortAddresses,
        ClusterIpGuard clusterIpGuard,
        ExternalIps externalIps,
        List<Cidr> serviceRanges,
        IpvsSettings ipvs) {

    /// How traffic of local pods is told from other traffic (behaviour document 2.7).
    public sealed interface DetectLocal {
        /// By source address; the first range of a family counts. No range of a family: no detector
        /// for it.
        record ClusterRanges(List<Cidr> ranges) implements DetectLocal {
            public ClusterRanges {
                ranges = List.copyOf(ranges);
            }
        }

        /// By source address within the Node's own pod ranges.
        record NodeRanges() implements DetectLocal {}

        /// By the interface that a packet came in through.
        record BridgeInterface(String name) implements DetectLocal {
            /// @throws IllegalArgumentException when Linux or nft allows no such name
            public BridgeInterface {
                InterfaceName.check(name, InterfaceName.LONGEST);
            }
        }

        /// By the first letters of that interface's name.
        record InterfacePrefix(String prefix) implements DetectLocal {
            /// @throws IllegalArgumentException when no name that Linux and nft allow begins so
            public InterfacePrefix {
                // nft counts the asterisk that ends a prefix.
                InterfaceName.check(prefix, InterfaceName.LONGEST - 1);
            }
        }
    }

    /// Which traffic for cluster IPs is masqueraded.
    public enum MasqueradeScope {
        /// What does not come from local pods, if those can be detected.
        NOT_FROM_PODS,
        ALL
    }

    /// One word or range of `nodePortAddresses`.
    public sealed interface NodePortRange {
        /// The primary address of the node in each family.
        record Primary() implements NodePortRange {}

        /// 127.0.0.0/8, in a mode that can serve it; it adds to the other words and replaces none.
        record Localhost() implements NodePortRange {}

        record All() implements NodePortRange {}

        record Range(Cidr range) implements NodePortRange {}
    }

    /// Whether packets for ports of a cluster IP that no Service has, and for unallocated cluster
    /// IPs, are stopped on the node.
    public enum ClusterIpGuard {
        ON,
        OFF
    }

    /// Feature gate AllowServiceExternalIPs.
    public enum ExternalIps {
        ALLOWED,
        IGNORED
    }

    public Settings {
        if (masqueradeBit < 0 || masqueradeBit > 31) {
            throw new IllegalArgumentException(
                    "masqueradeBit " + masqueradeBit + " is not within 0..31");
        }
        nodePortAddresses = List.copyOf(nodePortAddresses);
        serviceRanges = List.copyOf(serviceRanges);
    }

    /// The defaults of kube-proxy's nftables mode.
    public static Settings nftablesDefaults() {
        return new Settings(
                new DetectLocal.ClusterRanges(List.of()),
                14,
                MasqueradeScope.NOT_FROM_PODS,
                List.of(new NodePortRange.Primary()),
                ClusterIpGuard.ON,
                ExternalIps.ALLOWED,
                List.of(),
                IpvsSettings.DEFAULTS);
    }

    /// The defaults of kube-proxy's iptables mode.
    public static Settings iptablesDefaults() {
        return new Settings(
                new DetectLocal.ClusterRanges(List.of()),
                14,
                MasqueradeScope.NOT_FROM_PODS,
                List.of(new NodePortRange.All(), new NodePortRange.Localhost()),
                ClusterIpGuard.OFF,
                ExternalIps.ALLOWED,
                List.of(),
                IpvsSettings.DEFAULTS);
    }

    /// The defaults of kube-proxy's IPVS mode, with the cluster IP guard that its dummy interface
    /// amounts to.
    public static Settings ipvsDefaults() {
        return new Settings(
                new DetectLocal.ClusterRanges(List.of()),
                14,
                MasqueradeScope.NOT_FROM_PODS,
                List.of(new NodePortRange.All()),
                ClusterIpGuard.ON,
                ExternalIps.ALLOWED,
                List.of(),
                IpvsSettings.DEFAULTS);
    }

    /// The same with other pod detection.
    public Settings withDetectLocal(DetectLocal detector) {
        return new Settings(
                detector,
                masqueradeBit,
                masquerade,
                nodePortAddresses,
                clusterIpGuard,
                externalIps,
                serviceRanges,
                ipvs);
    }

    /// The same with other service ranges, which the cluster can change at any time.
    public Settings withServiceRanges(List<Cidr> ranges) {
        return new Settings(
                detectLocal,
                masqueradeBit,
                masquerade,
                nodePortAddresses,
                clusterIpGuard,
                externalIps,
                ranges,
                ipvs);
    }
}
