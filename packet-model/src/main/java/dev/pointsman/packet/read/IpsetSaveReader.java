package dev.pointsman.packet.read;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Elements;
import dev.pointsman.packet.netfilter.NamedSet;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Table;
import dev.pointsman.packet.netfilter.Value;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Reads what `ipset save` prints (ipset(8)), and the scripts for `ipset restore` that change a
/// kernel without sets: commands, each done after the one before. Sets with MAC addresses,
/// exceptions (`nomatch`), masks of their own or ICMP messages are opaque; so are lists of sets of
/// different kinds.
public final class IpsetSaveReader {

    /// A set while it is read.
    private static final class Draft {
        private final String kind;
        private final List<Ipsets.Field> fields;
        private final Family family;
        private final Map<List<Range>, Element> elements = new LinkedHashMap<>();
        private final List<String> members = new ArrayList<>();
        private long timeout = Element.FOREVER;
        private String opaque = "";

        Draft(String kind, List<Ipsets.Field> fields, Family family) {
            this.kind = kind;
            this.fields = fields;
            this.family = family;
        }

        void flush() {
            elements.clear();
            members.clear();
        }

        boolean isLike(Draft other) {
            return fields.equals(other.fields) && family == other.family;
        }

        Table.Scope scope() {
            if (!fields.contains(Ipsets.Field.ADDRESS)) {
                return Table.Scope.INET;
            }
            return switch (family) {
                case IPV4 -> Table.Scope.IP;
                case IPV6 -> Table.Scope.IP6;
            };
        }
    }

    /// What commands do about what is there already, or is gone already.
    enum Repeated {
        REFUSED,
        /// `ipset -exist`.
        TAKEN
    }

    private final Repeated repeated;
    private final Map<String, Draft> drafts = new TreeMap<>();

    private IpsetSaveReader(Repeated repeated) {
        this.repeated = repeated;
    }

    /// The sets of a node.
    ///
    /// @throws SyntaxException where the text is not that of ipset save
    /// @throws UncheckedIOException when `text` cannot be read
    public static Ipsets read(Reader text) {
        return read(text, Repeated.REFUSED);
    }

    static Ipsets read(Reader text, Repeated repeated) {
        IpsetSaveReader reader = new IpsetSaveReader(repeated);
        try (BufferedReader lines = new BufferedReader(text)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank() && !line.startsWith("#")) {
                    reader.line(new SavedLine(number, line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return reader.finished();
    }

    public static Ipsets read(String text) {
        return read(new StringReader(text));
    }

    private void line(SavedLine line) {
        switch (line.next("a command of ipset")) {
            case "create" -> create(line);
            case "add" -> add(line);
            case "del" -> remove(line);
            case "flush" -> {
                for (String name : named(line)) {
                    known(name, line).flush();
                }
            }
            case "destroy" -> {
                for (String name : named(line)) {
                    known(name, line);
                    drafts.remove(name);
                }
            }
            case "swap" -> swap(line);
            case "COMMIT" -> line.end("the line");
            default -> throw line.wrong("create, add, del, flush, swap or destroy");
        }
    }

    private void create(SavedLine line) {
        String name = line.next("a name");
        Draft before = drafts.get(name);
        if (before != null && repeated == Repeated.REFUSED) {
            throw line.wrong("a name that is new");
        }
        String kind = line.next("a kind of set");
        Family family = Family.IPV4;
        long timeout = Element.FOREVER;
        String opaque = "";
        while (line.hasNext()) {
            String option = line.next("an option");
            switch (option) {
                case "family" -> family = family(line);
                case "timeout" -> timeout = seconds(line);
                case "hashsize", "maxelem", "bucketsize", "initval", "size", "range", "gc" ->
                        line.next("a value");
                case "counters", "comment", "skbinfo", "forceadd" -> {}
                case "netmask", "bitmask", "markmask" -> {
                    line.next("a mask");
                    opaque = "which has a " + option;
                }
                default -> opaque = "whose " + option + " is not known";
            }
        }
        Draft draft = new Draft(kind, fields(kind), family);
        if (before != null) {
            if (!before.kind.equals(kind) || !before.isLike(draft)) {
                throw line.wrong("the set that is there already");
            }
            return;
        }
        draft.timeout = timeout;
        draft.opaque =
                draft.fields.isEmpty() && !kind.equals("list:set") ? "of kind " + kind : opaque;
        drafts.put(name, draft);
    }

    private static Family family(SavedLine line) {
        return switch (line.next("a family")) {
            case "inet" -> Family.IPV4;
            case "inet6" -> Family.IPV6;
            default -> throw line.wrong("inet or inet6");
        };
    }

    /// What is kept without end has no seconds left, or 0.
    private static long seconds(SavedLine line) {
        long seconds = line.number(Integer.MAX_VALUE);
        return seconds == 0 ? Element.FOREVER : seconds * 1000;
    }

    /// Empty where the kind is not modelled.
    private static List<Ipsets.Field> fields(String kind) {
        if (kind.equals("bitmap:port")) {
            return List.of(Ipsets.Field.BARE_PORT);
        }
        int colon = kind.indexOf(':');
        if (colon < 0 || kind.startsWith("list")) {
            return List.of();
        }
        List<Ipsets.Field> fields = new ArrayList<>();
        for (String part : kind.substring(colon + 1).split(",", -1)) {
            switch (part) {
                case "ip", "net" -> fields.add(Ipsets.Field.ADDRESS);
                case "port" -> fields.add(Ipsets.Field.PORT);
                case "iface" -> fields.add(Ipsets.Field.INTERFACE);
                case "mark" -> fields.add(Ipsets.Field.MARK);
                default -> {
                    return List.of();
                }
            }
        }
        return fields;
    }

    private void add(SavedLine line) {
        Draft draft = known(line.next("a set"), line);
        String word = line.next("an element");
        if (draft.kind.equals("list:set")) {
            if (!drafts.containsKey(word)) {
                throw line.wrong("a set that was created before");
            }
            draft.members.add(word);
        } else if (draft.opaque.isEmpty()) {
            try {
                element(draft, word, line);
            } catch (NotUnderstood e) {
                draft.opaque = "with " + e.getMessage();
            }
        }
    }

    private void remove(SavedLine line) {
        Draft draft = known(line.next("a set"), line);
        String word = line.next("an element");
        line.end("the line");
        boolean removed = true;
        if (draft.kind.equals("list:set")) {
            removed = draft.members.remove(word);
        } else if (draft.opaque.isEmpty()) {
            try {
                removed = draft.elements.remove(key(draft, word, line)) != null;
            } catch (NotUnderstood e) {
                draft.opaque = "with " + e.getMessage();
            }
        }
        if (!removed && repeated == Repeated.REFUSED) {
            throw line.wrong("an element that was added before");
        }
    }

    private void swap(SavedLine line) {
        String first = line.next("a set");
        Draft one = known(first, line);
        String second = line.next("a set");
        Draft other = known(second, line);
        line.end("the line");
        if (!one.kind.equals(other.kind) || !one.isLike(other)) {
            throw line.wrong("a set of the same kind");
        }
        drafts.put(first, other);
        drafts.put(second, one);
    }

    private Draft known(String name, SavedLine line) {
        Draft draft = drafts.get(name);
        if (draft == null) {
            throw line.wrong("a set that was created before");
        }
        return draft;
    }

    /// The set that the line names, or all.
    private List<String> named(SavedLine line) {
        if (!line.hasNext()) {
            return List.copyOf(drafts.keySet());
        }
        String name = line.next("a set");
        line.end("the line");
        return List.of(name);
    }

    private static List<Range> key(Draft draft, String word, SavedLine line) {
        String[] parts = word.split(",", -1);
        if (parts.length != draft.fields.size()) {
            throw line.wrong("an element of " + draft.fields.size() + " parts");
        }
        List<Range> key = new ArrayList<>();
        for (int i = 0; i < parts.length; i++) {
            part(draft, i, parts[i], line, key);
        }
        return key;
    }

    private static void element(Draft draft, String word, SavedLine line) {
        List<Range> key = key(draft, word, line);
        long until = draft.timeout;
        while (line.hasNext()) {
            switch (line.next("an option")) {
                case "timeout" -> until = seconds(line);
                case "packets", "bytes", "comment", "skbmark", "skbprio", "skbqueue" ->
                        line.next("a value");
                case "nomatch" -> throw new NotUnderstood("nomatch");
                default -> throw line.wrong("an option of an element");
            }
        }
        draft.elements.put(key, new Element(key, new Element.Data.None(), until, line.line()));
    }

    private static void part(Draft draft, int place, String word, SavedLine line, List<Range> key) {
        switch (draft.fields.get(place)) {
            case ADDRESS -> key.add(addresses(word, draft.family, line));
            case PORT -> {
                int colon = word.indexOf(':');
                String protocol = colon < 0 ? "tcp" : word.substring(0, colon);
                if (protocol.startsWith("icmp")) {
                    throw new NotUnderstood("ICMP messages");
                }
                key.add(Range.of(Value.of(Protocols.number(protocol, line))));
                key.add(ports(word.substring(colon + 1), line));
            }
            case BARE_PORT -> key.add(ports(word, line));
            case INTERFACE -> {
                if (word.startsWith("physdev:")) {
                    throw new NotUnderstood("bridge ports");
                }
                key.add(
                        word.endsWith("*")
                                ? Range.startingWith(word.substring(0, word.length() - 1))
                                : Range.of(new Value.Name(word)));
            }
            case MARK -> key.add(Range.of(Value.of(line.number(word, MarkMask.ALL))));
        }
    }

    private static Range addresses(String word, Family family, SavedLine line) {
        int dash = word.indexOf('-');
        if (dash >= 0) {
            IpAddress low = line.address(word.substring(0, dash), family);
            IpAddress high = line.address(word.substring(dash + 1), family);
            if (low.compareTo(high) > 0) {
                throw line.wrong("a range of addresses");
            }
            return new Range(Value.of(low), Value.of(high));
        }
        int slash = word.indexOf('/');
        return slash < 0
                ? Range.of(Value.of(line.address(word, family)))
                : Range.of(
                        new Cidr(
                                line.address(word.substring(0, slash), family),
                                (int) line.number(word.substring(slash + 1), family.bits())));
    }

    private static Range ports(String word, SavedLine line) {
        return PortMatch.range(word.replace('-', ':'), line);
    }

    private Ipsets finished() {
        Map<String, Ipsets.Ipset> sets = new TreeMap<>();
        drafts.forEach(
                (name, draft) ->
                        sets.put(
                                name,
                                draft.kind.equals("list:set")
                                        ? union(name, draft)
                                        : finished(name, draft, draft.elements)));
        return new Ipsets(new TreeMap<>(sets));
    }

    private static Ipsets.Ipset finished(
            String name, Draft draft, Map<List<Range>, Element> elements) {
        return draft.opaque.isEmpty()
                ? new Ipsets.Ipset.Understood(
                        draft.scope(),
                        draft.fields,
                        new NamedSet(name, new Elements(elements.values()), draft.timeout))
                : new Ipsets.Ipset.Opaque(draft.opaque);
    }

    /// A list of sets has what any of them has.
    private Ipsets.Ipset union(String name, Draft list) {
        Map<List<Range>, Element> elements = new LinkedHashMap<>();
        Draft first = list;
        for (String member : list.members) {
            Draft draft = drafts.getOrDefault(member, list);
            if (!draft.opaque.isEmpty() || draft == list || draft.kind.equals("list:set")) {
                return new Ipsets.Ipset.Opaque("a list with " + member + " in it");
            }
            if (first != list && !draft.isLike(first)) {
                return new Ipsets.Ipset.Opaque("a list of sets of different kinds");
            }
            first = draft;
            elements.putAll(draft.elements);
        }
        return first == list
                ? new Ipsets.Ipset.Opaque("an empty list")
                : finished(name, first, elements);
    }
}
