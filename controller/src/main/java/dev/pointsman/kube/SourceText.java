package dev.pointsman.kube;

import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;

/// The characters of a source. Bytes that mean nothing in its charset become U+FFFD and are
/// counted: one of them in an annotation is no reason to lose a cluster.
///
/// In JSON a line `---` is an end: what comes after is for another parser, after [#next].
final class SourceText extends Reader {
    private static final int BUFFER = 1 << 16;

    private final GuardedInput input;
    private final CharsetDecoder decoder;
    private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER).flip();
    private final CharBuffer chars = CharBuffer.allocate(BUFFER).flip();
    private Syntax syntax = Syntax.YAML;
    private int line = 1;
    private boolean lineBegins = true;
    private boolean separated;
    private boolean inputEnded;
    private boolean ended;
    private int strangeBytes;
    private int strangeLine;

    SourceText(GuardedInput input, Charset charset) {
        this.input = input;
        decoder = charset.newDecoder();
    }

    /// Looks at what comes next and goes by the rules of its syntax from here on.
    Syntax syntax() {
        syntax = Syntax.of(head());
        return syntax;
    }

    /// What comes next, without taking it.
    String head() {
        while (chars.remaining() < Syntax.LOOKAHEAD && fill()) {
            // Each round takes in a little more.
        }
        if (line == 1 && lineBegins && chars.hasRemaining() && chars.charAt(0) == '\uFEFF') {
            chars.get();
        }
        return chars.subSequence(0, Math.min(chars.remaining(), Syntax.LOOKAHEAD)).toString();
    }

    /// Passes the line `---` that was an end. False when there was none.
    boolean next() {
        if (separated) {
            chars.position(chars.position() + 3);
            lineBegins = false;
            separated = false;
            return true;
        }
        return false;
    }

    /// Lines that are behind us.
    int linesPassed() {
        return line - 1;
    }

    /// How many bytes had no meaning.
    int strangeBytes() {
        return strangeBytes;
    }

    /// The line of the first of them.
    int strangeLine() {
        return strangeLine;
    }

    @Override
    public int read(char[] buffer, int offset, int length) {
        if (separated || !chars.hasRemaining() && !fill()) {
            return -1;
        }
        int available =
                switch (syntax) {
                    case JSON -> beforeSeparator();
                    case YAML, TABLE -> chars.remaining();
                };
        if (available == 0) {
            separated = true;
            return -1;
        }
        int count = Math.min(length, available);
        chars.get(buffer, offset, count);
        for (int i = offset; i < offset + count; i++) {
            line += buffer[i] == '\n' ? 1 : 0;
        }
        lineBegins = buffer[offset + count - 1] == '\n';
        return count;
    }

    /// Nothing to do: the source belongs to whoever opened it, and has several parsers.
    @Override
    public void close() {}

    /// How many of the characters at hand come before a line that ends the document.
    private int beforeSeparator() {
        boolean begins = lineBegins;
        for (int i = 0; i < chars.remaining(); i++) {
            char c = chars.charAt(i);
            if (begins && c == '-') {
                if (i > 0) {
                    return i;
                }
                if (isSeparator()) {
                    return 0;
                }
            }
            begins = c == '\n';
        }
        return chars.remaining();
    }

    private boolean isSeparator() {
        while (chars.remaining() < 4 && fill()) {
            // Each round takes in a little more.
        }
        return chars.remaining() >= 3
                && chars.subSequence(0, 3).toString().equals("---")
                && (chars.remaining() == 3 || Character.isWhitespace(chars.charAt(3)));
    }

    /// Decodes more. False at the end.
    private boolean fill() {
        chars.compact();
        int before = chars.position();
        while (!ended && chars.position() == before && chars.hasRemaining()) {
            CoderResult result = decoder.decode(bytes, chars, inputEnded);
            if (result.isError()) {
                replace(result.length());
            } else if (result.isUnderflow() && inputEnded) {
                decoder.flush(chars);
                ended = true;
            } else if (result.isUnderflow()) {
                bytes.compact();
                int read = input.read(bytes.array(), bytes.position(), bytes.remaining());
                inputEnded = read < 0;
                bytes.position(bytes.position() + Math.max(read, 0)).flip();
            }
        }
        boolean more = chars.position() > before;
        chars.flip();
        return more;
    }

    private void replace(int length) {
        if (!chars.hasRemaining()) {
            return; // It will be met again.
        }
        if (strangeBytes == 0) {
            strangeLine = line;
            for (int i = 0; i < chars.position(); i++) {
                strangeLine += chars.get(i) == '\n' ? 1 : 0;
            }
        }
        strangeBytes += length;
        bytes.position(bytes.position() + length);
        chars.put('\uFFFD');
    }
}
