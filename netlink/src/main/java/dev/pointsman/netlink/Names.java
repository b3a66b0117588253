package dev.pointsman.netlink;

/// Names that the kernel takes: printable ASCII of a bounded length.
final class Names {
    private Names() {}

    static void check(String of, String name, int longest) {
        if (name.isEmpty()
                || name.length() > longest
                || !name.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(
                    "the name of a "
                            + of
                            + " has 1 to "
                            + longest
                            + " printable ASCII characters, got \""
                            + name
                            + "\"");
        }
    }
}
