package dev.pointsman.perf.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// One condition of a label or field selector.
///
/// @param values empty where only presence matters
record Requirement(String key, Relation relation, Set<String> values) {
    enum Relation {
        IN,
        NOT_IN,
        PRESENT,
        ABSENT
    }

    /// A condition up to the next comma or the end, in each of its forms.
    private static final Pattern CONDITION =
            Pattern.compile(
                    """
                    \\s*(?:\
                    !\\s*(?<absent>[\\w./-]+)\
                    |(?<key>[\\w./-]+)\\s*(?:\
                    (?<not>!)?==?\\s*(?<value>[\\w.:-]*)\
                    |\\s(?<out>not)?in\\s*\\((?<values>[^()]*)\\)\
                    |))\\s*(?:,|$)""");

    Requirement {
        values = Set.copyOf(values);
    }

    /// All conditions of `selector`, which all have to hold.
    static List<Requirement> all(String selector) throws Refusal {
        List<Requirement> requirements = new ArrayList<>();
        Matcher condition = CONDITION.matcher(selector);
        while (condition.regionStart() < selector.length()) {
            if (!condition.lookingAt()) {
                throw Refusal.badRequest(
                        "unable to parse requirement: "
                                + selector.substring(condition.regionStart()));
            }
            requirements.add(of(condition));
            condition.region(condition.end(), selector.length());
        }
        return requirements;
    }

    private static Requirement of(Matcher condition) {
        String absent = condition.group("absent");
        if (absent != null) {
            return new Requirement(absent, Relation.ABSENT, Set.of());
        }
        String key = condition.group("key");
        String value = condition.group("value");
        if (value != null) {
            return new Requirement(
                    key,
                    condition.group("not") == null ? Relation.IN : Relation.NOT_IN,
                    Set.of(value));
        }
        String values = condition.group("values");
        if (values != null) {
            return new Requirement(
                    key,
                    condition.group("out") == null ? Relation.IN : Relation.NOT_IN,
                    Arrays.stream(values.split(","))
                            .map(String::strip)
                            .collect(Collectors.toSet()));
        }
        return new Requirement(key, Relation.PRESENT, Set.of());
    }

    boolean holds(Map<String, String> of) {
        String value = of.get(key);
        return switch (relation) {
            case IN -> value != null && values.contains(value);
            case NOT_IN -> value == null || !values.contains(value);
            case PRESENT -> value != null;
            case ABSENT -> value == null;
        };
    }
}
