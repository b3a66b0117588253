package dev.pointsman.ipvs;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.graph.Family;
import dev.pointsman.netlink.Answer;
import dev.pointsman.netlink.IpsetSocket;
import dev.pointsman.netlink.IpvsCommand;
import dev.pointsman.netlink.IpvsSocket;
import dev.pointsman.netlink.LinkAddress;
import dev.pointsman.netlink.LinkCommand;
import dev.pointsman.netlink.LinkSocket;
import dev.pointsman.netlink.NetlinkException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What mode `ipvs` of either proxy leaves beside chains. A virtual server is told by its address
/// alone, so virtual servers go before the addresses, and these before the device.
final class IpvsLeftovers {
    private static final int SHOWN = 3;

    private IpvsLeftovers() {}

    static List<Leftovers> look() {
        try {
            return of(Remains.read());
        } catch (NetlinkException e) {
            return List.of(new Leftovers.Unreadable(unavailable(e)));
        }
    }

    static List<Leftovers> of(Remains remains) {
        List<Leftovers> all = new ArrayList<>();
        for (Family family : Family.values()) {
            byMaker(remains.servers(family), server -> remains.maker(server.address()))
                    .forEach(
                            (maker, servers) ->
                                    all.add(
                                            new Leftovers.Found(
                                                    "ipvsadm",
                                                    maker,
                                                    servers.stream().map(ServerKey::text).toList(),
                                                    () -> deleteServers(servers))));
        }
        for (String set : remains.sets()) {
            all.add(
                    new Leftovers.Found(
                            "ipset", remains.maker(set), List.of(set), () -> destroy(set)));
        }
        for (Family family : Family.values()) {
            byMaker(remains.addresses(family), bound -> remains.maker(bound.address()))
                    .forEach(
                            (maker, addresses) ->
                                    all.add(
                                            new Leftovers.Found(
                                                    "ip",
                                                    maker,
                                                    addresses.stream()
                                                            .map(IpvsLeftovers::text)
                                                            .toList(),
                                                    () -> deleteAddresses(addresses))));
        }
        if (remains.device()) {
            all.add(
                    new Leftovers.Found(
                            "ip",
                            remains.makerOfDevice(),
                            List.of("link " + Script.DEVICE),
                            IpvsLeftovers::deleteDevice));
        }
        all.addAll(staying(remains));
        return all;
    }

    private static <T> SortedMap<Leftovers.Maker, List<T>> byMaker(
            List<T> all, Function<T, Leftovers.Maker> maker) {
        return all.stream()
                .collect(Collectors.groupingBy(maker, TreeMap::new, Collectors.toList()));
    }

    private static String text(Remains.Bound address) {
        return "address " + address.text() + " dev " + Script.DEVICE;
    }

    /// kube-proxy has a virtual server for each node port on each address of the node, and both
    /// proxies have those of external IPs that are the node's own.
    private static List<Leftovers> staying(Remains remains) {
        List<ServerKey> servers = remains.serversElsewhere();
        if (servers.isEmpty()) {
            return List.of();
        }
        List<String> first = servers.stream().limit(SHOWN).map(ServerKey::text).toList();
        return List.of(
                new Leftovers.Staying(
                        remains.makerOfDevice(),
                        "virtual servers on addresses of this node, of node ports or external IPs"
                                + " or other people's ("
                                + String.join(", ", first)
                                + (servers.size() > SHOWN
                                        ? " and " + (servers.size() - SHOWN) + " more"
                                        : "")
                                + ")",
                        "`ipvsadm -Ln` shows them, `ipvsadm -D "
                                + first.getFirst()
                                + "` removes one"));
    }

    private static Commit deleteServers(Collection<ServerKey> servers) {
        List<IpvsCommand> commands = new ArrayList<>();
        servers.forEach(server -> commands.add(new IpvsCommand.DeleteService(Netlink.key(server))));
        try (IpvsSocket socket = IpvsSocket.open()) {
            return commit(socket.commit(commands));
        } catch (NetlinkException e) {
            throw unavailable(e);
        }
    }

    private static Commit destroy(String set) {
        try (IpsetSocket socket = IpsetSocket.open()) {
            return switch (socket.destroy(set)) {
                case DONE -> new Commit.Applied();
                case IN_USE ->
                        refused(
                                "destroy " + set,
                                "a rule or a set of others refers to it; find it with"
                                        + " `iptables-save | grep "
                                        + set
                                        + "` and `ipset list`, remove it and clean up again");
            };
        } catch (NetlinkException e) {
            throw unavailable(e);
        }
    }

    private static Commit deleteAddresses(Collection<Remains.Bound> addresses) {
        return onDevice(
                (socket, device) -> {
                    List<LinkCommand> commands = new ArrayList<>();
                    for (Remains.Bound bound : addresses) {
                        commands.add(
                                new LinkCommand.DeleteAddress(
                                        new LinkAddress(
                                                device,
                                                Netlink.address(bound.address()),
                                                bound.prefix(),
                                                LinkAddress.SCOPE_GLOBAL)));
                    }
                    return commit(socket.commit(commands));
                });
    }

    private static Commit deleteDevice() {
        return onDevice(
                (socket, device) -> {
                    socket.deleteLink(device);
                    return new Commit.Applied();
                });
    }

    private interface DeviceChange {
        Commit make(LinkSocket socket, int device);
    }

    /// A device that somebody else deleted meanwhile is as gone as it shall be.
    private static Commit onDevice(DeviceChange change) {
        try (LinkSocket socket = LinkSocket.open()) {
            OptionalInt device = socket.index(Script.DEVICE);
            return device.isPresent()
                    ? change.make(socket, device.getAsInt())
                    : new Commit.Applied();
        } catch (NetlinkException e) {
            throw unavailable(e);
        }
    }

    /// What is gone already is gone.
    private static Commit commit(List<Answer> answers) {
        List<Answer.Refused> refusals = new ArrayList<>();
        for (Answer answer : answers) {
            if (answer instanceof Answer.Refused refused
                    && refused.cause() != Answer.Cause.MISSING) {
                refusals.add(refused);
            }
        }
        if (refusals.isEmpty()) {
            return new Commit.Applied();
        }
        Commit.Refused refused =
                refused(refusals.size() + " of them", refusals.getFirst().reason());
        return refusals.size() == answers.size()
                ? refused
                : new Commit.Torn(
                        answers.size() - refusals.size() + " of " + answers.size(), refused);
    }

    private static Commit.Refused refused(String what, String why) {
        return new Commit.Refused(what, why, Collections.emptySortedSet());
    }

    private static DataplaneUnavailable unavailable(NetlinkException e) {
        return new DataplaneUnavailable("what mode ipvs left: " + e.getMessage(), e);
    }
}
