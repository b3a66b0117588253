package dev.pointsman.nftables;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.netlink.NftElement;
import dev.pointsman.netlink.NftExpression.Sense;
import dev.pointsman.netlink.NftValue;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/// The way of one new connection's first packet through the table, while the table changes: each
/// look-up sees the table as it is at that moment, the rules of a hook as they were when the packet
/// came to it.
final class Passage {
    /// The interface that has the node's addresses.
    static final String UPLINK = "eth0";

    /// Who sent the packet, to where.
    ///
    /// @param local whether the source is the node itself
    /// @param in the interface, empty for the node's own packets
    /// @param toNode whether the destination is an address of the node
    record Packet(
            IpAddress source,
            boolean local,
            String in,
            IpAddress destination,
            boolean toNode,
            Protocol protocol,
            int port) {}

    /// What became of it.
    ///
    /// @param fate `translated`, `passed`, `refused` or `dropped`
    /// @param endpoint where it was sent, empty if it was not translated
    /// @param masqueraded whether it carries the mark
    record Outcome(String fate, String endpoint, boolean masqueraded) {}

    private enum Step {
        NEXT_RULE,
        RETURN,
        ACCEPT,
        DROP,
        REFUSE,
        TRANSLATED
    }

    private final InMemoryNft before;
    private final InMemoryNft after;
    private final int changeAt;
    private final int slot;
    private final Packet packet;

    private int lookups;
    private String endpoint = "";
    private boolean marked;

    /// @param changeAt the number of look-ups that still see the table as it was before
    /// @param slot decides every random choice, modulo
    Passage(InMemoryNft before, InMemoryNft after, int changeAt, int slot, Packet packet) {
        this.before = before;
        this.after = after;
        this.changeAt = changeAt;
        this.slot = slot;
        this.packet = packet;
    }

    /// How many look-ups the way took.
    int lookups() {
        return lookups;
    }

    Outcome outcome() {
        for (String hook : hooks()) {
            InMemoryNft rules = now();
            if (!rules.isPresent()) {
                continue;
            }
            switch (run(rules, hook)) {
                case DROP -> {
                    return new Outcome("dropped", "", false);
                }
                case REFUSE -> {
                    return new Outcome("refused", "", false);
                }
                case TRANSLATED -> {
                    return new Outcome("translated", endpoint, marked);
                }
                case NEXT_RULE, RETURN, ACCEPT -> {}
            }
        }
        return new Outcome("passed", "", marked);
    }

    private List<String> hooks() {
        String last = packet.toNode() ? "filter-input" : "filter-forward";
        return packet.local()
                ? List.of("firewall-output", "nat-output", "filter-output")
                : List.of("firewall-prerouting", "nat-prerouting", last);
    }

    private InMemoryNft now() {
        return lookups < changeAt ? before : after;
    }

    private Step run(InMemoryNft rules, String chain) {
        // A chain that was made since the packet came to the hook is empty in its generation.
        for (Rule rule : rules.hasChain(chain) ? rules.rules(chain) : List.<Rule>of()) {
            Step step = run(rules, rule);
            if (step != Step.NEXT_RULE) {
                return step;
            }
        }
        return Step.RETURN;
    }

    private Step run(InMemoryNft rules, Rule rule) {
        for (Statement statement : rule.statements()) {
            switch (statement) {
                case Statement.NewConnection _ -> {}
                case Statement.Reject _ -> {
                    return Step.REFUSE;
                }
                case Statement.Mark _ -> marked = true;
                case Statement.Take(var verdict) -> {
                    return take(rules, verdict);
                }
                case Statement.VerdictFrom(var key, String map) -> {
                    Optional<NftElement> found = find(key, map);
                    if (found.isEmpty()) {
                        return Step.NEXT_RULE;
                    }
                    return take(rules, found.get().value());
                }
                case Statement.DnatFrom(var key, String map) -> {
                    Optional<NftElement> found = find(key, map);
                    if (found.isEmpty()) {
                        return Step.NEXT_RULE;
                    }
                    endpoint = endpoint(found.get().value());
                    return Step.TRANSLATED;
                }
                case Statement.DnatTo(var to) -> {
                    endpoint = to.toString();
                    return Step.TRANSLATED;
                }
                case Statement.Remember _, Statement.Unmark _, Statement.Masquerade _ -> {}
                case Statement.Translated _,
                        Statement.FromThisNode _,
                        Statement.ToThisNode _,
                        Statement.ToItsInterface _,
                        Statement.ProtocolIs _,
                        Statement.Within _,
                        Statement.NotThrough _,
                        Statement.NotThroughPrefix _,
                        Statement.InSet _,
                        Statement.Marked _ -> {
                    if (!matches(statement)) {
                        return Step.NEXT_RULE;
                    }
                }
            }
        }
        return Step.NEXT_RULE;
    }

    private Step take(InMemoryNft rules, NftValue verdict) {
        return switch (verdict) {
            case NftValue.Drop _ -> Step.DROP;
            case NftValue.Accept _ -> Step.ACCEPT;
            case NftValue.Return _ -> Step.RETURN;
            case NftValue.Goto(String chain) -> run(rules, chain);
            case NftValue.Jump(String chain) -> {
                Step step = run(rules, chain);
                yield step == Step.RETURN ? Step.NEXT_RULE : step;
            }
            case NftValue.Continue _, NftValue.Break _, NftValue.None _, NftValue.Data _ ->
                    Step.NEXT_RULE;
        };
    }

    private boolean matches(Statement statement) {
        return switch (statement) {
            case Statement.FromThisNode _ -> packet.local();
            case Statement.ToThisNode _ -> packet.toNode();
            case Statement.ToItsInterface _ -> packet.toNode() && packet.in().equals(UPLINK);
            case Statement.ProtocolIs(var protocol) -> protocol == packet.protocol();
            case Statement.Within(var field, var sense, Cidr range) ->
                    range.contains(
                                    field == Field.Packet.SOURCE
                                            ? packet.source()
                                            : packet.destination())
                            == (sense == Sense.IN);
            case Statement.NotThrough(String name) -> !packet.in().equals(name);
            case Statement.NotThroughPrefix(String prefix) -> !packet.in().startsWith(prefix);
            case Statement.InSet(var key, var sense, String set) ->
                    find(key, set).isPresent() == (sense == Sense.IN);
            default -> false;
        };
    }

    private static String endpoint(NftValue value) {
        byte[] bytes = value instanceof NftValue.Data(byte[] data) ? data : new byte[0];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        byte[] address = new byte[bytes.length - 4];
        buffer.get(address);
        int port = Short.toUnsignedInt(buffer.getShort());
        return new Endpoint(IpAddress.of(address), port, Endpoint.Place.ELSEWHERE).toString();
    }

    private Optional<NftElement> find(Key key, String set) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Field field : key.fields()) {
            bytes.writeBytes(
                    switch (field) {
                        case Field.Packet.SOURCE -> packet.source().bytes();
                        case Field.Packet.DESTINATION, Field.Packet.ORIGINAL_DESTINATION ->
                                packet.destination().bytes();
                        case Field.Packet.PROTOCOL ->
                                new byte[] {(byte) packet.protocol().number(), 0, 0, 0};
                        case Field.Packet.PORT, Field.Packet.ORIGINAL_PORT ->
                                ByteBuffer.allocate(4).putShort((short) packet.port()).array();
                        case Field.Slot(int modulus, int offset) ->
                                ByteBuffer.allocate(4)
                                        .order(ByteOrder.nativeOrder())
                                        .putInt(offset + slot % modulus)
                                        .array();
                    });
        }
        InMemoryNft seen = now();
        lookups++;
        try {
            return seen.find(set, bytes.toByteArray());
        } catch (InMemoryNft.RefusedException _) {
            // The rule that looks here holds on to the set until the packet is through.
            return before.find(set, bytes.toByteArray());
        }
    }
}
