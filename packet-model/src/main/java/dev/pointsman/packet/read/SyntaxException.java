package dev.pointsman.packet.read;

/// A text that is not what its reader was told it is.
public final class SyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /// The most characters of a message: it quotes texts that anybody wrote, at any length.
    private static final int SHOWN = 400;

    private final int line;
    private final int column;
    private final String problem;

    SyntaxException(int line, int column, String message) {
        super(line + ":" + column + ": " + plain(message));
        this.line = line;
        this.column = column;
        this.problem = message;
    }

    // Terminals obey control characters, so none gets through.
    private static String plain(String message) {
        String visible = message.replaceAll("\\p{Cntrl}", "?");
        return visible.length() > SHOWN ? visible.substring(0, SHOWN) + "…" : visible;
    }

    /// The message without the place.
    String problem() {
        return problem;
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }
}
