package dev.pointsman.packet.netfilter;

import java.util.Locale;

/// A place on a packet's way where chains are hooked.
public enum Hook {
    PREROUTING,
    INPUT,
    FORWARD,
    OUTPUT,
    POSTROUTING;

    public String keyword() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether translation rewrites destinations here, else sources (`HOOK2MANIP` in nf_nat.h).
    boolean rewritesDestinations() {
        return switch (this) {
            case PREROUTING, OUTPUT -> true;
            case INPUT, FORWARD, POSTROUTING -> false;
        };
    }
}
