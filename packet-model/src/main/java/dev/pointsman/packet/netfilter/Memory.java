package dev.pointsman.packet.netfilter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What earlier packets left behind: elements that rules wrote, the lists of `recent`, connections;
/// and what time it is. A value: looking at a packet gives a new one.
///
/// @param now milliseconds since the ruleset was taken
public record Memory(
        long now,
        Map<Place, Written> elements,
        Map<Place, List<Long>> recent,
        Map<Packet, Connection> connections,
        Balancing balancing) {

    /// No `recent` list keeps more stamps of an address (xt_recent.c, `ip_pkt_list_tot`).
    private static final int STAMPS = 20;

    /// An element of a set, by title of the table and name; of a `recent` list by its name alone.
    public record Place(String table, String set, List<Value> key) {}

    /// What became of an element since the ruleset was taken.
    public sealed interface Written {
        record Present(Element element) implements Written {}

        record Gone() implements Written {}
    }

    public Memory {
        elements = Map.copyOf(elements);
        recent = Map.copyOf(recent);
        connections = Map.copyOf(connections);
    }

    /// A node that has seen no packet yet.
    public static Memory blank() {
        return new Memory(0, Map.of(), Map.of(), Map.of(), Balancing.NONE);
    }

    public Memory later(long milliseconds) {
        return new Memory(now + milliseconds, elements, recent, connections, balancing);
    }

    /// As after `conntrack -F`, when IPVS has forgotten them too: what clients keep stays.
    public Memory withoutConnections() {
        return new Memory(now, elements, recent, Map.of(), balancing.withoutConnections());
    }

    Memory with(Balancing other) {
        return new Memory(now, elements, recent, connections, other);
    }

    Optional<Connection> connection(Packet packet) {
        return Optional.ofNullable(connections.get(packet))
                .filter(connection -> now < connection.until());
    }

    /// With one more connection, found by its packets of either direction.
    public Memory with(Connection connection) {
        Map<Packet, Connection> more = new HashMap<>(connections);
        more.put(connection.original(), connection);
        more.put(connection.reply(), connection);
        return new Memory(now, elements, recent, more, balancing);
    }

    /// The element of `set` in the table called `table` for a key of single values.
    Optional<Element> find(String table, NamedSet set, List<Value> key) {
        Written written =
                elements.isEmpty() ? null : elements.get(new Place(table, set.name(), key));
        if (written == null) {
            return set.elements().find(key, now);
        }
        return switch (written) {
            case Written.Present(var element) ->
                    Optional.of(element).filter(present -> present.isAlive(now));
            case Written.Gone _ -> Optional.empty();
        };
    }

    Memory with(Place place, Written written) {
        Map<Place, Written> more = new HashMap<>(elements);
        more.put(place, written);
        return new Memory(now, more, recent, connections, balancing);
    }

    /// How often the address was stamped within the last `seconds`, or ever if that is 0.
    int stamps(Place place, int seconds) {
        List<Long> stamps = recent.getOrDefault(place, List.of());
        return seconds == 0
                ? stamps.size()
                : (int) stamps.stream().filter(stamp -> now - stamp <= seconds * 1000L).count();
    }

    boolean recalls(Place place) {
        return recent.containsKey(place);
    }

    Memory stamped(Place place) {
        List<Long> stamps = new ArrayList<>(recent.getOrDefault(place, List.of()));
        stamps.add(now);
        if (stamps.size() > STAMPS) {
            stamps.removeFirst();
        }
        Map<Place, List<Long>> more = new HashMap<>(recent);
        more.put(place, Collections.unmodifiableList(stamps));
        return new Memory(now, elements, more, connections, balancing);
    }

    Memory forgetting(Place place) {
        Map<Place, List<Long>> fewer = new HashMap<>(recent);
        fewer.remove(place);
        return new Memory(now, elements, fewer, connections, balancing);
    }
}
