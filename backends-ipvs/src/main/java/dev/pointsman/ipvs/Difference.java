package dev.pointsman.ipvs;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.iptables.Restore;
import dev.pointsman.iptables.Subject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// The operations that turn one inventory into another, in an order in which no packet meets half
/// of a change: sets before the servers whose packets they decide about, servers before the
/// addresses that bring packets to them and before the rules that lead to them, and all that goes
/// after that.
final class Difference {
    private static final Subject NODE = new Subject.Node();

    private final List<Operation> coming = new ArrayList<>();
    private final List<Operation> going = new ArrayList<>();

    private Difference() {}

    static List<Operation> between(Inventory before, Inventory after) {
        Difference difference = new Difference();
        if (!before.programmed() && after.programmed()) {
            for (ServiceSet set : ServiceSet.values()) {
                difference.coming.add(new Operation.CreateSet(set));
            }
            difference.coming.add(new Operation.CreateDevice());
        }
        // A set takes what it holds with it.
        boolean draining = after.programmed();
        if (draining) {
            for (ServiceSet set : ServiceSet.values()) {
                difference.members(set, before.membersOf(set), after.membersOf(set));
            }
            after.addresses().stream()
                    .filter(address -> !before.addresses().contains(address))
                    .map(Member.Address::new)
                    .forEach(
                            member ->
                                    difference.coming.add(
                                            new Operation.AddMember(
                                                    ServiceSet.BOUND_IP, member, NODE)));
        }
        after.servers()
                .forEach(
                        (key, server) -> {
                            VirtualServer was = before.servers().get(key);
                            if (was == null) {
                                difference.add(server);
                            } else {
                                difference.change(was, server);
                            }
                        });
        SortedSet<IpAddress> kept = new TreeSet<>(after.addresses());
        before.servers()
                .forEach(
                        (key, server) -> {
                            if (!after.servers().containsKey(key)
                                    && difference.remove(server, draining)) {
                                kept.add(key.address());
                            }
                        });
        difference.addresses(before.addresses(), after.addresses(), kept);
        if (draining) {
            before.addresses().stream()
                    .filter(address -> !kept.contains(address))
                    .map(Member.Address::new)
                    .forEach(
                            member ->
                                    difference.going.add(
                                            new Operation.DeleteMember(
                                                    ServiceSet.BOUND_IP, member, NODE)));
        }
        List<Restore> restores =
                dev.pointsman.iptables.Difference.between(before.chains(), after.chains());
        difference.end(before.programmed() && !after.programmed());
        return difference.joined(restores);
    }

    private void members(ServiceSet set, Map<Member, Subject> before, Map<Member, Subject> after) {
        after.forEach(
                (member, subject) -> {
                    if (!before.containsKey(member)) {
                        coming.add(new Operation.AddMember(set, member, subject));
                    }
                });
        before.forEach(
                (member, subject) -> {
                    if (!after.containsKey(member)) {
                        going.add(new Operation.DeleteMember(set, member, subject));
                    }
                });
    }

    private void add(VirtualServer server) {
        coming.add(new Operation.AddServer(server));
        for (RealServer real : server.servers()) {
            coming.add(new Operation.AddReal(server.key(), real, server.subject()));
        }
    }

    /// Newcomers get connections before those that leave get none.
    private void change(VirtualServer was, VirtualServer server) {
        if (!was.balancing().equals(server.balancing())) {
            coming.add(new Operation.EditServer(server));
        }
        for (RealServer real : server.servers()) {
            if (!was.servers().contains(real)) {
                coming.add(new Operation.AddReal(server.key(), real, server.subject()));
            }
        }
        for (RealServer real : was.servers()) {
            if (!server.servers().contains(real)) {
                coming.add(leaving(server.key(), real, server.subject()));
            }
        }
    }

    /// A client that keeps sending would keep a UDP or SCTP server for ever.
    private static Operation leaving(ServerKey key, RealServer real, Subject subject) {
        return key.protocol() == Protocol.TCP
                ? new Operation.DrainReal(key, real, Operation.Server.STAYS, subject)
                : new Operation.DeleteReal(key, real, subject);
    }

    /// Whether it stays for its connections.
    private boolean remove(VirtualServer server, boolean draining) {
        ServerKey key = server.key();
        if (!draining || key.protocol() != Protocol.TCP || server.servers().isEmpty()) {
            going.add(new Operation.DeleteServer(key, server.subject()));
            return false;
        }
        for (RealServer real : server.servers()) {
            going.add(new Operation.DrainReal(key, real, Operation.Server.GOES, server.subject()));
        }
        return true;
    }

    /// @param kept those that stay although nobody wants them, for the connections that are open
    private void addresses(
            Collection<IpAddress> before, Collection<IpAddress> after, Collection<IpAddress> kept) {
        after.stream()
                .filter(address -> !before.contains(address))
                .forEach(address -> coming.add(new Operation.Bind(address)));
        before.stream()
                .filter(address -> !kept.contains(address))
                .forEach(address -> going.add(new Operation.Unbind(address)));
    }

    private void end(boolean everything) {
        if (everything) {
            going.add(new Operation.DeleteDevice());
            for (ServiceSet set : ServiceSet.values()) {
                going.add(new Operation.DestroySet(set));
            }
        }
    }

    private List<Operation> joined(List<Restore> restores) {
        List<Operation> all = new ArrayList<>(coming);
        restores.stream()
                .filter(restore -> !restore.isEmpty())
                .forEach(restore -> all.add(new Operation.Rules(restore)));
        all.addAll(going);
        return all;
    }
}
