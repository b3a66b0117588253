package dev.pointsman.kube;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// A value of an object and the way to it. Reads as what the API says the field is, or says why it
/// cannot; an absent field reads as the API's zero value.
record Field(Tree value, Path path) {
    /// The way from the object to one of its values, spelt out only when something is wrong.
    sealed interface Path {
        record Root() implements Path {}

        record Member(Path parent, String name) implements Path {}

        record Item(Path parent, int index) implements Path {}

        /// Such as `spec.ports[0].port`.
        default String spelt() {
            return switch (this) {
                case Root() -> "";
                case Member(Root(), var name) -> name;
                case Member(var parent, var name) -> parent.spelt() + "." + name;
                case Item(var parent, var index) -> parent.spelt() + "[" + index + "]";
            };
        }
    }

    static Field root(Tree.Fields object) {
        return new Field(object, new Path.Root());
    }

    boolean present() {
        return !(value instanceof Tree.Absent);
    }

    Field get(String name) {
        assert TreeReader.reads(name) : name + " is never kept";
        Tree member =
                switch (value) {
                    case Tree.Fields fields -> fields.get(name);
                    case Tree.Absent absent -> absent;
                    case Tree.Text _, Tree.Digits _, Tree.Flag _, Tree.Items _ ->
                            throw not("an object");
                };
        return new Field(member, new Path.Member(path, name));
    }

    List<Field> items() {
        return switch (value) {
            case Tree.Items(var values) -> {
                List<Field> items = new ArrayList<>(values.size());
                for (Tree item : values) {
                    items.add(new Field(item, new Path.Item(path, items.size())));
                }
                yield items;
            }
            case Tree.Absent _ -> List.of();
            case Tree.Text _, Tree.Digits _, Tree.Flag _, Tree.Fields _ -> throw not("a list");
        };
    }

    /// Empty when absent.
    String text() {
        return switch (value) {
            case Tree.Text(String text) -> text;
            case Tree.Absent _ -> "";
            case Tree.Digits _, Tree.Flag _, Tree.Items _, Tree.Fields _ -> throw not("text");
        };
    }

    boolean flag(boolean whenAbsent) {
        return switch (value) {
            case Tree.Flag(boolean flag) -> flag;
            case Tree.Absent _ -> whenAbsent;
            case Tree.Digits _, Tree.Text _, Tree.Items _, Tree.Fields _ ->
                    throw not("true or false");
        };
    }

    /// A number within `min`..`max`.
    int number(int min, int max, int whenAbsent) {
        return switch (value) {
            case Tree.Digits(String digits) -> {
                try {
                    int number = Integer.parseInt(digits);
                    if (number >= min && number <= max) {
                        yield number;
                    }
                    throw malformed(digits + " is not within " + min + ".." + max);
                } catch (NumberFormatException e) {
                    throw malformed(
                            Quote.plain(digits)
                                    + " is not a whole number within "
                                    + min
                                    + ".."
                                    + max);
                }
            }
            case Tree.Absent _ -> whenAbsent;
            case Tree.Text _, Tree.Flag _, Tree.Items _, Tree.Fields _ -> throw not("a number");
        };
    }

    /// The text of the field as whatever `parser` makes of it.
    <T> T parsed(Function<String, T> parser) {
        try {
            return parser.apply(text());
        } catch (IllegalArgumentException e) {
            throw malformed(Quote.plain(String.valueOf(e.getMessage())));
        }
    }

    Malformed malformed(String reason) {
        return new Malformed(path.spelt(), reason);
    }

    private Malformed not(String expected) {
        String is =
                switch (value) {
                    case Tree.Text(String text) -> "the text " + Quote.of(text);
                    case Tree.Digits(String digits) -> "the number " + Quote.plain(digits);
                    case Tree.Flag(boolean flag) -> String.valueOf(flag);
                    case Tree.Items _ -> "a list";
                    case Tree.Fields _ -> "an object";
                    case Tree.Absent _ -> "absent";
                };
        return malformed("is " + is + " and should be " + expected);
    }
}
