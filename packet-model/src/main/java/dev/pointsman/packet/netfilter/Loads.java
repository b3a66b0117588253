package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// Reads operands for the rules of one table.
final class Loads {

    /// What came of reading one: for every number that could be drawn on the way, one of these.
    sealed interface Loaded {
        Situation situation();

        record Got(Situation situation, List<Value> values, List<Hop.Found> found)
                implements Loaded {}

        /// The packet has no such thing, or a map has nothing for it.
        record Missing(Situation situation) implements Loaded {}
    }

    /// `th dport` of a packet without ports is whatever stands there instead (nft_payload.c does
    /// not ask for the protocol): taken for a value that no rule names.
    private static final Value NO_PORT = new Value.Bits(-1, -1);

    private final Node node;
    private final Table table;
    private final String title;

    Loads(Node node, Table table) {
        this.node = node;
        this.table = table;
        title = table.title();
    }

    List<Loaded> load(Operand operand, Situation situation) {
        return switch (operand) {
            case Operand.Field field -> loaded(situation, field(field, situation));
            case Operand.Address(Family family, var end) ->
                    loaded(
                            situation,
                            family == situation.packet().family()
                                    ? address(end, situation).map(Value::of)
                                    : Optional.empty());
            case Operand.AddressType(var end, var limit) ->
                    loaded(
                            situation,
                            address(end, situation)
                                    .map(address -> type(address, limit, situation))
                                    .map(type -> Value.of(type.number())));
            case Operand.Constant(var values) ->
                    List.of(new Loaded.Got(situation, values, List.of()));
            case Operand.Masked(var inner, var and, var xor) -> masked(inner, and, xor, situation);
            case Operand.Mixed(var left, var right) -> mixed(left, right, situation);
            case Operand.Random(int modulus, long offset) -> drawn(modulus, offset, situation);
            case Operand.Concatenation(var operands) -> concatenated(operands, situation);
            case Operand.Lookup(var key, var map) -> lookedUp(key, map, situation);
        };
    }

    /// The element that `set` has for `key`.
    Optional<Element> find(SetReference set, List<Value> key, Situation situation) {
        return switch (set) {
            case SetReference.Anonymous(var elements) ->
                    elements.find(key, situation.memory().now());
            case SetReference.Named(String name) -> {
                NamedSet named = table.sets().get(name);
                yield named == null ? Optional.empty() : situation.memory().find(title, named, key);
            }
        };
    }

    boolean knows(SetReference set) {
        return switch (set) {
            case SetReference.Anonymous _ -> true;
            case SetReference.Named(String name) -> table.sets().containsKey(name);
        };
    }

    /// What a hop tells of a look-up: constants of the rule speak for themselves.
    static List<Hop.Found> found(SetReference set, Element element, List<Hop.Found> before) {
        return switch (set) {
            case SetReference.Anonymous _ -> before;
            case SetReference.Named(String name) -> {
                List<Hop.Found> more = new ArrayList<>(before);
                more.add(new Hop.Found(name, element));
                yield more;
            }
        };
    }

    private static List<Loaded> loaded(Situation situation, Optional<Value> value) {
        return List.of(
                value.<Loaded>map(v -> new Loaded.Got(situation, List.of(v), List.of()))
                        .orElseGet(() -> new Loaded.Missing(situation)));
    }

    private List<Loaded> masked(
            Operand inner, Value.Bits and, Value.Bits xor, Situation situation) {
        List<Loaded> all = new ArrayList<>();
        for (Loaded loaded : load(inner, situation)) {
            if (loaded instanceof Loaded.Got(var after, var values, var found)
                    && values.getFirst() instanceof Value.Bits bits) {
                all.add(new Loaded.Got(after, List.of(bits.maskedWith(and, xor)), found));
            } else {
                all.add(new Loaded.Missing(loaded.situation()));
            }
        }
        return all;
    }

    private List<Loaded> mixed(Operand left, Operand right, Situation situation) {
        List<Loaded> all = new ArrayList<>();
        for (Loaded loaded : concatenated(List.of(left, right), situation)) {
            if (loaded instanceof Loaded.Got(var after, var values, var found)
                    && values.get(0) instanceof Value.Bits(long high, long low)
                    && values.get(1) instanceof Value.Bits(long otherHigh, long otherLow)) {
                all.add(
                        new Loaded.Got(
                                after,
                                List.of(new Value.Bits(high ^ otherHigh, low ^ otherLow)),
                                found));
            } else {
                all.add(new Loaded.Missing(loaded.situation()));
            }
        }
        return all;
    }

    private static List<Loaded> drawn(int modulus, long offset, Situation situation) {
        Situation one = situation.less(Fraction.of(1, modulus));
        List<Loaded> all = new ArrayList<>(modulus);
        for (int i = 0; i < modulus; i++) {
            all.add(new Loaded.Got(one, List.of(Value.of(offset + i)), List.of()));
        }
        return all;
    }

    private List<Loaded> concatenated(List<Operand> operands, Situation situation) {
        List<Loaded> all =
                List.of(new Loaded.Got(situation, new ArrayList<>(operands.size()), List.of()));
        for (Operand operand : operands) {
            List<Loaded> longer = new ArrayList<>();
            for (Loaded before : all) {
                if (!(before instanceof Loaded.Got(var at, var values, var found))) {
                    longer.add(before);
                    continue;
                }
                List<Loaded> next = load(operand, at);
                for (Loaded loaded : next) {
                    longer.add(joined(values, found, loaded));
                }
            }
            all = longer;
        }
        return all;
    }

    private static Loaded joined(List<Value> values, List<Hop.Found> found, Loaded next) {
        return switch (next) {
            case Loaded.Missing missing -> missing;
            case Loaded.Got(var situation, var more, var moreFound) -> {
                List<Value> both = new ArrayList<>(values.size() + more.size() + 2);
                both.addAll(values);
                both.addAll(more);
                List<Hop.Found> bothFound = found;
                if (!moreFound.isEmpty()) {
                    bothFound = new ArrayList<>(found);
                    bothFound.addAll(moreFound);
                }
                yield new Loaded.Got(situation, both, bothFound);
            }
        };
    }

    private List<Loaded> lookedUp(Operand key, SetReference map, Situation situation) {
        if (!knows(map)) {
            return List.of(
                    new Loaded.Missing(situation.doubting(0, "a map that is not there: " + map)));
        }
        List<Loaded> all = new ArrayList<>();
        for (Loaded loaded : load(key, situation)) {
            switch (loaded) {
                case Loaded.Missing missing -> all.add(missing);
                case Loaded.Got(var after, var values, var found) -> {
                    Optional<Element> element = find(map, values, after);
                    if (element.isPresent()
                            && element.get().data() instanceof Element.Data.Values(var result)) {
                        all.add(new Loaded.Got(after, result, found(map, element.get(), found)));
                    } else {
                        all.add(new Loaded.Missing(after));
                    }
                }
            }
        }
        return all;
    }

    private Node.AddressType type(IpAddress address, Operand.Limit limit, Situation situation) {
        return switch (limit) {
            case ANY_INTERFACE -> node.type(address);
            case IN_INTERFACE -> node.type(address, situation.in().name());
            case OUT_INTERFACE -> node.type(address, situation.out().name());
        };
    }

    private static Optional<IpAddress> address(Operand.End end, Situation situation) {
        return switch (end) {
            case SOURCE -> Optional.of(situation.packet().source());
            case DESTINATION -> Optional.of(situation.packet().destination());
            case ORIGINAL_SOURCE -> original(situation).map(Packet::source);
            case ORIGINAL_DESTINATION -> original(situation).map(Packet::destination);
            case REPLY_SOURCE -> reply(situation).map(Packet::source);
            case REPLY_DESTINATION -> reply(situation).map(Packet::destination);
            case VIRTUAL -> request(situation).map(Packet::destination);
        };
    }

    /// What IPVS made a request of, as long as it looks as it left it (xt_ipvs.c, `ipvs_mt`).
    private static Optional<Packet> request(Situation situation) {
        return situation.balanced() instanceof Balanced.Request(var connection)
                        && connection.forwarded().equals(situation.packet())
                ? Optional.of(connection.request())
                : Optional.empty();
    }

    private static Optional<Packet> original(Situation situation) {
        return tracked(situation).map(at -> at.connection().original());
    }

    private static Optional<Packet> reply(Situation situation) {
        return tracked(situation).map(at -> at.connection().reply());
    }

    private static Optional<Value> field(Operand.Field field, Situation situation) {
        Packet packet = situation.packet();
        return switch (field) {
            case FAMILY ->
                    number(
                            switch (packet.family()) {
                                case IPV4 -> 2;
                                case IPV6 -> 10;
                            });
            case PROTOCOL -> number(packet.transport().protocol());
            case SOURCE_PORT -> port(packet, Packet::sourcePort);
            case DESTINATION_PORT -> port(packet, Packet::destinationPort);
            case TCP_FLAGS ->
                    packet.transport().protocol() == Transport.TCP
                            ? number(situation.opens() ? 2 : 16)
                            : Optional.empty();
            case ICMP_TYPE -> icmp(packet).flatMap(icmp -> number(icmp.type()));
            case ICMP_CODE -> icmp(packet).flatMap(icmp -> number(icmp.code()));
            case IN_INTERFACE -> name(situation.in().name());
            case OUT_INTERFACE -> name(situation.out().name());
            case IN_BRIDGE_PORT -> name(situation.in().port());
            case OUT_BRIDGE_PORT -> name(situation.out().port());
            case MARK -> number(Integer.toUnsignedLong(situation.mark()));
            case STATE -> number(situation.tracking().state());
            case STATE_AND_TRANSLATION -> number(situation.tracking().stateAndTranslation());
            case STATUS -> tracked(situation).flatMap(at -> number(at.connection().status()));
            case DIRECTION -> tracked(situation).flatMap(at -> number(at.direction().number()));
            case CONNECTION_MARK ->
                    tracked(situation)
                            .flatMap(at -> number(Integer.toUnsignedLong(at.connection().mark())));
            case CONNECTION_PROTOCOL ->
                    original(situation).flatMap(tuple -> number(tuple.transport().protocol()));
            case ORIGINAL_SOURCE_PORT ->
                    original(situation).flatMap(tuple -> port(tuple, Packet::sourcePort));
            case ORIGINAL_DESTINATION_PORT ->
                    original(situation).flatMap(tuple -> port(tuple, Packet::destinationPort));
            case REPLY_SOURCE_PORT ->
                    reply(situation).flatMap(tuple -> port(tuple, Packet::sourcePort));
            case REPLY_DESTINATION_PORT ->
                    reply(situation).flatMap(tuple -> port(tuple, Packet::destinationPort));
            case BALANCED -> number(situation.balanced() instanceof Balanced.Not ? 0 : 1);
            case VIRTUAL_PORT ->
                    request(situation).flatMap(request -> port(request, Packet::destinationPort));
        };
    }

    private static Optional<Tracking.Tracked> tracked(Situation situation) {
        return situation.tracking() instanceof Tracking.Tracked tracked
                ? Optional.of(tracked)
                : Optional.empty();
    }

    private static Optional<Value> number(long number) {
        return Optional.of(Value.of(number));
    }

    private static Optional<Value> name(String name) {
        return Optional.of(new Value.Name(name));
    }

    private static Optional<Value> port(Packet packet, ToIntFunction<Packet> which) {
        return Optional.of(
                packet.transport() instanceof Transport.Ported
                        ? Value.of(which.applyAsInt(packet))
                        : NO_PORT);
    }

    private static Optional<Transport.Icmp> icmp(Packet packet) {
        return packet.transport() instanceof Transport.Icmp icmp
                ? Optional.of(icmp)
                : Optional.empty();
    }
}
