package dev.pointsman.packet.read;

/// `value/mask`, the mask being all bits where none is given.
record MarkMask(long value, long mask) {
    static final long ALL = 0xffff_ffffL;

    static MarkMask of(SavedLine line) {
        String word = line.next("a mark");
        int slash = word.indexOf('/');
        return slash < 0
                ? new MarkMask(line.number(word, ALL), ALL)
                : new MarkMask(
                        line.number(word.substring(0, slash), ALL),
                        line.number(word.substring(slash + 1), ALL));
    }
}
