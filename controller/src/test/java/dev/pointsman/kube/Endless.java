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
        this.pattern = pattern.getBytes(StandardCharsets.UTF_8);
        this.tail = tail.getBytes(StandardCharsets.UTF_8);
        repeated = times * this.pattern.length;
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
        for (int i = 0; i < length; i++) {
            int next = read();
            if (next < 0) {
                return i == 0 ? -1 : i;
            }
            buffer[offset + i] = (byte) next;
        }
        return length;
    }

    /// How much of it was read.
    long position() {
        return position;
    }
}
