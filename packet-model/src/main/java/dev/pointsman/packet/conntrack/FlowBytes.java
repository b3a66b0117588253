package dev.pointsman.packet.conntrack;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Connection;
import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.netfilter.Tracking.Direction;
import dev.pointsman.packet.netfilter.Transport;
import dev.pointsman.packet.read.ConntrackReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The bytes of flows of one family, of which all keys are equally long, and all values.
///
/// ```
/// key   = direction 1, protocol 1, tuple
/// value = seen 1, state 1, mark 4, seconds 4, line 4, tuple of the other direction
/// tuple = source address, destination address, source port 2, destination port 2
/// ```
final class FlowBytes {

    private static final int KEY_HEAD = 2;
    private static final int VALUE_HEAD = 14;
    private static final int PORTS = 4;
    private static final int STATES = 256;
    private static final int FOREVER = -1;

    private final int addressLength;

    /// Conntrack has about thirty: a number is enough.
    private final List<String> states = new ArrayList<>();

    FlowBytes(Family family) {
        addressLength = family.bits() / Byte.SIZE;
    }

    int keyLength() {
        return KEY_HEAD + tupleLength();
    }

    int valueLength() {
        return VALUE_HEAD + tupleLength();
    }

    private int tupleLength() {
        return 2 * addressLength + PORTS;
    }

    byte[] key(Direction direction, Packet packet) {
        ByteBuffer key = ByteBuffer.allocate(keyLength());
        key.put((byte) direction.number()).put((byte) packet.transport().protocol());
        return put(packet, key).array();
    }

    static boolean isOriginal(byte[] key) {
        return key[0] == Direction.ORIGINAL.number();
    }

    /// What belongs to the key of `direction`.
    byte[] value(Direction direction, ConntrackReader.Listed listed) {
        Connection connection = listed.connection();
        ByteBuffer value = ByteBuffer.allocate(valueLength());
        value.put((byte) (connection.status() & (Connection.SEEN_REPLY | Connection.ASSURED)));
        value.put((byte) number(listed.state()));
        value.putInt(connection.mark());
        value.putInt(
                connection.until() == Element.FOREVER
                        ? FOREVER
                        : Math.toIntExact(connection.until() / 1000));
        value.putInt(listed.line());
        Packet other =
                switch (direction) {
                    case ORIGINAL -> connection.reply();
                    case REPLY -> connection.original();
                };
        return put(other, value).array();
    }

    private static ByteBuffer put(Packet packet, ByteBuffer into) {
        return into.put(packet.source().bytes())
                .put(packet.destination().bytes())
                .putShort((short) packet.sourcePort())
                .putShort((short) packet.destinationPort());
    }

    private int number(String state) {
        int known = states.indexOf(state);
        if (known >= 0) {
            return known;
        }
        if (states.size() == STATES) {
            throw new FlowTable.Refused("more than " + STATES + " states, the last " + state);
        }
        states.add(state);
        return states.size() - 1;
    }

    ConntrackReader.Listed listed(byte[] keyBytes, byte[] valueBytes) {
        ByteBuffer key = ByteBuffer.wrap(keyBytes);
        key.get();
        int protocol = Byte.toUnsignedInt(key.get());
        Packet here = packet(protocol, key);
        ByteBuffer value = ByteBuffer.wrap(valueBytes);
        int seen = value.get();
        String state = states.get(Byte.toUnsignedInt(value.get()));
        int mark = value.getInt();
        int seconds = value.getInt();
        int line = value.getInt();
        Packet there = packet(protocol, value);
        boolean original = isOriginal(keyBytes);
        return new ConntrackReader.Listed(
                Connection.listed(
                        original ? here : there,
                        original ? there : here,
                        seen,
                        mark,
                        seconds == FOREVER ? Element.FOREVER : 1000L * seconds),
                state,
                0,
                line);
    }

    private Packet packet(int protocol, ByteBuffer from) {
        IpAddress source = address(from);
        IpAddress destination = address(from);
        return new Packet(
                source,
                destination,
                new Transport.Ported(
                        protocol,
                        Short.toUnsignedInt(from.getShort()),
                        Short.toUnsignedInt(from.getShort())));
    }

    private IpAddress address(ByteBuffer from) {
        byte[] address = new byte[addressLength];
        from.get(address);
        return IpAddress.of(address);
    }
}
