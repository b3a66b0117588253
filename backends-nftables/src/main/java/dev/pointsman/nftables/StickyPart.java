package dev.pointsman.nftables;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.Pool.Scope;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Treatment;
import dev.pointsman.netlink.NftExpression.Sense;
import dev.pointsman.netlink.NftValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The sets, maps and chains of one ServicePort with client affinity, which all its Frontends
/// share.
///
/// For every endpoint there is a set of the clients that go there and a chain that takes a client
/// there and remembers it. For every pool in use there is a chain that looks for the client in the
/// sets of the pool's endpoints, and picks one for a client that is in none. Removing an endpoint
/// removes its set and with it all ties; what the other sets remember stays.
final class StickyPart {
    /// `NFT_NAME_MAXLEN` of the kernel, less the final zero.
    private static final int LONGEST_NAME = 255;

    private static final int HASH_BYTES = 8;

    private final ServicePortName owner;
    private final Subject subject;
    private final Map<Scope, Pool> pools = new EnumMap<>(Scope.class);
    private final Map<Scope, Set<Routing.Pick>> picks = new EnumMap<>(Scope.class);
    private int seconds;

    /// The Frontends of one ServicePort have the same pools and time-out but for moments of a
    /// change that was split; then the first Frontend decides.
    private StickyPart(RuleGraph graph, ServicePortName owner) {
        this.owner = owner;
        subject = new Subject.Port(owner);
        for (Frontend frontend : graph.stickyFrontends(owner)) {
            Treatment treatment = graph.frontends().get(frontend);
            if (treatment != null) {
                collect(frontend, treatment);
            }
        }
    }

    static void write(RuleGraph graph, ServicePortName owner, NodePart node, Contents out) {
        new StickyPart(graph, owner).write(node, out);
    }

    static String chainName(Routing.Pick pick, Scope scope, ServicePortName owner) {
        return fit(pick.prefix() + "-" + word(scope) + "/" + path(owner));
    }

    private void collect(Frontend frontend, Treatment treatment) {
        if (seconds == 0 && treatment.affinity() instanceof Affinity.ClientIp(int timeout)) {
            seconds = timeout;
        }
        for (Pool pool : treatment.pools()) {
            pools.putIfAbsent(pool.scope(), pool);
        }
        switch (FrontendPart.routing(frontend, treatment)) {
            case Routing.Refused _, Routing.Dropped _ -> {}
            case Routing.Balanced(var pick, var scope, _) -> use(pick, scope);
            case Routing.ShortCircuit(_, int localSize) -> {
                use(Routing.Pick.SHORT_CIRCUIT_PICK, Scope.CLUSTER);
                if (localSize > 0) {
                    use(Routing.Pick.LOCAL_PICK, Scope.LOCAL);
                }
            }
        }
    }

    private void use(Routing.Pick pick, Scope scope) {
        Set<Routing.Pick> used = picks.computeIfAbsent(scope, _ -> EnumSet.of(Routing.Pick.PICK));
        used.add(pick);
    }

    private void write(NodePart node, Contents out) {
        Map<String, Endpoint> endpoints = new TreeMap<>();
        for (Pool pool : pools.values()) {
            for (Endpoint endpoint : pool.endpoints()) {
                endpoints.put(memoryName(owner, endpoint), endpoint);
            }
        }
        endpoints.forEach((name, endpoint) -> endpoint(name, endpoint, out));
        pools.forEach(
                (scope, pool) -> {
                    for (Routing.Pick pick : picks.getOrDefault(scope, Set.of())) {
                        switch (pick) {
                            case PICK -> list(scope, pool, out);
                            case MASQUERADE_PICK, POD_AWARE_PICK, SHORT_CIRCUIT_PICK, LOCAL_PICK ->
                                    lead(pick, scope, node, out);
                        }
                    }
                });
    }

    private void endpoint(String name, Endpoint endpoint, Contents out) {
        NamedSet memory =
                new NamedSet(name, Key.SOURCE, NamedSet.Kind.MEMORY, NamedSet.Role.FOLLOWED);
        out.add(memory, subject);
        out.add(
                Chain.of(
                        name,
                        Rule.of(new Statement.Remember(name, seconds)),
                        Rule.of(
                                new Statement.ProtocolIs(owner.protocol()),
                                new Statement.DnatTo(endpoint))),
                subject);
    }

    /// The chain that looks for the client, and its map from slot to endpoint.
    private void list(Scope scope, Pool pool, Contents out) {
        NamedSet choices = choices(scope, owner);
        out.add(choices, subject);
        List<Rule> rules = new ArrayList<>();
        int slot = 0;
        for (Endpoint endpoint : pool.endpoints()) {
            String name = memoryName(owner, endpoint);
            NftValue.Verdict there = new NftValue.Goto(name);
            rules.add(
                    Rule.of(
                            new Statement.InSet(Key.SOURCE, Sense.IN, name),
                            new Statement.Take(there)));
            out.add(Element.verdict(choices, KeyBytes.slot(new byte[0], slot++), there, subject));
        }
        rules.add(
                Rule.of(
                        new Statement.VerdictFrom(
                                Key.of(new Field.Slot(slot, 0)), choices.name())));
        out.add(Chain.of(chainName(Routing.Pick.PICK, scope, owner), rules), subject);
    }

    /// A chain that does something before it goes on to the list.
    private void lead(Routing.Pick pick, Scope scope, NodePart node, Contents out) {
        List<Rule> rules = new ArrayList<>(PickChain.head(pick, node));
        rules.add(
                Rule.of(
                        new Statement.Take(
                                new NftValue.Goto(chainName(Routing.Pick.PICK, scope, owner)))));
        out.add(Chain.of(chainName(pick, scope, owner), rules), subject);
    }

    /// The map from slot to endpoint of one pool.
    static NamedSet choices(Scope scope, ServicePortName owner) {
        return new NamedSet(
                fit("choices-" + word(scope) + "/" + path(owner)),
                Key.of(Field.Slot.ANY),
                NamedSet.Kind.VERDICTS,
                NamedSet.Role.FOLLOWED);
    }

    /// The set of the clients of an endpoint, and the chain that leads there.
    static String memoryName(ServicePortName owner, Endpoint endpoint) {
        String address = endpoint.address().toString().replace(':', '.');
        return fit("affinity/" + path(owner) + "/" + address + "/" + endpoint.port());
    }

    private static String path(ServicePortName owner) {
        return owner.service() + "/" + owner.protocol().keyword() + "/" + owner.port();
    }

    private static String word(Scope scope) {
        return scope.name().toLowerCase(Locale.ROOT);
    }

    /// Names that are too long for the kernel keep their beginning and get a hash of the whole.
    static String fit(String name) {
        if (name.length() <= LONGEST_NAME) {
            return name;
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(name.getBytes(StandardCharsets.US_ASCII));
            String suffix = "-" + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
            return name.substring(0, LONGEST_NAME - suffix.length()) + suffix;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
