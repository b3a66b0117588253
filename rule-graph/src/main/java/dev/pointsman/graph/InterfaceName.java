package dev.pointsman.graph;

/// What Linux takes for the name of an interface and rules can spell.
final class InterfaceName {
    /// In bytes; the kernel keeps one more for the end.
    static final int LONGEST = 15;

    private InterfaceName() {}

    /// @throws IllegalArgumentException when `name` is none; the message quotes it
    static void check(String name, int longest) {
        int bytes = name.codePoints().map(InterfaceName::bytes).sum();
        if (bytes < 1 || bytes > longest) {
            throw none(name, "has " + bytes + " bytes and not 1.." + longest);
        }
        if (name.equals(".") || name.equals("..")) {
            throw none(name, "is no name of an interface");
        }
        if (name.codePoints().anyMatch(InterfaceName::isForbidden)) {
            throw none(
                    name,
                    "has a blank, slash, quote, backslash, asterisk or control character in it");
        }
    }

    /// How many bytes of UTF-8 the character takes.
    private static int bytes(int c) {
        return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    }

    private static boolean isForbidden(int c) {
        return Character.isWhitespace(c)
                || Character.isSpaceChar(c)
                || Character.isISOControl(c)
                || "/\\\"'*".indexOf(c) >= 0;
    }

    private static IllegalArgumentException none(String name, String why) {
        StringBuilder shown = new StringBuilder();
        name.codePoints()
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .forEach(shown::appendCodePoint);
        return new IllegalArgumentException("\"" + shown + "\" " + why);
    }
}
