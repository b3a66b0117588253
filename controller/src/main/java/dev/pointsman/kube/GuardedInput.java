package dev.pointsman.kube;

import java.io.IOException;
import java.io.InputStream;

/// Input that refuses to go on when its reader takes in much without ever completing a token.
///
/// However long a source is, its parser then never holds more than that much of it; a string, a
/// comment or a line of a gigabyte is refused, however it is spread over lines.
final class GuardedInput extends InputStream {
    /// etcd takes no object above 1.5 MiB unless told to, so no honest scalar comes near this.
    static final int LONGEST_TOKEN = 4 << 20;

    /// The rest of the source is lost. Unchecked, because parsers take checked exceptions for
    /// faults of their format.
    static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unreadable(String reason) {
            super(reason);
        }
    }

    private final InputStream source;
    private int sinceToken;

    GuardedInput(InputStream source) {
        this.source = source;
    }

    void tokenCompleted() {
        sinceToken = 0;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /// @throws Unreadable when the source fails or the token has become too long
    @Override
    public int read(byte[] buffer, int offset, int length) {
        if (sinceToken > LONGEST_TOKEN) {
            throw new Unreadable(
                    "a value or line is longer than " + (LONGEST_TOKEN >> 20) + " MiB");
        }
        try {
            int read = source.read(buffer, offset, length);
            sinceToken += Math.max(read, 0);
            return read;
        } catch (IOException e) {
            throw new Unreadable(Reason.of(e));
        }
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
