package dev.pointsman.ipvs;

import dev.pointsman.dataplane.Leftovers.Maker;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.netlink.IpsetSocket;
import dev.pointsman.netlink.IpvsService;
import dev.pointsman.netlink.IpvsSocket;
import dev.pointsman.netlink.LinkAddress;
import dev.pointsman.netlink.LinkSocket;
import dev.pointsman.netlink.NetlinkException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What there is of either proxy's mode `ipvs` beside chains, and who made it.
///
/// Both have the device. What only one of them makes tells whose the device is and what lies on it;
/// where each has something of its own, one has taken over from the other, and it can be either's.
///
/// @param sets those that either makes
/// @param device whether kube-ipvs0 is there
/// @param addresses on it, each with the length of its prefix
/// @param elsewhere addresses of other interfaces
/// @param servers all virtual servers for an address, whoever made them
record Remains(
        List<String> sets,
        boolean device,
        List<Bound> addresses,
        Set<IpAddress> elsewhere,
        List<ServerKey> servers) {

    private static final Remains NOTHING =
            new Remains(List.of(), false, List.of(), Set.of(), List.of());

    /// An address of the device.
    record Bound(IpAddress address, int prefix) {
        String text() {
            return address + "/" + prefix;
        }
    }

    Remains {
        sets = sets.stream().sorted().toList();
        addresses = List.copyOf(addresses);
        elsewhere = Set.copyOf(elsewhere);
        servers = servers.stream().sorted().toList();
    }

    /// Reads the network namespace of this thread. IPVS is asked only where there is something of
    /// either proxy: asking makes the kernel load it.
    ///
    /// @throws NetlinkException when something cannot be read
    static Remains read() {
        List<String> sets;
        try (IpsetSocket socket = IpsetSocket.open()) {
            sets = socket.names().stream().filter(name -> family(name).isPresent()).toList();
        }
        try (LinkSocket socket = LinkSocket.open()) {
            OptionalInt device = socket.index(Script.DEVICE);
            if (device.isEmpty() && sets.isEmpty()) {
                return NOTHING;
            }
            return new Remains(
                    sets,
                    device.isPresent(),
                    device.isPresent() ? bound(socket, device.getAsInt()) : List.of(),
                    socket.addressesExceptOf(device.orElse(0)).stream()
                            .map(address -> IpAddress.of(address.address()))
                            .collect(Collectors.toSet()),
                    readServers());
        }
    }

    /// Without those that IPv6 gives every interface by itself.
    private static List<Bound> bound(LinkSocket socket, int device) {
        return socket.addresses(device).stream()
                .filter(address -> address.scope() != LinkAddress.SCOPE_LINK)
                .map(own -> new Bound(IpAddress.of(own.address()), own.prefixLength()))
                .toList();
    }

    /// None in a kernel without IPVS.
    private static List<ServerKey> readServers() {
        List<ServerKey> servers = new ArrayList<>();
        Optional<IpvsSocket> opened = IpvsSocket.openIfThere();
        if (opened.isPresent()) {
            try (IpvsSocket socket = opened.get()) {
                for (IpvsService service : socket.services()) {
                    Netlink.key(service.key()).ifPresent(servers::add);
                }
            }
        }
        return servers;
    }

    /// The family of the proxies' set of this name.
    private static Optional<Family> family(String set) {
        return Arrays.stream(Family.values())
                .filter(family -> KubeProxySets.isKnown(set, family))
                .findFirst();
    }

    /// The addresses of one family.
    List<Bound> addresses(Family family) {
        return addresses.stream().filter(bound -> bound.address().family() == family).toList();
    }

    /// The virtual servers of one family that lie on the device.
    List<ServerKey> servers(Family family) {
        Set<IpAddress> here =
                addresses(family).stream().map(Bound::address).collect(Collectors.toSet());
        return servers.stream().filter(server -> here.contains(server.address())).toList();
    }

    /// The virtual servers that lie on other interfaces of this node and not on the device.
    List<ServerKey> serversElsewhere() {
        Set<IpAddress> here = addresses.stream().map(Bound::address).collect(Collectors.toSet());
        return servers.stream()
                .filter(server -> elsewhere.contains(server.address()))
                .filter(server -> !here.contains(server.address()))
                .toList();
    }

    Maker maker(String set) {
        Family family = family(set).orElseThrow();
        return KubeProxySets.isOurs(set, family) ? Maker.POINTSMAN : Maker.KUBE_PROXY;
    }

    /// Who made what the names do not tell of one family. What is there of the other family tells
    /// it where nothing of this one does.
    Maker maker(Family family) {
        return Stream.concat(Stream.of(family), Arrays.stream(Family.values()))
                .map(this::evidence)
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(Maker.KUBE_PROXY);
    }

    /// Who made an address of the device, or a virtual server there.
    Maker maker(IpAddress address) {
        return isOnlyOurs(address) ? Maker.POINTSMAN : maker(address.family());
    }

    private static boolean isOnlyOurs(IpAddress address) {
        return address.equals(NodePortAddress.of(address.family()));
    }

    private Optional<Maker> evidence(Family family) {
        boolean ours =
                sets.stream().anyMatch(set -> KubeProxySets.isOurs(set, family))
                        || addresses(family).stream()
                                .map(Bound::address)
                                .anyMatch(Remains::isOnlyOurs);
        boolean theirs = sets.stream().anyMatch(set -> KubeProxySets.isLeftover(set, family));
        if (ours) {
            return Optional.of(theirs ? Maker.EITHER : Maker.POINTSMAN);
        }
        return theirs ? Optional.of(Maker.KUBE_PROXY) : Optional.empty();
    }

    /// It goes with the last address: as long as kube-proxy has some there, it is kube-proxy's.
    Maker makerOfDevice() {
        Collection<Family> families =
                addresses.isEmpty()
                        ? List.of(Family.values())
                        : addresses.stream().map(bound -> bound.address().family()).toList();
        Set<Maker> makers = families.stream().map(this::maker).collect(Collectors.toSet());
        if (makers.contains(Maker.KUBE_PROXY)) {
            return Maker.KUBE_PROXY;
        }
        return makers.contains(Maker.EITHER) ? Maker.EITHER : Maker.POINTSMAN;
    }
}
