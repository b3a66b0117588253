package dev.pointsman.ipvs;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.iptables.Restore;
import dev.pointsman.iptables.Subject;
import java.util.List;

/// One change of what the kernel holds.
sealed interface Operation {

    /// What carries it out, and prints it.
    enum Tool {
        IPSET,
        IPVSADM,
        IP,
        IPTABLES
    }

    sealed interface OfSets extends Operation {}

    record CreateSet(ServiceSet set) implements OfSets {}

    record AddMember(ServiceSet set, Member member, Subject subject) implements OfSets {}

    record DeleteMember(ServiceSet set, Member member, Subject subject) implements OfSets {}

    record DestroySet(ServiceSet set) implements OfSets {}

    /// Makes a set anew that somebody made otherwise, without a moment in which it is missing.
    ///
    /// @param members all that it shall have
    record ReplaceSet(ServiceSet set, List<AddMember> members) implements OfSets {
        public ReplaceSet {
            members = List.copyOf(members);
        }
    }

    /// Destroys a set that kube-proxy left, if nothing refers to it.
    record DestroyLeftover(String set) implements OfSets {}

    sealed interface OfServers extends Operation {
        ServerKey key();

        Subject subject();
    }

    /// Makes a virtual server, without its real servers.
    record AddServer(VirtualServer server) implements OfServers {
        @Override
        public ServerKey key() {
            return server.key();
        }

        @Override
        public Subject subject() {
            return server.subject();
        }
    }

    /// Changes how it balances; its real servers and connections stay.
    record EditServer(VirtualServer server) implements OfServers {
        @Override
        public ServerKey key() {
            return server.key();
        }

        @Override
        public Subject subject() {
            return server.subject();
        }
    }

    record DeleteServer(ServerKey key, Subject subject) implements OfServers {}

    record AddReal(ServerKey key, RealServer real, Subject subject) implements OfServers {}

    /// Gives a real server that drained, or that somebody changed, new connections again.
    record RestoreReal(ServerKey key, RealServer real, Subject subject) implements OfServers {}

    /// Gives a real server no new connections; it goes when it has none.
    ///
    /// @param server whether its virtual server goes with the last of them
    record DrainReal(ServerKey key, RealServer real, Server server, Subject subject)
            implements OfServers {}

    /// What becomes of the virtual server of a real server that leaves.
    enum Server {
        STAYS,
        GOES
    }

    record DeleteReal(ServerKey key, RealServer real, Subject subject) implements OfServers {}

    sealed interface OfAddresses extends Operation {}

    /// Makes kube-ipvs0 unless it is there for the other family.
    record CreateDevice() implements OfAddresses {}

    record Bind(IpAddress address) implements OfAddresses {}

    record Unbind(IpAddress address) implements OfAddresses {}

    /// Deletes kube-ipvs0 unless the other family has addresses there.
    record DeleteDevice() implements OfAddresses {}

    record Rules(Restore restore) implements Operation {}

    default Tool tool() {
        return switch (this) {
            case OfSets _ -> Tool.IPSET;
            case OfServers _ -> Tool.IPVSADM;
            case OfAddresses _ -> Tool.IP;
            case Rules _ -> Tool.IPTABLES;
        };
    }
}
