package dev.pointsman.config;

import java.time.Duration;

/// What connection tracking of the node is tuned to.
///
/// @param maxPerCore entries for each core; 0 leaves the limit as it is
/// @param min entries at the least, if the limit is set at all
/// @param tcpEstablishedTimeout zero leaves the kernel's value, as in all others
public record Conntrack(
        int maxPerCore,
        int min,
        Duration tcpEstablishedTimeout,
        Duration tcpCloseWaitTimeout,
        OutOfWindow outOfWindow,
        Duration udpTimeout,
        Duration udpStreamTimeout) {

    /// What becomes of TCP packets outside their window, `tcpBeLiberal`.
    public enum OutOfWindow {
        /// As the kernel is set.
        AS_FOUND,
        ACCEPTED
    }

    /// What kube-proxy does when nobody says otherwise.
    public static final Conntrack DEFAULTS =
            new Conntrack(
                    32768,
                    131072,
                    Duration.ofHours(24),
                    Duration.ofHours(1),
                    OutOfWindow.AS_FOUND,
                    Duration.ZERO,
                    Duration.ZERO);

    private static final FieldType<Integer> ENTRIES = FieldType.count(0, Integer.MAX_VALUE);

    /// Zero is a value of its own in all of them.
    static Conntrack read(Fields fields) {
        return new Conntrack(
                fields.value("conntrack.maxPerCore", DEFAULTS.maxPerCore(), ENTRIES),
                fields.value("conntrack.min", DEFAULTS.min(), ENTRIES),
                period(fields, "tcpEstablishedTimeout", DEFAULTS.tcpEstablishedTimeout()),
                period(fields, "tcpCloseWaitTimeout", DEFAULTS.tcpCloseWaitTimeout()),
                fields.value("conntrack.tcpBeLiberal", false, FieldType.SWITCH)
                        ? OutOfWindow.ACCEPTED
                        : OutOfWindow.AS_FOUND,
                period(fields, "udpTimeout", DEFAULTS.udpTimeout()),
                period(fields, "udpStreamTimeout", DEFAULTS.udpStreamTimeout()));
    }

    private static Duration period(Fields fields, String field, Duration otherwise) {
        return fields.value("conntrack." + field, otherwise, FieldType.PERIOD);
    }
}
