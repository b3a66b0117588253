package dev.pointsman.kube;

/// Foreign text made fit for one line of a message.
final class Quote {
    private static final int SHOWN = 80;

    private Quote() {}

    /// In quotation marks.
    static String of(String text) {
        return '"' + plain(text) + '"';
    }

    /// A number of things, such as `1 Service` or `2 Services`.
    static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    /// As it is. Terminals obey control characters, so none gets through.
    static String plain(String text) {
        StringBuilder shown = new StringBuilder(Math.min(text.length(), SHOWN) + 1);
        for (int i = 0; i < text.length() && i < SHOWN; i++) {
            char c = text.charAt(i);
            shown.append(Character.isISOControl(c) || Character.isSurrogate(c) ? '?' : c);
        }
        return text.length() > SHOWN ? shown.append('…').toString() : shown.toString();
    }
}
