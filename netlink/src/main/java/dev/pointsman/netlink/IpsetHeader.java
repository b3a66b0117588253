package dev.pointsman.netlink;

/// A set as the kernel has it, without its members.
public sealed interface IpsetHeader {
    String name();

    /// The revision of its type, as [IpsetSocket] chose it for sets made here.
    int revision();

    /// How many rules and sets refer to it.
    int references();

    /// How many members it has; 0 in Linux before 4.9, which does not tell.
    int entries();

    /// A set that could have been made here.
    record Known(IpsetDefinition definition, int revision, int references, int entries)
            implements IpsetHeader {
        @Override
        public String name() {
            return definition.name();
        }
    }

    /// A set of another type, or with options that are not used here, such as timeouts.
    ///
    /// @param type as in `list:set`
    record Foreign(String name, String type, int revision, int references, int entries)
            implements IpsetHeader {}
}
