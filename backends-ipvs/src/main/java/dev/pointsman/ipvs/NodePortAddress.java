package dev.pointsman.ipvs;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;

/// The address, on kube-ipvs0, of the virtual servers of node ports. Packets for a node port are
/// translated to it first, so that one virtual server stands for all addresses of the node, those
/// that come later included.
///
/// IPv4 has the dummy address of RFC 7600, which nobody routes. IPv6 has none such, so it is one of
/// a unique local prefix (RFC 4193) that spells our name.
final class NodePortAddress {
    private static final IpAddress IPV4 = IpAddress.parse("192.0.0.8");
    private static final IpAddress IPV6 = IpAddress.parse("fd70:6f69:6e74:736d:616e::1");

    private NodePortAddress() {}

    static IpAddress of(Family family) {
        return switch (family) {
            case IPV4 -> IPV4;
            case IPV6 -> IPV6;
        };
    }
}
