package dev.pointsman.packet.read;

/// A text that is not what its reader was told it is.
public final class SyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final int line;
    private final int column;
    private final String problem;

    SyntaxException(int line, int column, String message) {
        super(line + ":" + column + ": " + message);
        this.line = line;
        this.column = column;
        this.problem = message;
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
