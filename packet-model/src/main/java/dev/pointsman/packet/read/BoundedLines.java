package dev.pointsman.packet.read;

import java.io.IOException;
import java.io.Reader;
import java.util.Optional;

/// Lines of a text, however many: no more than one of them is held, and none that is longer than a
/// tool would print.
final class BoundedLines {
    private static final int LONGEST = 16_384;

    private final Reader text;
    private final char[] buffer = new char[LONGEST];
    private int at;
    private int end;
    private int number;

    BoundedLines(Reader text) {
        this.text = text;
    }

    /// The number of the line that was taken last.
    int number() {
        return number;
    }

    /// The next line without its end, empty behind the last one.
    ///
    /// @throws SyntaxException for a line that is too long
    Optional<String> next() throws IOException {
        StringBuilder line = new StringBuilder();
        number++;
        while (at < end || fill()) {
            int newline = at;
            while (newline < end && buffer[newline] != '\n') {
                newline++;
            }
            line.append(buffer, at, newline - at);
            at = newline + 1;
            if (newline < end) {
                return Optional.of(line.toString());
            }
            if (line.length() > LONGEST) {
                throw new SyntaxException(
                        number, LONGEST, "a line of more than " + LONGEST + " characters");
            }
        }
        return line.isEmpty() ? Optional.empty() : Optional.of(line.toString());
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, text.read(buffer));
        return end > 0;
    }
}
