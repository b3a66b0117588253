package dev.pointsman.serve;

import java.io.IOException;

/// Takes the beginning of a text, and ends the printing of the rest.
final class Excerpt implements Appendable {
    /// There is no room for more.
    static final class Full extends IOException {
        private static final long serialVersionUID = 1L;
    }

    private final StringBuilder into;
    private int room;

    Excerpt(StringBuilder into, int room) {
        this.into = into;
        this.room = room;
    }

    @Override
    public Appendable append(CharSequence text) throws Full {
        return append(text, 0, text.length());
    }

    @Override
    public Appendable append(CharSequence text, int start, int end) throws Full {
        int taken = Math.min(room, end - start);
        into.append(text, start, start + taken);
        room -= taken;
        if (taken < end - start) {
            throw new Full();
        }
        return this;
    }

    @Override
    public Appendable append(char c) throws Full {
        return append(String.valueOf(c));
    }
}
