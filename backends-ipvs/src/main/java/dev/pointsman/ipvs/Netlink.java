package dev.pointsman.ipvs;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.netlink.IpFamily;
import dev.pointsman.netlink.IpsetDefinition;
import dev.pointsman.netlink.IpsetMember;
import dev.pointsman.netlink.IpsetType;
import dev.pointsman.netlink.IpvsDestination;
import dev.pointsman.netlink.IpvsService;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/// Our values as those of the kernel, and back.
final class Netlink {
    private static final int WEIGHT = 1;

    private Netlink() {}

    static InetAddress address(IpAddress address) {
        try {
            // InetAddress turns ::ffff:0:0/96 into addresses of the other family.
            return switch (address.family()) {
                case IPV4 -> InetAddress.getByAddress(address.bytes());
                case IPV6 -> Inet6Address.getByAddress("", address.bytes(), -1);
            };
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of odd length: " + address, e);
        }
    }

    static IpFamily family(Family family) {
        return switch (family) {
            case IPV4 -> IpFamily.IPV4;
            case IPV6 -> IpFamily.IPV6;
        };
    }

    static IpvsService.Key key(ServerKey key) {
        return new IpvsService.Key.Endpoint(
                key.protocol().number(), address(key.address()), key.port());
    }

    /// Nothing of a virtual server for marks, or for a protocol that no Service has: those are
    /// never ours.
    static Optional<ServerKey> key(IpvsService.Key key) {
        return key instanceof IpvsService.Key.Endpoint(int protocol, var address, int port)
                ? Protocol.of(protocol)
                        .map(known -> new ServerKey(IpAddress.of(address), known, port))
                : Optional.empty();
    }

    static IpvsService service(VirtualServer server) {
        return service(server.key(), server.balancing());
    }

    static IpvsService service(ServerKey key, VirtualServer.Balancing balancing) {
        int flags = 0;
        for (VirtualServer.Balancing.Flag flag : balancing.flags()) {
            flags |=
                    switch (flag) {
                        case FALLBACK -> IpvsService.SCHEDULER_1;
                        case PORT -> IpvsService.SCHEDULER_2;
                    };
        }
        return balancing.persistence() == 0
                ? IpvsService.of(key(key), balancing.scheduler(), flags)
                : IpvsService.persistent(
                        key(key), balancing.scheduler(), flags, balancing.persistence());
    }

    /// A real server that gets new connections.
    static IpvsDestination destination(RealServer real) {
        return IpvsDestination.translated(address(real.address()), real.port(), WEIGHT);
    }

    static RealServer real(IpvsDestination.Key key) {
        return new RealServer(IpAddress.of(key.address()), key.port());
    }

    static IpsetDefinition definition(ServiceSet set, String name, Family family) {
        return new IpsetDefinition.Hash(
                name,
                type(set.kind()),
                family(family),
                IpsetDefinition.Hash.DEFAULT_HASH_SIZE,
                ServiceSet.CAPACITY);
    }

    private static IpsetType type(ServiceSet.Kind kind) {
        return switch (kind) {
            case ADDRESS -> IpsetType.HASH_IP;
            case ADDRESS_PORT -> IpsetType.HASH_IP_PORT;
            case ADDRESS_PORT_NET -> IpsetType.HASH_IP_PORT_NET;
            case NET_PORT -> IpsetType.HASH_NET_PORT;
            case NET_NET -> IpsetType.HASH_NET_NET;
        };
    }

    static IpsetMember member(Member member) {
        return switch (member) {
            case Member.Address(var address) -> new IpsetMember.Address(address(address));
            case Member.AddressPort(var address, var protocol, int port) ->
                    socket(address, protocol, port);
            case Member.AddressPortNet(var address, var protocol, int port, var net) ->
                    new IpsetMember.AddressPortNetwork(
                            socket(address, protocol, port), address(net.base()), net.length());
            case Member.NetPort(var net, var protocol, int port) ->
                    new IpsetMember.NetworkPort(
                            address(net.base()), net.length(), protocol.number(), port);
            case Member.NetNet(var one, var other) ->
                    new IpsetMember.NetworkPair(
                            address(one.base()),
                            one.length(),
                            address(other.base()),
                            other.length());
        };
    }

    private static IpsetMember.AddressPort socket(IpAddress address, Protocol protocol, int port) {
        return new IpsetMember.AddressPort(address(address), protocol.number(), port);
    }

    /// Nothing for a member that no set of ours can want.
    static Optional<Member> member(IpsetMember member) {
        return switch (member) {
            case IpsetMember.Address(var address) ->
                    Optional.of(new Member.Address(IpAddress.of(address)));
            case IpsetMember.AddressPort(var address, int protocol, int port) ->
                    Protocol.of(protocol)
                            .map(
                                    known ->
                                            new Member.AddressPort(
                                                    IpAddress.of(address), known, port));
            case IpsetMember.AddressPortNetwork(var first, var network, int length) ->
                    Protocol.of(first.protocol())
                            .map(
                                    known ->
                                            new Member.AddressPortNet(
                                                    IpAddress.of(first.address()),
                                                    known,
                                                    first.port(),
                                                    new Cidr(IpAddress.of(network), length)));
            case IpsetMember.NetworkPort(var network, int length, int protocol, int port) ->
                    Protocol.of(protocol)
                            .map(
                                    known ->
                                            new Member.NetPort(
                                                    new Cidr(IpAddress.of(network), length),
                                                    known,
                                                    port));
            case IpsetMember.NetworkPair(var one, int length, var other, int otherLength) ->
                    Optional.of(
                            new Member.NetNet(
                                    new Cidr(IpAddress.of(one), length),
                                    new Cidr(IpAddress.of(other), otherLength)));
            case IpsetMember.AddressPortAddress _, IpsetMember.Port _ -> Optional.empty();
        };
    }
}
