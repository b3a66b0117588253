package dev.pointsman.netlink;

/// A set without its members: what `ipset create` takes.
public sealed interface IpsetDefinition {
    String name();

    IpsetType type();

    /// A set that grows.
    ///
    /// @param hashSize rows of the table; the kernel makes a power of two of it, and more of it
    ///   when the set grows, so a set that is read may have more than it was made with
    /// @param maxElements how many members it takes
    record Hash(String name, IpsetType type, IpFamily family, int hashSize, int maxElements)
            implements IpsetDefinition {
        public static final int DEFAULT_HASH_SIZE = 1024;
        public static final int DEFAULT_MAX_ELEMENTS = 65536;

        public Hash {
            Names.check("set", name, IpSets.LONGEST_NAME);
            if (type == IpsetType.BITMAP_PORT) {
                throw new IllegalArgumentException(name + ": a bitmap has no hash table");
            }
        }

        public static Hash of(String name, IpsetType type, IpFamily family) {
            return new Hash(name, type, family, DEFAULT_HASH_SIZE, DEFAULT_MAX_ELEMENTS);
        }
    }

    /// A set of ports of a range.
    record Ports(String name, int first, int last) implements IpsetDefinition {
        public Ports {
            Names.check("set", name, IpSets.LONGEST_NAME);
            IpvsService.checkPort(first);
            IpvsService.checkPort(last);
            if (first > last) {
                throw new IllegalArgumentException("ports from " + first + " to " + last);
            }
        }

        /// A set of any ports.
        public static Ports of(String name) {
            return new Ports(name, 0, 0xffff);
        }

        @Override
        public IpsetType type() {
            return IpsetType.BITMAP_PORT;
        }
    }
}
