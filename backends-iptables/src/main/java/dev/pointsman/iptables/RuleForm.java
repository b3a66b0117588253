package dev.pointsman.iptables;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The text of a rule in a form in which what we write equals what `iptables-save` prints of it.
///
/// Versions of iptables differ in the order of matches, in quotes, and in the digits of a
/// probability, which the kernel keeps in 31 bits.
final class RuleForm {
    private static final double PROBABILITY_ONE = 0x80000000L;

    private RuleForm() {}

    /// @param rule without the chain it is in
    static String of(String rule) {
        List<String> words = words(rule);
        List<String> parts = new ArrayList<>();
        StringBuilder target = new StringBuilder();
        StringBuilder part = new StringBuilder();
        boolean negated = false;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            switch (word) {
                case "!" -> negated = true;
                case "-j", "-g" -> {
                    add(parts, part);
                    target.append(String.join(" ", words.subList(i, words.size())));
                    i = words.size();
                }
                case "-m" -> {
                    add(parts, part);
                    part.append("-m");
                }
                case "-s", "-d", "-i", "-o", "-p" -> {
                    add(parts, part);
                    part.append(negated ? "! " : "").append(word);
                    negated = false;
                }
                case "--probability" -> {
                    i++;
                    part.append(" --probability ").append(in31Bits(words.get(i)));
                }
                default -> {
                    part.append(negated ? " !" : "").append(' ').append(word);
                    negated = false;
                }
            }
        }
        add(parts, part);
        Collections.sort(parts);
        return String.join(" ", parts) + (parts.isEmpty() ? "" : " ") + target;
    }

    private static void add(List<String> parts, StringBuilder part) {
        if (!part.isEmpty()) {
            parts.add(part.toString());
            part.setLength(0);
        }
    }

    private static String in31Bits(String probability) {
        try {
            return Long.toString(Math.round(Double.parseDouble(probability) * PROBABILITY_ONE));
        } catch (NumberFormatException _) {
            return probability;
        }
    }

    /// The words of a line. Quotes hold words with spaces together and vanish.
    static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        boolean any = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\\' && quoted && i + 1 < line.length()) {
                i++;
                word.append(line.charAt(i));
            } else if (c == '"') {
                quoted = !quoted;
                any = true;
            } else if (c == ' ' && !quoted) {
                if (any) {
                    words.add(word.toString());
                    word.setLength(0);
                    any = false;
                }
            } else {
                word.append(c);
                any = true;
            }
        }
        if (any) {
            words.add(word.toString());
        }
        return words;
    }
}
