package dev.pointsman;

import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.netfilter.IpvsTable;
import dev.pointsman.packet.netfilter.VirtualServer;
import dev.pointsman.packet.netfilter.VirtualServer.Traffic;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Addresses that a node is taken to have for its virtual servers, where it does not tell.
final class AssumedAddresses {
    private AssumedAddresses() {}

    /// `table` with the addresses of its virtual servers of the graph's family. One that only
    /// serves node ports is the node's own or none: nobody said that it has it.
    static IpvsTable bearing(IpvsTable table, RuleGraph graph) {
        Set<IpAddress> wanted = new HashSet<>();
        for (Frontend frontend : graph.frontends().keySet()) {
            if (frontend instanceof Frontend.Address(var address, _, _)) {
                wanted.add(address);
            }
        }
        SortedSet<IpAddress> addresses = new TreeSet<>();
        for (VirtualServer server : table.servers()) {
            if (server.traffic() instanceof Traffic.To(int protocol, var address, int port)
                    && address.family() == graph.family()
                    && (wanted.contains(address) || !isNodePort(protocol, port, graph))) {
                addresses.add(address);
            }
        }
        return new IpvsTable(table.servers(), addresses, table.switches());
    }

    private static boolean isNodePort(int number, int port, RuleGraph graph) {
        for (Protocol protocol : Protocol.values()) {
            if (protocol.number() == number) {
                return graph.frontends().containsKey(new Frontend.NodePort(protocol, port));
            }
        }
        return false;
    }
}
