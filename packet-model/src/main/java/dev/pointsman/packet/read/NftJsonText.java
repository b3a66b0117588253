package dev.pointsman.packet.read;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Says statements and expressions in nft's language.
final class NftJsonText {
    private static final Pattern BARE = Pattern.compile("@?[A-Za-z0-9_./:*+%\\\\-]+");
    private static final Pattern QUOTABLE = Pattern.compile("[^\"\\p{Cntrl}]*");

    /// One statement, and nothing that could begin another command.
    private static final Pattern SPOKEN = Pattern.compile("[^\"#;\\\\\\p{Cntrl}]+");

    /// No word of nft: what follows in a rule or set is not understood.
    private static final String UNKNOWN = "json";

    private NftJsonText() {}

    static String unknown(String what) {
        return UNKNOWN + " \"" + what.replaceAll("[\"\\p{Cntrl}]", " ") + "\"";
    }

    /// Those of a rule, up to one that nft's language or this has no words for.
    static String statements(List<Json> statements) {
        StringBuilder text = new StringBuilder();
        for (Json statement : statements) {
            try {
                text.append(statement(statement)).append(' ');
            } catch (NotUnderstood e) {
                return text + unknown(e.what());
            }
        }
        return text.toString().strip();
    }

    private static String statement(Json json) {
        if (json instanceof Json.Text(String text, _, _)) {
            return spoken(text);
        }
        Map.Entry<String, Json> statement = only(json);
        Json about = statement.getValue();
        return switch (statement.getKey()) {
            case "match" -> match(about.fields());
            case "accept", "drop", "continue", "return", "jump", "goto" -> verdictOrValue(json);
            case "counter", "log", "notrack" -> statement.getKey();
            case "limit" -> limit(about);
            case "reject" -> reject(about);
            case "mangle" ->
                    expression(about.fields().get("key"))
                            + " set "
                            + expression(about.fields().get("value"));
            case "vmap" ->
                    expression(about.fields().get("key"))
                            + " vmap "
                            + NftJsonSet.reference(about.fields().get("data"));
            case "dnat", "snat", "masquerade", "redirect" ->
                    statement.getKey() + translation(about);
            case "set" -> update(about.fields(), "set");
            case "map" -> update(about.fields(), "map");
            case "xt" ->
                    about instanceof Json.Fields xt
                            ? "xt " + word(xt.get("type")) + " " + word(xt.get("name"))
                            : "xt unknown unknown";
            default -> throw new NotUnderstood(statement.getKey());
        };
    }

    /// What nft has no JSON for it says in its own language, maps' updates before 1.0.7 for one.
    private static String spoken(String text) {
        if (!SPOKEN.matcher(text).matches()) {
            throw new NotUnderstood(text);
        }
        return text;
    }

    /// The name of an object that has but one field, and what it has.
    private static Map.Entry<String, Json> only(Json json) {
        Map<String, Json> fields = json.fields().values();
        if (fields.size() != 1) {
            throw new NotUnderstood(String.join(" ", fields.keySet()));
        }
        return fields.entrySet().iterator().next();
    }

    /// `in` is how bits are compared without an operator.
    private static String match(Json.Fields match) {
        String operator =
                switch (match.get("op").text()) {
                    case "in" -> " ";
                    case "==", "!=", "<", ">", "<=", ">=" -> " " + match.get("op").text() + " ";
                    default -> throw new NotUnderstood("operator " + match.get("op").text());
                };
        return expression(match.get("left")) + operator + NftJsonSet.reference(match.get("right"));
    }

    static String verdictOrValue(Json json) {
        if (!(json instanceof Json.Fields fields) || fields.values().size() != 1) {
            return expression(json);
        }
        Map.Entry<String, Json> verdict = only(json);
        return switch (verdict.getKey()) {
            case "accept", "drop", "continue", "return" -> verdict.getKey();
            case "jump", "goto" ->
                    verdict.getKey() + " " + word(verdict.getValue().fields().get("target"));
            default -> expression(json);
        };
    }

    private static String limit(Json limit) {
        if (!(limit instanceof Json.Fields rate)) {
            throw new NotUnderstood("limit");
        }
        boolean over = rate.find("inv").map(NftJsonText::isTrue).orElse(false);
        return "limit rate "
                + (over ? "over " : "")
                + rate.get("rate").number()
                + "/"
                + word(rate.get("per"));
    }

    private static boolean isTrue(Json json) {
        return json instanceof Json.Literal(String value, _, _) && value.equals("true");
    }

    private static String reject(Json reject) {
        if (!(reject instanceof Json.Fields how) || how.find("type").isEmpty()) {
            return "reject";
        }
        return "reject with "
                + words(how.get("type"))
                + how.find("expr").map(kind -> " " + word(kind)).orElse("");
    }

    private static String translation(Json translation) {
        if (!(translation instanceof Json.Fields fields)) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        fields.find("family").ifPresent(family -> text.append(' ').append(word(family)));
        if (fields.find("addr").isPresent() || fields.find("port").isPresent()) {
            text.append(" to");
        }
        fields.find("addr").ifPresent(address -> text.append(' ').append(address(address)));
        fields.find("port").ifPresent(port -> text.append(" : ").append(expression(port)));
        fields.find("flags").ifPresent(flags -> text.append(' ').append(flags(flags)));
        for (String name : fields.values().keySet()) {
            switch (name) {
                case "family", "addr", "port", "flags" -> {}
                default -> throw new NotUnderstood("translation with " + name);
            }
        }
        return text.toString();
    }

    private static String address(Json address) {
        String text = expression(address);
        return address instanceof Json.Text && text.indexOf(':') >= 0 ? "[ " + text + " ]" : text;
    }

    private static String update(Json.Fields update, String kind) {
        return word(update.get("op"))
                + " "
                + word(update.get(kind))
                + " { "
                + NftJsonSet.key(update.get("elem"))
                + update.find("data").map(data -> " : " + expression(data)).orElse("")
                + " }";
    }

    static String expression(Json json) {
        return switch (json) {
            case Json.Text _ -> word(json);
            case Json.Literal(String value, _, _) -> value;
            case Json.Items _ -> flags(json);
            case Json.Fields _ -> compound(only(json));
        };
    }

    private static String compound(Map.Entry<String, Json> expression) {
        Json about = expression.getValue();
        return switch (expression.getKey()) {
            case "payload" -> {
                if (about.fields().find("protocol").isEmpty()) {
                    throw new NotUnderstood("raw payload");
                }
                yield word(about.fields().get("protocol"))
                        + " "
                        + word(about.fields().get("field"));
            }
            case "meta" -> "meta " + word(about.fields().get("key"));
            case "ct" -> connection(about.fields());
            case "fib" ->
                    "fib "
                            + listed(about.fields().get("flags"), " . ")
                            + " "
                            + word(about.fields().get("result"));
            case "numgen" ->
                    "numgen "
                            + word(about.fields().get("mode"))
                            + " mod "
                            + expression(about.fields().get("mod"))
                            + about.fields()
                                    .find("offset")
                                    .map(offset -> " offset " + expression(offset))
                                    .orElse("");
            case "map" ->
                    expression(about.fields().get("key"))
                            + " map "
                            + NftJsonSet.reference(about.fields().get("data"));
            case "concat" ->
                    about.items().stream()
                            .map(NftJsonText::enclosed)
                            .collect(Collectors.joining(" . "));
            case "&", "|", "^", "<<", ">>" -> {
                if (about.items().isEmpty()) {
                    throw about.wrong("an operand for " + expression.getKey());
                }
                yield expression(about.items().getFirst())
                        + about.items().stream()
                                .skip(1)
                                .map(right -> " " + expression.getKey() + " " + enclosed(right))
                                .collect(Collectors.joining());
            }
            case "prefix" ->
                    expression(about.fields().get("addr"))
                            + "/"
                            + about.fields().get("len").number();
            case "range" ->
                    about.items().stream()
                            .map(NftJsonText::expression)
                            .collect(Collectors.joining("-"));
            default -> throw new NotUnderstood(expression.getKey());
        };
    }

    private static String connection(Json.Fields key) {
        return "ct "
                + key.find("dir").map(direction -> word(direction) + " ").orElse("")
                + key.find("family").map(family -> word(family) + " ").orElse("")
                + words(key.get("key"));
    }

    /// In parentheses if nft's language would bind its parts to what is beside it.
    private static String enclosed(Json json) {
        boolean several =
                json instanceof Json.Items
                        || json instanceof Json.Fields
                                && List.of("&", "|", "^", "map").contains(only(json).getKey());
        return several ? "(" + expression(json) + ")" : expression(json);
    }

    /// One or several words.
    static String flags(Json flags) {
        return listed(flags, ",");
    }

    private static String listed(Json words, String between) {
        return words instanceof Json.Items(var items, _, _)
                ? items.stream().map(NftJsonText::expression).collect(Collectors.joining(between))
                : expression(words);
    }

    /// A name or constant as one word.
    static String word(Json json) {
        String text = json.text();
        if (BARE.matcher(text).matches()) {
            return text;
        }
        if (!QUOTABLE.matcher(text).matches()) {
            throw json.wrong("a name without quotes");
        }
        return '"' + text + '"';
    }

    /// Several words in one string.
    static String words(Json json) {
        for (String word : json.text().split(" ", -1)) {
            if (!BARE.matcher(word).matches()) {
                throw json.wrong("words");
            }
        }
        return json.text();
    }
}
