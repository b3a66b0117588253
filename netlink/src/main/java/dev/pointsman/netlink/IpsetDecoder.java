package dev.pointsman.netlink;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads the messages of a listing of sets.
///
/// The first message of a set has its header, and all have members.
final class IpsetDecoder {
    private final Map<String, Listed> sets = new LinkedHashMap<>();

    /// A set, as far as it is read. A set that changes while it is listed may name a member twice.
    private record Listed(IpsetHeader header, Set<IpsetMember> members) {}

    static String name(Message message) {
        String name = "";
        Attributes in = message.attributes(NftSocket.HEADER_LENGTH);
        while (in.next()) {
            if (in.type() == IpSets.NAME) {
                name = in.string();
            }
        }
        return name;
    }

    void take(Message message) {
        var fields = new Fields(message.attributes(NftSocket.HEADER_LENGTH));
        Listed listed = sets.get(fields.name);
        if (listed == null) {
            if (fields.type.isEmpty()) {
                throw new NetlinkException(
                        "malformed ip_set message: members of set \""
                                + fields.name
                                + "\" before its header");
            }
            listed = new Listed(fields.header(), new LinkedHashSet<>());
            sets.put(fields.name, listed);
        }
        if (listed.header() instanceof IpsetHeader.Known known) {
            for (Attributes list : fields.entries) {
                members(list, known.definition().type(), listed.members());
            }
        }
    }

    List<Ipset> all() {
        List<Ipset> all = new ArrayList<>(sets.size());
        sets.values()
                .forEach(
                        listed ->
                                all.add(new Ipset(listed.header(), List.copyOf(listed.members()))));
        return all;
    }

    List<IpsetHeader> headers() {
        return sets.values().stream().map(Listed::header).toList();
    }

    private static void members(Attributes list, IpsetType type, Set<IpsetMember> members) {
        while (list.next()) {
            if (list.type() == IpSets.DATA) {
                member(list.nested(), type).ifPresent(members::add);
            }
        }
    }

    /// The member of an entry, or nothing if the entry says what is *not* a member (`nomatch`).
    static Optional<IpsetMember> member(Attributes in, IpsetType type) {
        Optional<InetAddress> first = Optional.empty();
        Optional<InetAddress> second = Optional.empty();
        int port = 0;
        int protocol = 0;
        int prefixLength = 0;
        int secondPrefixLength = 0;
        while (in.next()) {
            switch (in.type()) {
                case IpSets.ADDRESS -> first = address(in.nested());
                case IpSets.SECOND_ADDRESS -> second = address(in.nested());
                case IpSets.PORT -> port = in.u16();
                case IpSets.IP_PROTOCOL -> protocol = in.u8();
                case IpSets.PREFIX -> prefixLength = in.u8();
                case IpSets.SECOND_PREFIX -> secondPrefixLength = in.u8();
                case IpSets.DATA_FLAGS -> {
                    if (in.u32() != 0) {
                        return Optional.empty();
                    }
                }
                default -> {}
            }
        }
        try {
            return Optional.of(
                    switch (type) {
                        case HASH_IP -> new IpsetMember.Address(needed(first, type));
                        case HASH_IP_PORT ->
                                new IpsetMember.AddressPort(needed(first, type), protocol, port);
                        case HASH_IP_PORT_IP ->
                                new IpsetMember.AddressPortAddress(
                                        new IpsetMember.AddressPort(
                                                needed(first, type), protocol, port),
                                        needed(second, type));
                        case HASH_IP_PORT_NET ->
                                new IpsetMember.AddressPortNetwork(
                                        new IpsetMember.AddressPort(
                                                needed(first, type), protocol, port),
                                        needed(second, type),
                                        secondPrefixLength);
                        case HASH_NET_PORT ->
                                new IpsetMember.NetworkPort(
                                        needed(first, type), prefixLength, protocol, port);
                        case HASH_NET_NET ->
                                new IpsetMember.NetworkPair(
                                        needed(first, type),
                                        prefixLength,
                                        needed(second, type),
                                        secondPrefixLength);
                        case BITMAP_PORT -> new IpsetMember.Port(port);
                    });
        } catch (IllegalArgumentException e) {
            throw malformed(e);
        }
    }

    private static InetAddress needed(Optional<InetAddress> address, IpsetType type) {
        return address.orElseThrow(
                () ->
                        new NetlinkException(
                                "malformed ip_set message: an entry of type "
                                        + type.kernelName()
                                        + " lacks an address"));
    }

    private static Optional<InetAddress> address(Attributes in) {
        while (in.next()) {
            switch (in.type()) {
                case IpSets.IPV4 -> {
                    return Optional.of(IpFamily.IPV4.address(in.bytes()));
                }
                case IpSets.IPV6 -> {
                    return Optional.of(IpFamily.IPV6.address(in.bytes()));
                }
                default -> {}
            }
        }
        return Optional.empty();
    }

    private static NetlinkException malformed(IllegalArgumentException e) {
        return new NetlinkException("malformed ip_set message: " + e.getMessage(), e);
    }

    /// The attributes of a message, as far as they are read.
    private static final class Fields {
        private String name = "";
        private String type = "";
        private int revision;
        private int family;
        private int hashSize;
        private int maxElements;
        private int firstPort;
        private int lastPort;
        private int references;
        private int elements;
        private boolean hasOptions;
        private final List<Attributes> entries = new ArrayList<>(1);

        Fields(Attributes in) {
            while (in.next()) {
                switch (in.type()) {
                    case IpSets.NAME -> name = in.string();
                    case IpSets.TYPE_NAME -> type = in.string();
                    case IpSets.REVISION -> revision = in.u8();
                    case IpSets.SET_FAMILY -> family = in.u8();
                    case IpSets.DATA -> data(in.nested());
                    case IpSets.ENTRIES -> entries.add(in.nested());
                    default -> {}
                }
            }
        }

        private void data(Attributes in) {
            while (in.next()) {
                switch (in.type()) {
                    case IpSets.HASH_SIZE -> hashSize = in.u32();
                    case IpSets.MAX_ELEMENTS -> maxElements = in.u32();
                    case IpSets.PORT -> firstPort = in.u16();
                    case IpSets.LAST_PORT -> lastPort = in.u16();
                    case IpSets.REFERENCES -> references = in.u32();
                    case IpSets.ELEMENTS -> elements = in.u32();
                    case IpSets.DATA_FLAGS -> hasOptions |= in.u32() != 0;
                    case IpSets.TIMEOUT, IpSets.NETMASK, IpSets.MARK_MASK, IpSets.BIT_MASK ->
                            hasOptions = true;
                    default -> {}
                }
            }
        }

        IpsetHeader header() {
            try {
                return definition()
                        .<IpsetHeader>map(
                                known ->
                                        new IpsetHeader.Known(
                                                known, revision, references, elements))
                        .orElseGet(
                                () ->
                                        new IpsetHeader.Foreign(
                                                name, type, revision, references, elements));
            } catch (IllegalArgumentException e) {
                throw malformed(e);
            }
        }

        private Optional<IpsetDefinition> definition() {
            if (hasOptions) {
                return Optional.empty();
            }
            return IpsetType.named(type)
                    .map(
                            known ->
                                    switch (known) {
                                        case BITMAP_PORT ->
                                                new IpsetDefinition.Ports(
                                                        name, firstPort, lastPort);
                                        case HASH_IP,
                                                HASH_IP_PORT,
                                                HASH_IP_PORT_IP,
                                                HASH_IP_PORT_NET,
                                                HASH_NET_PORT,
                                                HASH_NET_NET ->
                                                new IpsetDefinition.Hash(
                                                        name,
                                                        known,
                                                        IpFamily.numbered(family, "set " + name),
                                                        hashSize,
                                                        maxElements);
                                    });
        }
    }
}
