package dev.pointsman.kube;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// A text of any length, made while it is read: a head, a pattern many times, a tail.
final class Endless extends InputStream {
    private final byte[] head;
    private final byte[] pattern;
    private final byte[] tail;
    private final long repeated;
    private long position;

    Endless(String head, String pattern, long times, String tail) {
        this.head = head.getBytes(StandardCharsets.UTF_8);
        // Long enough to be copied in pieces.
        int copies = 1 + 4096 / pattern.length();
        this.pattern = pattern.repeat(copies).getBytes(StandardCharsets.UTF_8);
        this.tail = tail.getBytes(StandardCharsets.UTF_8);
        repeated = times * (this.pattern.length / copies);
    }

    @Override
    public int read() {
        long at = position++;
        if (at < head.length) {
            return head[(int) at];
        }
        at -= head.length;
        if (at < repeated) {
            return pattern[(int) (at % pattern.length)];
        }
        at -= repeated;
        return at < tail.length ? tail[(int) at] : -1;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
        int done = 0;
        while (done < length) {
            long at = position - head.length;
            if (at >= 0 && at < repeated) {
                int from = (int) (at % pattern.length);
                int some =
                        (int)
                                Math.min(
                                        Math.min(length - done, pattern.length - from),
                                        repeated - at);
                System.arraycopy(pattern, from, buffer, offset + done, some);
                position += some;
                done += some;
                continue;
            }
            int next = read();
            if (next < 0) {
                return done == 0 ? -1 : done;
            }
            buffer[offset + done++] = (byte) next;
        }
        return done;
    }

    /// How much of it was read.
    long position() {
        return position;
    }
}
