package dev.pointsman.packet.read;

import java.util.Map;
import java.util.stream.Collectors;

/// Says sets, maps and their elements in nft's language.
final class NftJsonSet {
    private NftJsonSet() {}

    /// What stands in the braces of a declaration. Something that makes it another set than it
    /// seems is said as well, and [NftReader] trusts no such set.
    static String parts(Json.Fields set) {
        StringBuilder parts = new StringBuilder(type(set));
        for (Map.Entry<String, Json> part : set.values().entrySet()) {
            switch (part.getKey()) {
                case "family", "table", "name", "handle", "type", "map", "comment" -> {}
                case "flags", "size", "gc-interval", "policy", "auto-merge" -> {}
                case "timeout" -> parts.append("timeout ").append(seconds(part.getValue()));
                case "elem" -> parts.append("elements = ").append(elements(part.getValue()));
                default -> parts.append(NftJsonText.unknown(part.getKey()));
            }
            parts.append("; ");
        }
        return parts.toString();
    }

    private static String type(Json.Fields set) {
        Json key = set.get("type");
        String types =
                key instanceof Json.Fields declared
                        ? "typeof " + NftJsonText.expression(declared.get("typeof"))
                        : "type " + types(key);
        return types + set.find("map").map(value -> " : " + value(value)).orElse("") + "; ";
    }

    private static String value(Json value) {
        return value instanceof Json.Fields declared
                ? NftJsonText.expression(declared.get("typeof"))
                : types(value);
    }

    /// One type, several in a list, or several in one string.
    private static String types(Json types) {
        return types instanceof Json.Items(var items, _, _)
                ? items.stream().map(NftJsonText::word).collect(Collectors.joining(" . "))
                : NftJsonText.words(types);
    }

    static String elements(Json elements) {
        try {
            return elements.items().stream()
                    .map(NftJsonSet::element)
                    .collect(Collectors.joining(", ", "{ ", " }"));
        } catch (NotUnderstood e) {
            return "{ } " + NftJsonText.unknown(e.what());
        }
    }

    /// A key, or what a map has for one.
    private static String element(Json element) {
        if (element instanceof Json.Items(var pair, _, _)) {
            if (pair.size() != 2) {
                throw element.wrong("a key and its value");
            }
            return key(pair.getFirst()) + " : " + NftJsonText.verdictOrValue(pair.getLast());
        }
        return key(element);
    }

    /// A key alone, or with what else is told of the element.
    static String key(Json key) {
        if (!(key instanceof Json.Fields fields) || fields.find("elem").isEmpty()) {
            return NftJsonText.expression(key);
        }
        Json.Fields told = fields.get("elem").fields();
        StringBuilder text = new StringBuilder(NftJsonText.expression(told.get("val")));
        for (Map.Entry<String, Json> part : told.values().entrySet()) {
            switch (part.getKey()) {
                case "val", "comment", "counter" -> {}
                case "timeout", "expires" ->
                        text.append(' ')
                                .append(part.getKey())
                                .append(' ')
                                .append(seconds(part.getValue()));
                default -> throw new NotUnderstood("element with " + part.getKey());
            }
        }
        return text.toString();
    }

    private static String seconds(Json number) {
        return number.number() + "s";
    }

    /// The braces in a rule, the name of a set, or a constant.
    static String reference(Json set) {
        return set instanceof Json.Fields fields && fields.find("set").isPresent()
                ? elements(fields.get("set"))
                : NftJsonText.expression(set);
    }
}
