package dev.pointsman.iptables;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.netlink.IpsetSocket;
import dev.pointsman.netlink.LinkSocket;
import dev.pointsman.netlink.NetlinkException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What kube-proxy's IPVS mode leaves beside chains.
final class IpvsLeftovers {
    /// The interface that carries the addresses of Services.
    private static final String INTERFACE = "kube-ipvs0";

    private static final int LONGEST_SET_NAME = 31;

    /// Not all that begin with KUBE: kube-router names its sets so, too.
    private static final Set<String> SETS =
            Stream.of(
                            "LOOP-BACK",
                            "CLUSTER-IP",
                            "EXTERNAL-IP",
                            "EXTERNAL-IP-LOCAL",
                            "LOAD-BALANCER",
                            "LOAD-BALANCER-LOCAL",
                            "LOAD-BALANCER-FW",
                            "LOAD-BALANCER-SOURCE-IP",
                            "LOAD-BALANCER-SOURCE-CIDR",
                            "NODE-PORT-TCP",
                            "NODE-PORT-LOCAL-TCP",
                            "NODE-PORT-UDP",
                            "NODE-PORT-LOCAL-UDP",
                            "NODE-PORT-SCTP-HASH",
                            "NODE-PORT-LOCAL-SCTP-HASH",
                            "HEALTH-CHECK-NODE-PORT",
                            "IPVS-IPS")
                    .flatMap(name -> Stream.of("KUBE-" + name, cut("KUBE-6-" + name)))
                    .collect(Collectors.toUnmodifiableSet());

    private IpvsLeftovers() {}

    /// kube-proxy cuts the names of IPv6 sets that get too long.
    private static String cut(String name) {
        return name.substring(0, Math.min(name.length(), LONGEST_SET_NAME));
    }

    /// The sets by name, then what stays.
    static List<Leftovers> look() {
        List<Leftovers> all = new ArrayList<>();
        try {
            ask(IpsetSocket::names).stream()
                    .filter(SETS::contains)
                    .sorted()
                    .forEach(
                            set ->
                                    all.add(
                                            new Leftovers.Found(
                                                    "ipset",
                                                    Leftovers.Maker.KUBE_PROXY,
                                                    List.of(set),
                                                    () -> destroy(set))));
            if (hasInterface()) {
                all.add(
                        new Leftovers.Staying(
                                INTERFACE + " and the IPVS virtual servers",
                                "`ip link delete " + INTERFACE + "` and `ipvsadm --clear`"));
            }
        } catch (DataplaneUnavailable e) {
            all.add(new Leftovers.Unreadable(e));
        }
        return all;
    }

    private static boolean hasInterface() {
        try (LinkSocket socket = LinkSocket.open()) {
            return socket.links().stream().anyMatch(link -> link.name().equals(INTERFACE));
        } catch (NetlinkException e) {
            throw unavailable(e);
        }
    }

    private static Commit destroy(String set) {
        return switch (ask(socket -> socket.destroy(set))) {
            case DONE -> new Commit.Applied();
            case IN_USE ->
                    new Commit.Refused(
                            "destroy " + set,
                            "a rule or a set of others refers to it; find it with `iptables-save |"
                                    + " grep "
                                    + set
                                    + "` and `ipset list`, remove it and clean up again",
                            Collections.emptySortedSet());
        };
    }

    private static <T> T ask(Function<IpsetSocket, T> question) {
        try (IpsetSocket socket = IpsetSocket.open()) {
            return question.apply(socket);
        } catch (NetlinkException e) {
            throw unavailable(e);
        }
    }

    private static DataplaneUnavailable unavailable(NetlinkException e) {
        return new DataplaneUnavailable("what kube-proxy's IPVS mode left: " + e.getMessage(), e);
    }
}
