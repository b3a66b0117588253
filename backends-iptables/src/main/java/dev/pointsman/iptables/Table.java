package dev.pointsman.iptables;

import java.util.Locale;

/// A table of iptables, in the order in which a change is written: what answers for a Service goes
/// before what leads to it.
public enum Table {
    MANGLE,
    FILTER,
    NAT;

    String keyword() {
        return name().toLowerCase(Locale.ROOT);
    }
}
