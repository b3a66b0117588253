package dev.pointsman.graph;

import java.util.Locale;

/// A transport protocol that a Service port can have.
public enum Protocol {
    TCP(6),
    UDP(17),
    SCTP(132);

    private final int number;

    Protocol(int number) {
        this.number = number;
    }

    /// The IANA protocol number.
    public int number() {
        return number;
    }

    /// The lower-case name that the kernel's tools print.
    public String keyword() {
        return name().toLowerCase(Locale.ROOT);
    }
}
