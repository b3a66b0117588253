package dev.pointsman.netlink;

import java.util.HexFormat;

/// Bytes as people read them in messages and listings.
final class Hex {
    private static final HexFormat FORMAT = HexFormat.of();

    private Hex() {}

    static String of(byte[] bytes) {
        return FORMAT.formatHex(bytes);
    }
}
