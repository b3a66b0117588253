package dev.pointsman.ipvs;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.iptables.Contents;
import dev.pointsman.iptables.Subject;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the kernel shall hold, or the part of it that a change is about.
///
/// @param programmed whether there are sets, chains and a device at all
/// @param addresses on kube-ipvs0, which [ServiceSet#BOUND_IP] repeats
/// @param members of each other set, with the Service that each is for
record Inventory(
        boolean programmed,
        SortedMap<ServerKey, VirtualServer> servers,
        SortedSet<IpAddress> addresses,
        Map<ServiceSet, Map<Member, Subject>> members,
        Contents chains) {

    static Inventory empty(boolean programmed) {
        Map<ServiceSet, Map<Member, Subject>> members = new EnumMap<>(ServiceSet.class);
        for (ServiceSet set : ServiceSet.values()) {
            members.put(set, new LinkedHashMap<>());
        }
        return new Inventory(programmed, new TreeMap<>(), new TreeSet<>(), members, new Contents());
    }

    /// Members of `set`, in no particular order.
    Map<Member, Subject> membersOf(ServiceSet set) {
        return Objects.requireNonNull(members.get(set));
    }

    void add(ServiceSet set, Member member, Subject subject) {
        membersOf(set).putIfAbsent(member, subject);
    }

    void add(VirtualServer server) {
        servers.putIfAbsent(server.key(), server);
    }
}
