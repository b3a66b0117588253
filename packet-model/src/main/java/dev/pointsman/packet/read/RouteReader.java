package dev.pointsman.packet.read;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.netfilter.Ruleset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Reads what `ip -j route` and `ip -j -6 route` print (ip-route(8)). The table `local` follows
/// from the addresses; routes of other tables than it and `main` are not modelled.
public final class RouteReader {
    private record Ranked(Node.Route route, int metric) {}

    private final Family family;
    private final List<Ranked> routes = new ArrayList<>();
    private final List<Ruleset.Unread> unread = new ArrayList<>();

    private RouteReader(Family family) {
        this.family = family;
    }

    /// Routes of one family.
    ///
    /// @param family whose routes these are: `default` alone does not tell
    /// @throws SyntaxException where the text is no JSON, or not that of `ip`
    public static Routes read(String text, Family family) {
        RouteReader reader = new RouteReader(family);
        for (Json item : JsonReader.read(text).items()) {
            reader.route(item.fields());
        }
        return new Routes(
                reader.routes.stream()
                        .sorted(Comparator.comparingInt(Ranked::metric))
                        .map(Ranked::route)
                        .toList(),
                reader.unread);
    }

    private void route(Json.Fields fields) {
        String table = fields.find("table").map(Json::text).orElse("main");
        if (table.equals("local")) {
            return;
        }
        String type = fields.find("type").map(Json::text).orElse("unicast");
        Json destination = fields.get("dst");
        if (!table.equals("main")) {
            leaveOut(fields, "a route of table " + table);
            return;
        }
        Cidr range = range(destination);
        Optional<Node.NextHop> hop =
                switch (type) {
                    case "unicast" -> hop(fields);
                    case "unreachable" -> nowhere(Node.AddressType.UNREACHABLE);
                    case "prohibit" -> nowhere(Node.AddressType.PROHIBIT);
                    case "blackhole" -> nowhere(Node.AddressType.BLACKHOLE);
                    // Multicast is none of the model's, addresses tell about the others.
                    case "multicast", "broadcast" -> Optional.empty();
                    default -> {
                        leaveOut(fields, "a route of type " + type);
                        yield Optional.empty();
                    }
                };
        int metric = fields.find("metric").map(Json::number).orElse(0);
        hop.ifPresent(h -> routes.add(new Ranked(new Node.Route(range, h), metric)));
    }

    private void leaveOut(Json.Fields fields, String what) {
        unread.add(
                new Ruleset.Unread(
                        fields.line(),
                        what + " to " + fields.get("dst").text() + " is not modelled"));
    }

    private static Optional<Node.NextHop> nowhere(Node.AddressType type) {
        return Optional.of(new Node.NextHop.Nowhere(type));
    }

    private Cidr range(Json destination) {
        String text = destination.text();
        if (text.equals("default")) {
            return Cidr.parse(
                    switch (family) {
                        case IPV4 -> "0.0.0.0/0";
                        case IPV6 -> "::/0";
                    });
        }
        try {
            Cidr range = Cidr.parse(text.indexOf('/') < 0 ? text + "/" + family.bits() : text);
            if (range.family() == family) {
                return range;
            }
        } catch (IllegalArgumentException _) {
            throw destination.wrong("a destination");
        }
        throw destination.wrong("a destination of the family");
    }

    /// Of several next hops the first is taken, and said so.
    private Optional<Node.NextHop> hop(Json.Fields fields) {
        if (fields.find("nexthops").isPresent()) {
            List<Json> hops = fields.get("nexthops").items();
            if (hops.size() > 1) {
                leaveOut(fields, "a choice of next hops");
            }
            return hops.isEmpty() ? Optional.empty() : hop(hops.getFirst().fields());
        }
        if (isDead(fields)) {
            return Optional.empty();
        }
        if (fields.find("dev").isEmpty()) {
            leaveOut(fields, "a route without a device");
            return Optional.empty();
        }
        String device = fields.get("dev").text();
        if (fields.find("via").isPresent()) {
            // The gateway is of the other family: which device matters, not which neighbour.
            return Optional.of(new Node.NextHop.Direct(device));
        }
        return Optional.of(
                fields.find("gateway")
                        .<Node.NextHop>map(
                                gateway ->
                                        new Node.NextHop.Via(
                                                AddressReader.address(gateway, family), device))
                        .orElseGet(() -> new Node.NextHop.Direct(device)));
    }

    private static boolean isDead(Json.Fields fields) {
        return fields.find("flags")
                .map(flags -> flags.items().stream().anyMatch(flag -> flag.text().equals("dead")))
                .orElse(false);
    }
}
