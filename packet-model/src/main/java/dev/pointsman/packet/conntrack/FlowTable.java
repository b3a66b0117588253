package dev.pointsman.packet.conntrack;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.netfilter.Tracking.Direction;
import dev.pointsman.packet.netfilter.Transport;
import dev.pointsman.packet.read.ConntrackReader;
import dev.pointsman.packet.read.ConntrackReader.Listed;
import java.io.Reader;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import net.openhft.chronicle.map.ChronicleMap;

/// The conntrack entries of a node, found by the tuple of either direction. They are kept off the
/// heap, in about 160 bytes each for IPv4: a node may have millions, and a command has one small
/// heap.
///
/// Only what can be a flow to a Service is kept: entries with ports, of zone 0. The others are
/// counted. A listing that was taken while entries changed may have one twice; the later counts.
///
/// Owned by one thread.
public final class FlowTable implements AutoCloseable {
    /// Lines are about 170 bytes long, and none is shorter than a quarter of that.
    private static final int LINE = 100;

    /// What a kernel has room for by default; files of `/proc` do not tell their length.
    private static final long FEWEST = 1 << 18;

    /// What a node with 128 GB could have.
    private static final long MOST = 40_000_000;

    /// How many times more may come than was estimated.
    private static final double GROWTH = 4;

    private record Shelf(FlowBytes bytes, ChronicleMap<byte[], byte[]> map) {}

    /// What was not kept.
    ///
    /// @param zones of another zone than 0, which is another table to the kernel
    /// @param portless of a protocol without ports
    /// @param doubled listed more than once
    public record LeftOut(long zones, long portless, long doubled) {}

    /// There is no room for the table.
    public static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    private final long room;
    private final Map<Family, Shelf> shelves = new EnumMap<>(Family.class);
    private long size;
    private long zones;
    private long portless;
    private long doubled;

    private FlowTable(long room) {
        this.room = room;
    }

    /// Reads what conntrack listed.
    ///
    /// @param length of `text` in bytes, from which the room is estimated; 0 when it is not known
    /// @throws Refused when it does not fit
    /// @throws dev.pointsman.packet.read.SyntaxException for a line that is none of conntrack's
    /// @throws java.io.UncheckedIOException when `text` cannot be read
    public static FlowTable read(Reader text, long length) {
        FlowTable table = new FlowTable(Math.clamp(length / LINE, FEWEST, MOST));
        try {
            ConntrackReader.read(text, table::take);
            return table;
        } catch (RuntimeException e) {
            table.close();
            throw e;
        }
    }

    private void take(Listed listed) {
        Packet original = listed.connection().original();
        if (listed.zone() != 0) {
            zones++;
        } else if (!(original.transport() instanceof Transport.Ported)) {
            portless++;
        } else {
            put(listed);
        }
    }

    private void put(Listed listed) {
        Packet original = listed.connection().original();
        Packet reply = listed.connection().reply();
        Shelf shelf = shelves.computeIfAbsent(original.family(), this::shelf);
        try {
            if (put(shelf, Direction.ORIGINAL, original, listed)) {
                doubled++;
            } else {
                size++;
            }
            // Else the original tells what the reply is.
            if (!reply.equals(original.answer())) {
                put(shelf, Direction.REPLY, reply, listed);
            }
        } catch (IllegalStateException e) {
            throw new Refused("no room for more than " + size + " flows: " + e.getMessage());
        }
    }

    private static boolean put(Shelf shelf, Direction direction, Packet tuple, Listed listed) {
        return shelf.map()
                        .put(
                                shelf.bytes().key(direction, tuple),
                                shelf.bytes().value(direction, listed))
                != null;
    }

    private Shelf shelf(Family family) {
        FlowBytes bytes = new FlowBytes(family);
        return new Shelf(
                bytes, OffHeap.map(bytes.keyLength(), bytes.valueLength(), 2 * room, GROWTH));
    }

    /// The entry that a packet belongs to, whichever direction it goes.
    public Optional<Listed> find(Packet packet) {
        Shelf shelf = shelves.get(packet.family());
        if (shelf == null || !(packet.transport() instanceof Transport.Ported)) {
            return Optional.empty();
        }
        return get(shelf, Direction.ORIGINAL, packet)
                .or(() -> get(shelf, Direction.REPLY, packet))
                .or(
                        () ->
                                get(shelf, Direction.ORIGINAL, packet.answer())
                                        .filter(l -> l.connection().reply().equals(packet)));
    }

    private static Optional<Listed> get(Shelf shelf, Direction direction, Packet packet) {
        byte[] key = shelf.bytes().key(direction, packet);
        return Optional.ofNullable(shelf.map().get(key))
                .map(value -> shelf.bytes().listed(key, value));
    }

    /// Gives every entry of `family` to `taker`, in no particular order.
    public void forEach(Family family, Consumer<Listed> taker) {
        Shelf shelf = shelves.get(family);
        if (shelf != null) {
            shelf.map()
                    .forEach(
                            (key, value) -> {
                                if (FlowBytes.isOriginal(key)) {
                                    taker.accept(shelf.bytes().listed(key, value));
                                }
                            });
        }
    }

    /// How many entries it has.
    public long size() {
        return size;
    }

    public LeftOut leftOut() {
        return new LeftOut(zones, portless, doubled);
    }

    /// What it takes off the heap, in bytes.
    public long offHeapBytes() {
        return shelves.values().stream().mapToLong(shelf -> shelf.map().offHeapMemoryUsed()).sum();
    }

    @Override
    public void close() {
        shelves.values().forEach(shelf -> shelf.map().close());
    }
}
