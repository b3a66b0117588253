package dev.pointsman.packet.read;

import java.util.ArrayDeque;
import java.util.Deque;

/// The words of an nft script or listing, one at a time.
final class NftTokens {
    private static final String FOREIGN = "# xt_";
    private static final String[] PAIRS = {"==", "!=", "<=", ">=", "<<", ">>", "&&"};

    private final String text;
    private final Deque<Token> ahead = new ArrayDeque<>();
    private int at;
    private int line = 1;
    private int lineStart;
    private int depth;
    private int consumed;

    NftTokens(String text) {
        this.text = text;
    }

    /// Braces and parentheses that are open.
    int depth() {
        return depth;
    }

    /// Where the last word taken ends.
    int consumed() {
        return consumed;
    }

    String slice(int from, int to) {
        return text.substring(from, to).strip().replaceAll("\\s+", " ");
    }

    Token peek() {
        if (ahead.isEmpty()) {
            ahead.add(scan());
        }
        return ahead.getFirst();
    }

    /// The one after [#peek].
    Token second() {
        Token first = next();
        Token second = peek();
        undo(first);
        return second;
    }

    Token next() {
        Token token = peek();
        ahead.removeFirst();
        consumed = token.end();
        if (token.kind() == Token.Kind.SYMBOL) {
            depth += step(token);
        }
        return token;
    }

    private void undo(Token token) {
        ahead.addFirst(token);
        consumed = token.start();
        if (token.kind() == Token.Kind.SYMBOL) {
            depth -= step(token);
        }
    }

    private static int step(Token token) {
        return switch (token.text()) {
            case "{", "(", "[" -> 1;
            case "}", ")", "]" -> -1;
            default -> 0;
        };
    }

    boolean accept(String wanted) {
        if (peek().is(wanted)) {
            next();
            return true;
        }
        return false;
    }

    Token expect(String wanted) {
        Token token = next();
        if (!token.is(wanted)) {
            throw token.unexpected('"' + wanted + '"');
        }
        return token;
    }

    Token word(String what) {
        Token token = next();
        if (token.kind() != Token.Kind.WORD && token.kind() != Token.Kind.STRING) {
            throw token.unexpected(what);
        }
        return token;
    }

    /// Takes the next word only up to its first colon, as in `22:accept`.
    Token wordBeforeColon(String what) {
        Token token = word(what);
        int colon = token.text().indexOf(':');
        if (token.kind() != Token.Kind.WORD || colon <= 0) {
            return token;
        }
        ahead.addFirst(part(token, colon + 1, token.text().length()));
        ahead.addFirst(part(token, colon, colon + 1));
        ahead.removeIf(piece -> piece.text().isEmpty() && piece.kind() == Token.Kind.WORD);
        Token before = part(token, 0, colon);
        consumed = before.end();
        return before;
    }

    private static Token part(Token token, int from, int to) {
        return new Token(
                Token.Kind.WORD,
                token.text().substring(from, to),
                token.line(),
                token.column() + from,
                token.start() + from,
                token.start() + to);
    }

    void skipNewlines() {
        while (peek().kind() == Token.Kind.NEWLINE) {
            next();
        }
    }

    void skipSeparators() {
        while (peek().kind() == Token.Kind.NEWLINE || peek().is(";")) {
            next();
        }
    }

    boolean atEndOfStatement() {
        Token token = peek();
        return token.kind() == Token.Kind.NEWLINE
                || token.kind() == Token.Kind.END
                || token.is(";")
                || token.is("}");
    }

    /// Up to the end of the statement that began at this depth.
    void skipStatement(int outerDepth) {
        while (peek().kind() != Token.Kind.END) {
            if (depth <= outerDepth && atEndOfStatement()) {
                return;
            }
            next();
        }
    }

    /// A block in braces, which may follow.
    void skipBlock() {
        int outer = depth;
        Token open = expect("{");
        while (depth > outer) {
            if (next().kind() == Token.Kind.END) {
                throw new SyntaxException(open.line(), open.column(), "this block is never closed");
            }
        }
    }

    private Token scan() {
        skipBlanks();
        int start = at;
        if (at >= text.length()) {
            return token(Token.Kind.END, "", start);
        }
        char c = text.charAt(at);
        if (c == '\n') {
            at++;
            Token token = token(Token.Kind.NEWLINE, "\n", start);
            line++;
            lineStart = at;
            return token;
        }
        if (c == '#') {
            at += FOREIGN.length();
            while (at < text.length() && isWord(text.charAt(at))) {
                at++;
            }
            return token(Token.Kind.FOREIGN, text.substring(start, at), start);
        }
        if (c == '"') {
            return string(start);
        }
        if (isWord(c) || c == '@') {
            at++;
            while (at < text.length() && isWord(text.charAt(at))) {
                at++;
            }
            return token(Token.Kind.WORD, text.substring(start, at), start);
        }
        for (String pair : PAIRS) {
            if (text.startsWith(pair, at)) {
                at += 2;
                return token(Token.Kind.SYMBOL, pair, start);
            }
        }
        at++;
        if ("{}()[],;=<>&|^!~$".indexOf(c) < 0) {
            throw new SyntaxException(
                    line, start - lineStart + 1, "a character that nft does not know: " + c);
        }
        return token(Token.Kind.SYMBOL, String.valueOf(c), start);
    }

    private Token string(int start) {
        int end = text.indexOf('"', at + 1);
        int newline = text.indexOf('\n', at);
        if (end < 0 || newline >= 0 && newline < end) {
            throw new SyntaxException(line, start - lineStart + 1, "this string is never closed");
        }
        at = end + 1;
        return token(Token.Kind.STRING, text.substring(start + 1, end), start);
    }

    private Token token(Token.Kind kind, String shown, int start) {
        return new Token(kind, shown, line, start - lineStart + 1, start, at);
    }

    /// Blanks, line continuations and comments. A listing that hides a match in a comment is looked
    /// through.
    private void skipBlanks() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\t' || c == '\r') {
                at++;
            } else if (c == '\\' && at + 1 < text.length() && text.charAt(at + 1) == '\n') {
                at += 2;
                line++;
                lineStart = at;
            } else if (c == '#' && !text.startsWith(FOREIGN, at)) {
                int newline = text.indexOf('\n', at);
                at = newline < 0 ? text.length() : newline;
            } else {
                return;
            }
        }
    }

    private static boolean isWord(char c) {
        return c >= 'a' && c <= 'z'
                || c >= 'A' && c <= 'Z'
                || c >= '0' && c <= '9'
                || "_/.-:*+%\\".indexOf(c) >= 0
                || c > 127;
    }
}
