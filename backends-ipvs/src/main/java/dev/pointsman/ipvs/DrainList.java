package dev.pointsman.ipvs;

import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Draining;
import dev.pointsman.graph.Frontend;
import dev.pointsman.netlink.IpvsListedDestination;
import dev.pointsman.netlink.IpvsService;
import dev.pointsman.netlink.IpvsSocket;
import dev.pointsman.netlink.NetlinkException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The real servers that drain, as the kernel's table has them: it is the only list of them, so
/// that a restart loses none.
final class DrainList {
    private DrainList() {}

    /// Those of every virtual server for an address, whoever made it, in the order of their
    /// addresses.
    static List<Draining> read() {
        try (IpvsSocket socket = IpvsSocket.open()) {
            return read(socket);
        } catch (NetlinkException e) {
            throw new DataplaneUnavailable(
                    "what drains in IPVS: "
                            + e.getMessage()
                            + " (needed: CAP_NET_ADMIN in the node's network namespace, and the"
                            + " module ip_vs)",
                    e);
        }
    }

    private static List<Draining> read(IpvsSocket socket) {
        SortedMap<ServerKey, IpvsService.Key> servers = new TreeMap<>();
        for (IpvsService service : socket.services()) {
            Netlink.key(service.key()).ifPresent(key -> servers.put(key, service.key()));
        }
        Map<IpvsService.Key, List<IpvsListedDestination>> reals =
                socket.destinations(servers.values());
        List<Draining> draining = new ArrayList<>();
        servers.forEach(
                (key, name) -> draining.addAll(of(key, reals.getOrDefault(name, List.of()))));
        return draining;
    }

    /// Of the real servers of one virtual server, in the order of their addresses.
    static List<Draining> of(ServerKey server, List<IpvsListedDestination> reals) {
        return reals.stream()
                .filter(real -> real.destination().weight() == 0)
                .filter(real -> real.active() != 0 || real.inactive() != 0)
                .sorted(Comparator.comparing(real -> Netlink.real(real.destination().key())))
                .map(real -> draining(server, real))
                .toList();
    }

    private static Draining draining(ServerKey server, IpvsListedDestination real) {
        return new Draining(
                new Frontend.Address(server.address(), server.protocol(), server.port()).toString(),
                Netlink.real(real.destination().key()).text(),
                Integer.toUnsignedLong(real.active()),
                Integer.toUnsignedLong(real.inactive()));
    }
}
