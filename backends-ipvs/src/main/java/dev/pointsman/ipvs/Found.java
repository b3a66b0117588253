package dev.pointsman.ipvs;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.netlink.IpsetDefinition;
import dev.pointsman.netlink.IpsetHeader;
import dev.pointsman.netlink.IpvsDestination;
import dev.pointsman.netlink.IpvsListedDestination;
import dev.pointsman.netlink.IpvsService;
import dev.pointsman.netlink.LinkAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the kernel holds of one family, as far as it is ours to decide about.
///
/// @param sets those of ours that are there
/// @param leftovers sets that kube-proxy has and we have not
/// @param addresses on kube-ipvs0
/// @param elsewhere on other interfaces
record Found(
        Map<ServiceSet, FoundSet> sets,
        List<String> leftovers,
        SortedMap<ServerKey, FoundServer> servers,
        boolean device,
        SortedSet<IpAddress> addresses,
        Set<IpAddress> elsewhere) {

    /// A set under one of our names.
    sealed interface FoundSet {
        /// One like ours.
        ///
        /// @param foreign how many members it has that no set of ours can have
        record Ours(Set<Member> members, int foreign) implements FoundSet {}

        /// Of another type or size.
        record Different() implements FoundSet {}
    }

    /// A virtual server.
    ///
    /// @param service as listed, which compares with what we would write
    record FoundServer(IpvsService service, SortedMap<RealServer, FoundReal> reals) {
        /// Whether no real server has a connection.
        boolean isIdle() {
            return reals.values().stream().allMatch(FoundReal::isIdle);
        }
    }

    /// A real server.
    ///
    /// @param connections that are open or were until lately
    record FoundReal(IpvsDestination destination, long connections) {
        static FoundReal of(IpvsListedDestination listed) {
            return new FoundReal(
                    listed.destination(),
                    Integer.toUnsignedLong(listed.active())
                            + Integer.toUnsignedLong(listed.inactive()));
        }

        boolean drains() {
            return destination.weight() == 0;
        }

        boolean isIdle() {
            return connections == 0;
        }

        /// Whether it drains and has something to wait for.
        boolean waits() {
            return drains() && !isIdle();
        }
    }

    /// Reads the kernel: each kind of object in one dump, real servers in one for each virtual
    /// server.
    ///
    /// @param wanted virtual servers that are ours wherever they lie
    /// @param excluded ranges in which all others are somebody else's
    static Found read(
            Sockets sockets, Family family, Set<ServerKey> wanted, Collection<Cidr> excluded) {
        OptionalInt device = sockets.device();
        SortedSet<IpAddress> addresses = new TreeSet<>();
        device.ifPresent(index -> addresses.addAll(of(family, sockets.links().addresses(index))));
        Map<ServiceSet, FoundSet> sets = sets(sockets, family);
        return new Found(
                sets,
                leftovers(sockets, family),
                servers(sockets, family, wanted, excluded),
                device.isPresent(),
                addresses,
                elsewhere(sockets, family));
    }

    /// The addresses of this node that are not on kube-ipvs0.
    static Set<IpAddress> elsewhere(Sockets sockets, Family family) {
        return new HashSet<>(
                of(family, sockets.links().addressesExceptOf(sockets.device().orElse(0))));
    }

    private static List<IpAddress> of(Family family, List<LinkAddress> listed) {
        return listed.stream()
                .map(address -> IpAddress.of(address.address()))
                .filter(address -> address.family() == family)
                .toList();
    }

    private static Map<ServiceSet, FoundSet> sets(Sockets sockets, Family family) {
        Map<ServiceSet, FoundSet> found = new EnumMap<>(ServiceSet.class);
        for (ServiceSet set : ServiceSet.values()) {
            sockets.sets()
                    .set(set.name(family))
                    .ifPresent(
                            listed ->
                                    found.put(
                                            set,
                                            isLikeOurs(listed.header(), set, family)
                                                    ? ours(listed.members())
                                                    : new FoundSet.Different()));
        }
        return found;
    }

    /// A table that grew is still ours.
    private static boolean isLikeOurs(IpsetHeader header, ServiceSet set, Family family) {
        return header instanceof IpsetHeader.Known known
                && known.definition() instanceof IpsetDefinition.Hash hash
                && new IpsetDefinition.Hash(
                                hash.name(),
                                hash.type(),
                                hash.family(),
                                IpsetDefinition.Hash.DEFAULT_HASH_SIZE,
                                hash.maxElements())
                        .equals(Netlink.definition(set, set.name(family), family));
    }

    private static FoundSet ours(List<dev.pointsman.netlink.IpsetMember> listed) {
        Set<Member> members = new HashSet<>();
        listed.forEach(member -> Netlink.member(member).ifPresent(members::add));
        return new FoundSet.Ours(members, listed.size() - members.size());
    }

    private static List<String> leftovers(Sockets sockets, Family family) {
        return sockets.sets().names().stream()
                .filter(name -> KubeProxySets.isLeftover(name, family))
                .sorted()
                .toList();
    }

    private static SortedMap<ServerKey, FoundServer> servers(
            Sockets sockets, Family family, Set<ServerKey> wanted, Collection<Cidr> excluded) {
        SortedMap<ServerKey, IpvsService> services = new TreeMap<>();
        for (IpvsService service : sockets.ipvs().services()) {
            Netlink.key(service.key())
                    .filter(key -> key.address().family() == family)
                    .filter(key -> wanted.contains(key) || !isExcluded(key, excluded))
                    .ifPresent(key -> services.put(key, service));
        }
        List<IpvsService.Key> keys = new ArrayList<>();
        services.values().forEach(service -> keys.add(service.key()));
        Map<IpvsService.Key, List<IpvsListedDestination>> listed =
                sockets.ipvs().destinations(keys);
        SortedMap<ServerKey, FoundServer> servers = new TreeMap<>();
        services.forEach(
                (key, service) ->
                        servers.put(
                                key,
                                new FoundServer(
                                        service,
                                        reals(listed.getOrDefault(service.key(), List.of())))));
        return servers;
    }

    static SortedMap<RealServer, FoundReal> reals(List<IpvsListedDestination> listed) {
        SortedMap<RealServer, FoundReal> reals = new TreeMap<>();
        for (IpvsListedDestination each : listed) {
            reals.put(Netlink.real(each.destination().key()), FoundReal.of(each));
        }
        return reals;
    }

    private static boolean isExcluded(ServerKey key, Collection<Cidr> excluded) {
        return excluded.stream().anyMatch(range -> range.contains(key.address()));
    }
}
