package dev.pointsman.ipvs;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.iptables.Restore;
import dev.pointsman.iptables.Subject;
import dev.pointsman.ipvs.Found.FoundReal;
import dev.pointsman.ipvs.Found.FoundServer;
import dev.pointsman.ipvs.Found.FoundSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// The operations that take the kernel, as it was found, to an inventory. What drains for its
/// connections is in place.
final class Repair {
    private static final Subject NODE = new Subject.Node();

    private final Found found;
    private final Inventory desired;
    private final List<Operation> coming = new ArrayList<>();
    private final List<Operation> going = new ArrayList<>();
    private final SortedSet<IpAddress> addresses;

    private Repair(Found found, Inventory desired) {
        this.found = found;
        this.desired = desired;
        addresses = addresses(found, desired);
    }

    /// Those that kube-ipvs0 shall have: the ones that no other interface has, and the ones whose
    /// virtual servers nobody wants, but for their connections.
    private static SortedSet<IpAddress> addresses(Found found, Inventory desired) {
        SortedSet<IpAddress> addresses = new TreeSet<>(desired.addresses());
        addresses.removeAll(found.elsewhere());
        found.servers()
                .forEach(
                        (key, server) -> {
                            if (!desired.servers().containsKey(key)
                                    && isKept(key, server)
                                    && found.addresses().contains(key.address())) {
                                addresses.add(key.address());
                            }
                        });
        return addresses;
    }

    private static boolean isKept(ServerKey key, FoundServer server) {
        return key.protocol() == Protocol.TCP && !server.isIdle();
    }

    /// @param restores what the chains need
    static List<Operation> of(Found found, Inventory desired, List<Restore> restores) {
        Repair repair = new Repair(found, desired);
        if (desired.programmed()) {
            repair.everything();
        } else {
            repair.nothing();
        }
        List<Operation> all = new ArrayList<>(repair.coming);
        restores.stream()
                .filter(restore -> !restore.isEmpty())
                .forEach(restore -> all.add(new Operation.Rules(restore)));
        all.addAll(repair.going);
        return all;
    }

    private void everything() {
        for (ServiceSet set : ServiceSet.values()) {
            set(set, set == ServiceSet.BOUND_IP ? bound() : desired.membersOf(set));
        }
        if (!found.device()) {
            coming.add(new Operation.CreateDevice());
        }
        desired.servers().values().forEach(this::server);
        found.servers()
                .forEach(
                        (key, server) -> {
                            if (!desired.servers().containsKey(key)) {
                                stale(key, server);
                            }
                        });
        addresses();
        found.leftovers().forEach(set -> going.add(new Operation.DestroyLeftover(set)));
    }

    private void set(ServiceSet set, Map<Member, Subject> wanted) {
        FoundSet was = found.sets().get(set);
        switch (was) {
            case null -> {
                coming.add(new Operation.CreateSet(set));
                coming.addAll(additions(set, wanted));
            }
            case FoundSet.Different() ->
                    coming.add(new Operation.ReplaceSet(set, additions(set, wanted)));
            case FoundSet.Ours(var members, int foreign) -> {
                if (foreign > 0) {
                    coming.add(new Operation.ReplaceSet(set, additions(set, wanted)));
                    return;
                }
                wanted.forEach(
                        (member, subject) -> {
                            if (!members.contains(member)) {
                                coming.add(new Operation.AddMember(set, member, subject));
                            }
                        });
                for (Member member : members) {
                    if (!wanted.containsKey(member)) {
                        going.add(new Operation.DeleteMember(set, member, NODE));
                    }
                }
            }
        }
    }

    private static List<Operation.AddMember> additions(
            ServiceSet set, Map<Member, Subject> members) {
        List<Operation.AddMember> additions = new ArrayList<>();
        members.forEach(
                (member, subject) -> additions.add(new Operation.AddMember(set, member, subject)));
        return additions;
    }

    private Map<Member, Subject> bound() {
        Map<Member, Subject> bound = new LinkedHashMap<>();
        addresses.forEach(address -> bound.put(new Member.Address(address), NODE));
        return bound;
    }

    private void server(VirtualServer server) {
        ServerKey key = server.key();
        FoundServer was = found.servers().get(key);
        if (was == null) {
            coming.add(new Operation.AddServer(server));
            for (RealServer real : server.servers()) {
                coming.add(new Operation.AddReal(key, real, server.subject()));
            }
            return;
        }
        if (!was.service().equals(Netlink.service(server))) {
            coming.add(new Operation.EditServer(server));
        }
        for (RealServer real : server.servers()) {
            FoundReal there = was.reals().get(real);
            if (there == null) {
                coming.add(new Operation.AddReal(key, real, server.subject()));
            } else if (!there.destination().equals(Netlink.destination(real))) {
                coming.add(new Operation.RestoreReal(key, real, server.subject()));
            }
        }
        was.reals()
                .forEach(
                        (real, there) -> {
                            if (!server.servers().contains(real)) {
                                leave(key, real, there, Operation.Server.STAYS, server.subject());
                            }
                        });
    }

    /// A real server that nobody wants: gone at once, told to drain, or left to it.
    private void leave(
            ServerKey key,
            RealServer real,
            FoundReal there,
            Operation.Server server,
            Subject subject) {
        if (key.protocol() != Protocol.TCP || there.isIdle()) {
            coming.add(new Operation.DeleteReal(key, real, subject));
        } else if (!there.drains()) {
            coming.add(new Operation.DrainReal(key, real, server, subject));
        }
    }

    /// A virtual server that nobody wants.
    private void stale(ServerKey key, FoundServer server) {
        if (!isKept(key, server)) {
            going.add(new Operation.DeleteServer(key, NODE));
            return;
        }
        server.reals()
                .forEach((real, there) -> leave(key, real, there, Operation.Server.GOES, NODE));
    }

    private void addresses() {
        addresses.stream()
                .filter(address -> !found.addresses().contains(address))
                .forEach(address -> coming.add(new Operation.Bind(address)));
        found.addresses().stream()
                .filter(address -> !addresses.contains(address))
                .forEach(address -> going.add(new Operation.Unbind(address)));
    }

    /// Takes away what lies on our device, and the device.
    private void nothing() {
        Collection<IpAddress> ours = found.addresses();
        found.servers().keySet().stream()
                .filter(key -> ours.contains(key.address()))
                .forEach(key -> going.add(new Operation.DeleteServer(key, NODE)));
        if (found.device()) {
            ours.forEach(address -> going.add(new Operation.Unbind(address)));
            going.add(new Operation.DeleteDevice());
        }
        for (ServiceSet set : found.sets().keySet()) {
            going.add(new Operation.DestroySet(set));
        }
        found.leftovers().forEach(set -> going.add(new Operation.DestroyLeftover(set)));
    }
}
