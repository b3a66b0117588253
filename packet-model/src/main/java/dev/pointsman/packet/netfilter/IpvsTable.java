package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.IpAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// What IPVS of a node was told, and the addresses that make packets for its virtual servers come
/// to it.
///
/// @param servers each with other traffic
/// @param addresses those that the node has on [#DEVICE]
/// @param switches those that are on
public record IpvsTable(
        List<VirtualServer> servers, SortedSet<IpAddress> addresses, SortedSet<Switch> switches) {

    /// The dummy interface that Service proxies put the addresses of virtual servers on.
    public static final String DEVICE = "kube-ipvs0";

    /// Settings below `net.ipv4.vs` that the model has. Service proxies switch them all on, which
    /// is assumed of nodes that do not tell.
    public enum Switch {
        /// Connections keep their conntrack entry, so that what is translated by IPVS can be
        /// masqueraded too.
        CONNTRACK,
        /// Packets of connections whose real server is gone or has weight 0 begin anew.
        EXPIRE_NODEST_CONN,
        /// Nobody sticks to a real server of weight 0.
        EXPIRE_QUIESCENT_TEMPLATE
    }

    /// A node without virtual servers.
    public static final IpvsTable NONE = IpvsTable.of(List.of(), Collections.emptySortedSet());

    public IpvsTable {
        servers = List.copyOf(servers);
        addresses = Collections.unmodifiableSortedSet(new TreeSet<>(addresses));
        switches = Collections.unmodifiableSortedSet(new TreeSet<>(switches));
    }

    /// With all switches on.
    public static IpvsTable of(List<VirtualServer> servers, SortedSet<IpAddress> addresses) {
        return new IpvsTable(servers, addresses, new TreeSet<>(EnumSet.allOf(Switch.class)));
    }

    public boolean isOn(Switch wanted) {
        return switches.contains(wanted);
    }

    public IpvsTable with(SortedSet<Switch> others) {
        return new IpvsTable(servers, addresses, others);
    }

    /// Both, with the switches that are on in both.
    IpvsTable and(IpvsTable other) {
        List<VirtualServer> both = new ArrayList<>(servers);
        both.addAll(other.servers);
        SortedSet<IpAddress> bothAddresses = new TreeSet<>(addresses);
        bothAddresses.addAll(other.addresses);
        SortedSet<Switch> common = new TreeSet<>(switches);
        common.retainAll(other.switches);
        return new IpvsTable(both, bothAddresses, common);
    }
}
