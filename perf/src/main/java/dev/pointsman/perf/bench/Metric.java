package dev.pointsman.perf.bench;

import java.util.Arrays;
import java.util.Optional;

/// What is measured of a proxy.
enum Metric {
    FIRST_SYNC(
            "first-sync",
            "first sync",
            Unit.MILLIS,
            "from the start of the process until the last Service of a sample answers"),
    CHANGE(
            "change",
            "change to first packet",
            Unit.MILLIS,
            "from when the API server takes an EndpointSlice whose only endpoint is replaced until"
                    + " a new connection reaches the new one"),
    ROLLING_UPDATE(
            "rolling-update",
            "rolling update",
            Unit.MILLIS,
            "all endpoints of 50 Services replaced at once: until each answers from new ones"),
    RESIDENT(
            "resident",
            "memory after the changes",
            Unit.MEBIBYTES,
            "resident set of the process and its children"),
    PEAK(
            "peak",
            "memory at most",
            Unit.MEBIBYTES,
            "the largest resident set of the process and its children together that was seen"),
    KERNEL(
            "kernel",
            "kernel memory after the changes",
            Unit.MEBIBYTES,
            "what the kernel holds for the process and its children: rules, page tables, sockets"),
    CPU(
            "cpu",
            "CPU time",
            Unit.SECONDS,
            "of the process and its children, until after the changes"),
    CONNECT_NONE(
            "connect-none",
            "connect without rules",
            Unit.MICROS,
            "TCP handshake with a pod's own address: the floor"),
    CONNECT_CONSTANT(
            "connect-constant",
            "connect, one constant rule",
            Unit.MICROS,
            "TCP handshake with an address that a table of a single DNAT rule sends to that pod"),
    CONNECT_FIRST(
            "connect-first",
            "connect, first Service",
            Unit.MICROS,
            "TCP handshake with the Service listed first"),
    CONNECT_MEDIAN(
            "connect-median",
            "connect, median Service",
            Unit.MICROS,
            "TCP handshake with the Service in the middle of the list"),
    CONNECT_LAST(
            "connect-last",
            "connect, last Service",
            Unit.MICROS,
            "TCP handshake with the Service listed last"),
    RULES_COST(
            "rules-cost",
            "what its rules cost a connection",
            Unit.MICROS,
            "median handshake with the slowest of those three Services, less that through one"
                    + " constant rule"),
    RESTART(
            "restart",
            "restart, nothing changed",
            Unit.MILLIS,
            "from the start of the process until it has synced both families"),
    RESTART_WRITES(
            "restart-writes",
            "writes of that restart",
            Unit.COUNT,
            "objects that `nft monitor` saw added, deleted or replaced"),
    RESTART_LOST(
            "restart-lost",
            "connections lost in that restart",
            Unit.COUNT,
            "of those begun while the process ended and started again"),
    DRIFTED_RESTART(
            "drifted-restart",
            "restart, 50 Services changed meanwhile",
            Unit.MILLIS,
            "from the start of the process until each of them answers from new endpoints"),
    WIPED(
            "wiped",
            "rules wiped",
            Unit.MILLIS,
            "from the end of `nft flush ruleset` until the Services answer again"),
    SCALE_DOWN(
            "scale-down",
            "connections during scale-downs",
            Unit.COUNT,
            "new connections while endpoints of their Service come and go"),
    LATE(
            "late",
            "to a removed endpoint",
            Unit.COUNT,
            "of those, begun later than 50 ms after the API server confirmed its removal"),
    LATEST(
            "latest",
            "the latest of them",
            Unit.MILLIS,
            "longest time from a confirmed removal until a connection began that reached the"
                    + " endpoint removed"),
    LOST("lost", "lost", Unit.COUNT, "of those, refused or without an answer");

    /// What figures are in.
    enum Unit {
        MILLIS("ms", 1e6),
        MICROS("µs", 1e3),
        SECONDS("s", 1e9),
        MEBIBYTES("MiB", 1),
        COUNT("", 1);

        private final String symbol;
        private final double nanos;

        Unit(String symbol, double nanos) {
            this.symbol = symbol;
            this.nanos = nanos;
        }

        /// As figures carry it; nothing for a count.
        String symbol() {
            return symbol;
        }

        /// A time in this unit.
        double of(long nanoseconds) {
            return nanoseconds / nanos;
        }
    }

    private final String id;
    private final String title;
    private final Unit unit;
    private final String means;

    Metric(String id, String title, Unit unit, String means) {
        this.id = id;
        this.title = title;
        this.unit = unit;
        this.means = means;
    }

    /// As files name it.
    String id() {
        return id;
    }

    /// As people name it.
    String title() {
        return title;
    }

    Unit unit() {
        return unit;
    }

    /// From where to where, or of what.
    String means() {
        return means;
    }

    static Optional<Metric> of(String id) {
        return Arrays.stream(values()).filter(metric -> metric.id.equals(id)).findFirst();
    }
}
