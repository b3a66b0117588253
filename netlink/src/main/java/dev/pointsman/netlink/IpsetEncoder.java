package dev.pointsman.netlink;

import java.net.InetAddress;

/// Writes ip_set messages.
final class IpsetEncoder {
    private final MessageWriter out;

    IpsetEncoder(MessageWriter out) {
        this.out = out;
    }

    /// Opens a request.
    int begin(int type, int flags, int sequence) {
        int start = out.beginMessage(type, NftBatch.REQUEST | flags, sequence);
        out.nfHeader(0, 0);
        out.u8(IpSets.PROTOCOL, IpSets.VERSION);
        return start;
    }

    /// Opens a request that is about one set.
    int begin(int type, int flags, int sequence, String set) {
        int start = begin(type, flags, sequence);
        out.string(IpSets.NAME, set);
        return start;
    }

    /// `struct ip_set` as the request to create it describes it.
    void definition(IpsetDefinition definition, int revision) {
        out.string(IpSets.TYPE_NAME, definition.type().kernelName());
        out.u8(IpSets.REVISION, revision);
        out.u8(IpSets.SET_FAMILY, family(definition));
        int data = out.begin(IpSets.DATA);
        switch (definition) {
            case IpsetDefinition.Hash hash -> {
                out.u32(IpSets.HASH_SIZE | IpSets.NETWORK_ORDER, hash.hashSize());
                out.u32(IpSets.MAX_ELEMENTS | IpSets.NETWORK_ORDER, hash.maxElements());
            }
            case IpsetDefinition.Ports(_, var first, var last) -> {
                out.u16(IpSets.PORT | IpSets.NETWORK_ORDER, first);
                out.u16(IpSets.LAST_PORT | IpSets.NETWORK_ORDER, last);
            }
        }
        out.end(data);
    }

    /// `NFPROTO_UNSPEC` for a set that holds no addresses.
    static int family(IpsetDefinition definition) {
        return switch (definition) {
            case IpsetDefinition.Hash hash -> hash.family().number();
            case IpsetDefinition.Ports _ -> 0;
        };
    }

    /// @param line what the kernel names the member by when it refuses it; 0 when it needs no name
    void member(IpsetMember member, int line) {
        int data = out.begin(IpSets.DATA);
        switch (member) {
            case IpsetMember.Address(var address) -> address(IpSets.ADDRESS, address);
            case IpsetMember.AddressPort socket -> socket(socket);
            case IpsetMember.AddressPortAddress(var first, var second) -> {
                socket(first);
                address(IpSets.SECOND_ADDRESS, second);
            }
            case IpsetMember.AddressPortNetwork(var first, var network, var prefixLength) -> {
                socket(first);
                address(IpSets.SECOND_ADDRESS, network);
                out.u8(IpSets.SECOND_PREFIX, prefixLength);
            }
            case IpsetMember.NetworkPort(var network, var prefixLength, var protocol, var port) -> {
                address(IpSets.ADDRESS, network);
                out.u8(IpSets.PREFIX, prefixLength);
                out.u16(IpSets.PORT | IpSets.NETWORK_ORDER, port);
                out.u8(IpSets.IP_PROTOCOL, protocol);
            }
            case IpsetMember.NetworkPair(var one, var length, var other, var otherLength) -> {
                address(IpSets.ADDRESS, one);
                out.u8(IpSets.PREFIX, length);
                address(IpSets.SECOND_ADDRESS, other);
                out.u8(IpSets.SECOND_PREFIX, otherLength);
            }
            case IpsetMember.Port(var port) -> out.u16(IpSets.PORT | IpSets.NETWORK_ORDER, port);
        }
        if (line > 0) {
            out.nativeU32(IpSets.LINE, line);
        }
        out.end(data);
    }

    private void socket(IpsetMember.AddressPort socket) {
        address(IpSets.ADDRESS, socket.address());
        out.u16(IpSets.PORT | IpSets.NETWORK_ORDER, socket.port());
        out.u8(IpSets.IP_PROTOCOL, socket.protocol());
    }

    private void address(int type, InetAddress address) {
        int nest = out.begin(type);
        int family =
                switch (IpFamily.of(address)) {
                    case IPV4 -> IpSets.IPV4;
                    case IPV6 -> IpSets.IPV6;
                };
        out.bytes(family | IpSets.NETWORK_ORDER, address.getAddress());
        out.end(nest);
    }
}
