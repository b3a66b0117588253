package dev.pointsman.netlink;

/// One change of the kernel's sets.
public sealed interface IpsetCommand {
    /// As in `add 10.96.0.1,tcp:443 to ipset KUBE-CLUSTER-IP`.
    default String text() {
        return switch (this) {
            case Create(var definition) ->
                    "create ipset "
                            + definition.name()
                            + " of type "
                            + definition.type().kernelName();
            case Destroy(var set) -> "destroy ipset " + set;
            case Flush(var set) -> "flush ipset " + set;
            case Swap(var one, var other) -> "swap ipsets " + one + " and " + other;
            case Add(var set, var member) -> "add " + member.text() + " to ipset " + set;
            case Delete(var set, var member) -> "delete " + member.text() + " from ipset " + set;
        };
    }

    record Create(IpsetDefinition definition) implements IpsetCommand {}

    /// Destroys a set with its members.
    record Destroy(String set) implements IpsetCommand {
        public Destroy {
            Names.check("set", set, IpSets.LONGEST_NAME);
        }
    }

    /// Deletes all members.
    record Flush(String set) implements IpsetCommand {
        public Flush {
            Names.check("set", set, IpSets.LONGEST_NAME);
        }
    }

    /// Exchanges the names of two sets of one type; what refers to one then refers to the other.
    record Swap(String one, String other) implements IpsetCommand {
        public Swap {
            Names.check("set", one, IpSets.LONGEST_NAME);
            Names.check("set", other, IpSets.LONGEST_NAME);
        }
    }

    record Add(String set, IpsetMember member) implements IpsetCommand {
        public Add {
            Names.check("set", set, IpSets.LONGEST_NAME);
        }
    }

    record Delete(String set, IpsetMember member) implements IpsetCommand {
        public Delete {
            Names.check("set", set, IpSets.LONGEST_NAME);
        }
    }
}
