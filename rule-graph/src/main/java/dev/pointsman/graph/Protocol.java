package dev.pointsman.graph;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// A transport protocol that a Service port can have.
public enum Protocol {
    TCP(6),
    UDP(17),
    SCTP(132);

    private final int number;

    Protocol(int number) {
        this.number = number;
    }

    /// The one with this IANA number, if it is one of these.
    public static Optional<Protocol> of(int number) {
        return Arrays.stream(values()).filter(each -> each.number == number).findFirst();
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
