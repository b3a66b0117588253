package dev.pointsman.netlink;

import java.util.Arrays;

/// The entry of conntrack that a listing has come to. There is one of these for a whole listing: it
/// says something else with every entry.
public final class ConntrackEntry {
    private final IpFamily family;
    private final Attributes message = new Attributes(new byte[0], 0, 0);
    private final Attributes tuple = new Attributes(new byte[0], 0, 0);
    private final Attributes field = new Attributes(new byte[0], 0, 0);
    private final Direction original = new Direction();
    private final Direction reply = new Direction();
    private byte[] bytes = {};
    private int id;
    private Zone zone = Zone.DEFAULT;

    ConntrackEntry(IpFamily family) {
        this.family = family;
    }

    /// Which of the kernel's tables it belongs to, so to speak: flows of different zones may have
    /// the same ends.
    enum Zone {
        /// Zone 0, in both directions.
        DEFAULT,
        OTHER
    }

    /// A tuple. Offsets are 0 where the field is missing: there the message has its header.
    private static final class Direction {
        private int source;
        private int destination;
        private int protocol;
        private int sourcePort;
        private int destinationPort;

        void clear() {
            source = 0;
            destination = 0;
            protocol = 0;
            sourcePort = 0;
            destinationPort = 0;
        }

        boolean isWhole() {
            return source != 0 && destination != 0;
        }
    }

    /// Goes on to the message in `bytes[start, until)`.
    void read(byte[] from, int start, int until) {
        bytes = from;
        id = 0;
        zone = Zone.DEFAULT;
        original.clear();
        reply.clear();
        int attributes = start + MessageWriter.HEADER_LENGTH + NftSocket.HEADER_LENGTH;
        message.enter(from, Math.min(attributes, until), until);
        while (message.next()) {
            switch (message.type()) {
                case Ctnetlink.TUPLE_ORIGINAL -> readTuple(original);
                case Ctnetlink.TUPLE_REPLY -> readTuple(reply);
                case Ctnetlink.ID -> id = message.u32();
                case Ctnetlink.ZONE -> readZone(message);
                default -> {}
            }
        }
    }

    private void readTuple(Direction direction) {
        tuple.enter(message);
        while (tuple.next()) {
            switch (tuple.type()) {
                case Ctnetlink.TUPLE_IP -> readAddresses(direction);
                case Ctnetlink.TUPLE_PROTOCOL -> readPorts(direction);
                case Ctnetlink.TUPLE_ZONE -> readZone(tuple);
                default -> {}
            }
        }
    }

    private void readZone(Attributes in) {
        if (in.u16() != 0) {
            zone = Zone.OTHER;
        }
    }

    private void readAddresses(Direction direction) {
        field.enter(tuple);
        while (field.next()) {
            if (field.size() != family.bits() / Byte.SIZE) {
                continue;
            }
            switch (field.type()) {
                case Ctnetlink.IPV4_SOURCE, Ctnetlink.IPV6_SOURCE ->
                        direction.source = field.offset();
                case Ctnetlink.IPV4_DESTINATION, Ctnetlink.IPV6_DESTINATION ->
                        direction.destination = field.offset();
                default -> {}
            }
        }
    }

    private void readPorts(Direction direction) {
        field.enter(tuple);
        while (field.next()) {
            switch (field.type()) {
                case Ctnetlink.PROTOCOL_NUMBER -> direction.protocol = field.u8();
                case Ctnetlink.SOURCE_PORT -> direction.sourcePort = field.u16();
                case Ctnetlink.DESTINATION_PORT -> direction.destinationPort = field.u16();
                default -> {}
            }
        }
    }

    /// Whether it is a UDP flow, of whatever zone.
    boolean isUdp() {
        return original.protocol == Ctnetlink.UDP;
    }

    /// Whether it is one that a Service proxy can have to do with.
    boolean isOfDefaultZone() {
        return zone == Zone.DEFAULT && original.isWhole() && reply.isWhole();
    }

    /// The port that the first packet was sent to.
    public int destinationPort() {
        return original.destinationPort;
    }

    /// The address that the first packet was sent to, as its bytes.
    public byte[] destination() {
        return address(original.destination);
    }

    /// The port that answers are awaited from.
    public int answererPort() {
        return reply.sourcePort;
    }

    /// The address that answers are awaited from, as its bytes.
    public byte[] answerer() {
        return address(reply.source);
    }

    /// What this entry is deleted by.
    public ConntrackFlow flow() {
        return new ConntrackFlow(
                family.address(answerer()),
                reply.sourcePort,
                family.address(address(reply.destination)),
                reply.destinationPort,
                id);
    }

    private byte[] address(int at) {
        return Arrays.copyOfRange(bytes, at, at + family.bits() / Byte.SIZE);
    }
}
