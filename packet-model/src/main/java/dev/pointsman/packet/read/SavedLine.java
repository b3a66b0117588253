package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// One line of what a `-save` tool prints, word by word. Words may be quoted, with a backslash
/// before quotes in them (xshared.c, `xtables_save_string`).
final class SavedLine {
    private final int line;
    private final String text;
    private final List<String> words = new ArrayList<>();

    /// Of each word, where it begins; less than 0 for quoted ones: the complement.
    private int[] starts = new int[32];

    private int at;

    /// @throws SyntaxException for a quote that does not end
    SavedLine(int line, String text) {
        this.line = line;
        this.text = text;
        int next = 0;
        while (next < text.length()) {
            if (isBlank(text.charAt(next))) {
                next++;
            } else if (text.charAt(next) == '"') {
                next = quoted(next);
            } else {
                next = bare(next);
            }
        }
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r';
    }

    private int bare(int start) {
        int end = start;
        while (end < text.length() && !isBlank(text.charAt(end))) {
            end++;
        }
        add(text.substring(start, end), start);
        return end;
    }

    private void add(String word, int start) {
        if (words.size() == starts.length) {
            starts = Arrays.copyOf(starts, 2 * starts.length);
        }
        starts[words.size()] = start;
        words.add(word);
    }

    private int quoted(int start) {
        int quote = text.indexOf('"', start + 1);
        int backslash = text.indexOf('\\', start + 1);
        if (quote >= 0 && (backslash < 0 || backslash > quote)) {
            add(text.substring(start + 1, quote), ~start);
            return quote + 1;
        }
        StringBuilder word = new StringBuilder();
        int next = start + 1;
        while (next < text.length() && text.charAt(next) != '"') {
            if (text.charAt(next) == '\\' && next + 1 < text.length()) {
                next++;
            }
            word.append(text.charAt(next++));
        }
        if (next == text.length()) {
            throw new SyntaxException(line, start + 1, "a quote does not end");
        }
        add(word.toString(), ~start);
        return next + 1;
    }

    int line() {
        return line;
    }

    boolean hasNext() {
        return at < words.size();
    }

    /// The next word, empty at the end of the line.
    String peek() {
        return hasNext() ? words.get(at) : "";
    }

    /// Whether the next word is `wanted`, and not in quotes.
    boolean isNext(String wanted) {
        return hasNext() && starts[at] >= 0 && words.get(at).equals(wanted);
    }

    boolean accept(String wanted) {
        boolean accepted = isNext(wanted);
        if (accepted) {
            at++;
        }
        return accepted;
    }

    /// Whether the next word begins an option: `-x`, or `! -x`.
    boolean isAtOption() {
        return isOption(isNext("!") ? at + 1 : at);
    }

    private boolean isOption(int place) {
        return place < words.size()
                && starts[place] >= 0
                && words.get(place).startsWith("-")
                && words.get(place).length() > 1
                && !Character.isDigit(words.get(place).charAt(1));
    }

    String next(String wanted) {
        if (!hasNext()) {
            throw expected(wanted);
        }
        return words.get(at++);
    }

    /// All from the word at `from` to the last one taken.
    String slice(int from) {
        return from >= at ? "" : text.substring(start(from), end()).strip();
    }

    /// How many words were taken.
    int place() {
        return at;
    }

    private int start(int place) {
        int start = starts[place];
        return start < 0 ? ~start : start;
    }

    private int end() {
        return hasNext() ? start(at) : text.length();
    }

    private int column(int place) {
        return place < words.size() ? start(place) + 1 : text.length() + 1;
    }

    /// The next word is not what it should be.
    SyntaxException expected(String wanted) {
        return new SyntaxException(
                line,
                column(at),
                "expected "
                        + wanted
                        + ", found "
                        + (hasNext() ? words.get(at) : "the end of the line"));
    }

    /// The last word taken is not what it should be.
    SyntaxException wrong(String wanted) {
        int last = Math.max(0, at - 1);
        return new SyntaxException(
                line,
                column(last),
                "expected " + wanted + ", found " + (words.isEmpty() ? text : words.get(last)));
    }

    void end(String after) {
        if (hasNext()) {
            throw expected("the end of " + after);
        }
    }

    /// A number, decimal, hexadecimal or octal as strtoul(3) has it.
    long number(long largest) {
        return number(next("a number"), largest);
    }

    /// As above, for a part of the last word.
    long number(String word, long largest) {
        try {
            long number =
                    word.startsWith("0x") || word.startsWith("0X")
                            ? Long.parseLong(word.substring(2), 16)
                            : word.length() > 1 && word.startsWith("0")
                                    ? Long.parseLong(word.substring(1), 8)
                                    : Long.parseLong(word);
            if (number >= 0 && number <= largest) {
                return number;
            }
        } catch (NumberFormatException _) {
            throw wrong("a number");
        }
        throw wrong("a number up to " + largest);
    }

    /// An address of `family`, for a part of the last word.
    IpAddress address(String word, Family family) {
        IpAddress address;
        try {
            address = IpAddress.parse(word);
        } catch (IllegalArgumentException _) {
            throw wrong("an address");
        }
        if (address.family() == family) {
            return address;
        }
        // IpAddress takes a mapped address for the one that it maps.
        if (family == Family.IPV6 && word.indexOf(':') >= 0) {
            if (address instanceof IpAddress.Ipv4(int bits)) {
                return new IpAddress.Ipv6(0, 0xffffL << 32 | Integer.toUnsignedLong(bits));
            }
        }
        throw wrong("an address of " + family.title());
    }
}
