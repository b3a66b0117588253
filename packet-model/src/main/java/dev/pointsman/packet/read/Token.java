package dev.pointsman.packet.read;

/// @param text without quotes
/// @param start where it begins in what is read
/// @param end where it ends
record Token(Kind kind, String text, int line, int column, int start, int end) {
    enum Kind {
        /// Letters, digits and what names, addresses and ranges are made of.
        WORD,
        STRING,
        SYMBOL,
        NEWLINE,
        /// `# xt_NAME`: what an nft without libxtables prints instead of an iptables match.
        FOREIGN,
        END
    }

    boolean is(String wanted) {
        return text.equals(wanted) && (kind == Kind.WORD || kind == Kind.SYMBOL);
    }

    SyntaxException unexpected(String wanted) {
        return new SyntaxException(line, column, "expected " + wanted + ", found " + shown());
    }

    String shown() {
        return switch (kind) {
            case WORD, SYMBOL, FOREIGN -> text;
            case STRING -> '"' + text + '"';
            case NEWLINE -> "the end of the line";
            case END -> "the end of the text";
        };
    }
}
