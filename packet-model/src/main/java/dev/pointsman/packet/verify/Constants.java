package dev.pointsman.packet.verify;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Chain;
import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Elements;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Rule;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Table;
import dev.pointsman.packet.netfilter.Value;
import dev.pointsman.packet.netfilter.VirtualServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What the rules of one family compare flows with.
final class Constants {
    /// A chain, by the title of its table.
    record Place(String table, String chain) {}

    private record Looked(String table, List<Operand> key, Object in) {}

    /// Rules with more combinations than this have their fields cut one by one.
    private static final int COMBINATIONS = 1024;

    /// Destinations that something names together with a port.
    final Set<Mention> tuples = new LinkedHashSet<>();

    /// Ports that something names whatever the destination.
    final Set<Mention> ports = new LinkedHashSet<>();

    final Set<Atom> destinations = new LinkedHashSet<>();

    /// Source questions of base chains, which every packet meets.
    final Set<Atom> sources = new LinkedHashSet<>();

    /// Those of other chains.
    final Map<Place, Set<Atom>> sourcesOfChains = new HashMap<>();

    /// Sources that are only asked for together with one destination.
    final Map<Value, Set<Range>> sourcesOfDestinations = new HashMap<>();

    private final Set<Looked> seen = new HashSet<>();

    static Constants of(Ruleset rules, Family family) {
        Constants constants = new Constants();
        for (Table table : rules.tables()) {
            if (table.scope().covers(family)) {
                for (Chain chain : table.chains().values()) {
                    Set<Atom> atoms =
                            switch (chain.attachment()) {
                                case Chain.Attachment.Hooked _ -> constants.sources;
                                case Chain.Attachment.Called _ ->
                                        constants.sourcesOfChains.computeIfAbsent(
                                                new Place(table.title(), chain.name()),
                                                _ -> new LinkedHashSet<>());
                            };
                    for (Rule rule : chain.rules()) {
                        constants.take(table, rule, atoms);
                    }
                }
            }
        }
        rules.ipvs().servers().stream()
                .map(VirtualServer::traffic)
                .filter(traffic -> traffic.family() == family)
                .forEach(constants::take);
        return constants;
    }

    private void take(VirtualServer.Traffic traffic) {
        if (traffic instanceof VirtualServer.Traffic.To(int protocol, var address, int port)) {
            Mention mention =
                    Mention.NOTHING
                            .with(Mention.Dimension.DESTINATION, Range.of(Value.of(address)))
                            .with(Mention.Dimension.PROTOCOL, Range.of(Value.of(protocol)));
            sort(
                    port == 0
                            ? mention
                            : mention.with(Mention.Dimension.PORT, Range.of(Value.of(port))));
        }
    }

    private void take(Table table, Rule rule, Set<Atom> sourceAtoms) {
        List<Mention> plain = List.of(Mention.NOTHING);
        List<Comparison> comparisons = Comparison.of(rule);
        // What a rule says besides a negation holds for everything but what is negated, so that its
        // fields are no one combination.
        boolean whole = comparisons.stream().noneMatch(Comparison::isNegated);
        Optional<Value> only =
                whole
                        ? comparisons.stream()
                                .flatMap(c -> destination(c, table).stream())
                                .findAny()
                        : Optional.empty();
        for (Comparison comparison : comparisons) {
            if (comparison.key().size() == 1) {
                Optional<Mention.Dimension> dimension =
                        Comparison.dimension(comparison.key().getFirst());
                if (dimension.equals(Optional.of(Mention.Dimension.SOURCE))) {
                    askSources(comparison.elements(table), only, sourceAtoms);
                } else if (dimension.isPresent()) {
                    plain = single(dimension.get(), comparison.elements(table), whole, plain);
                }
            } else if (seen.add(new Looked(table.title(), comparison.key(), comparison.in()))) {
                concatenated(comparison, comparison.elements(table));
            }
        }
        plain.forEach(this::sort);
    }

    private List<Mention> single(
            Mention.Dimension dimension, Elements elements, boolean whole, List<Mention> plain) {
        if (dimension == Mention.Dimension.DESTINATION && !isOne(elements)) {
            destinations.add(new Atom.Found(elements));
            return plain;
        }
        if (!whole || (long) plain.size() * elements.all().size() > COMBINATIONS) {
            elements.all().forEach(e -> sort(Mention.NOTHING.with(dimension, e.key().getFirst())));
            return plain;
        }
        List<Mention> product = new ArrayList<>();
        for (Mention mention : plain) {
            for (Element element : elements.all()) {
                product.add(mention.with(dimension, element.key().getFirst()));
            }
        }
        return product.isEmpty() ? plain : product;
    }

    /// The destination that the whole rule is about, if this names it alone.
    private static Optional<Value> destination(Comparison comparison, Table table) {
        Elements elements = comparison.elements(table);
        return comparison.key().size() == 1
                        && Comparison.dimension(comparison.key().getFirst())
                                .equals(Optional.of(Mention.Dimension.DESTINATION))
                        && isOne(elements)
                ? Optional.of(elements.all().getFirst().key().getFirst().low())
                : Optional.empty();
    }

    private static boolean isOne(Elements elements) {
        return elements.all().size() == 1 && elements.all().getFirst().key().getFirst().isSingle();
    }

    private void askSources(Elements elements, Optional<Value> only, Set<Atom> sourceAtoms) {
        if (only.isEmpty()) {
            sourceAtoms.add(new Atom.Found(elements));
            return;
        }
        Set<Range> ranges =
                sourcesOfDestinations.computeIfAbsent(only.get(), _ -> new LinkedHashSet<>());
        elements.all().forEach(element -> ranges.add(element.key().getFirst()));
    }

    private void concatenated(Comparison comparison, Elements elements) {
        List<Optional<Mention.Dimension>> dimensions =
                comparison.key().stream().map(Comparison::dimension).toList();
        List<Element> alone = new ArrayList<>();
        for (Element element : elements.all()) {
            Mention mention = Mention.NOTHING;
            for (int i = 0; i < dimensions.size() && i < element.key().size(); i++) {
                if (dimensions.get(i).isPresent()) {
                    mention = mention.with(dimensions.get(i).get(), element.key().get(i));
                }
            }
            if (mention.port().equals(Range.ANY)
                    && !mention.destination().equals(Range.ANY)
                    && !mention.source().equals(Range.ANY)) {
                alone.add(Element.of(mention.destination()));
                mention = withoutSource(mention).with(Mention.Dimension.DESTINATION, Range.ANY);
            }
            sort(mention);
        }
        if (!alone.isEmpty()) {
            destinations.add(new Atom.Found(new Elements(alone)));
        }
    }

    private void sort(Mention whole) {
        Mention mention = withoutSource(whole);
        if (mention.namesOneDestination()) {
            tuples.add(mention);
            return;
        }
        if (!mention.destination().equals(Range.ANY)) {
            destinations.add(new Atom.Within(mention.destination()));
        }
        if (!mention.port().equals(Range.ANY)) {
            ports.add(mention.with(Mention.Dimension.DESTINATION, Range.ANY));
        }
    }

    /// Keeps what is asked of the source, which has classes for each destination.
    private Mention withoutSource(Mention mention) {
        if (!mention.source().equals(Range.ANY)) {
            if (mention.destination().isSingle()) {
                sourcesOfDestinations
                        .computeIfAbsent(mention.destination().low(), _ -> new LinkedHashSet<>())
                        .add(mention.source());
            } else {
                sources.add(new Atom.Within(mention.source()));
            }
        }
        return mention.with(Mention.Dimension.SOURCE, Range.ANY);
    }
}
