package dev.pointsman.config;

import java.time.Duration;

/// The limits and timeouts that a KubeProxyConfiguration wants of conntrack (behaviour document 4).
/// Zero leaves the kernel's, but for `min`.
///
/// @param maxPerCore how many entries there may be for each processor
/// @param min how many there may be at least, however few the processors; means nothing without
///   `maxPerCore`
public record ConntrackSettings(
        int maxPerCore,
        int min,
        Duration tcpEstablished,
        Duration tcpCloseWait,
        Windows windows,
        Duration udp,
        Duration udpStream) {

    /// What becomes of TCP segments outside the window that conntrack knows of.
    public enum Windows {
        AS_FOUND,
        /// They are not held against their connection.
        LIBERAL
    }

    public static final ConntrackSettings DEFAULTS =
            new ConntrackSettings(
                    32768,
                    131072,
                    Duration.ofHours(24),
                    Duration.ofHours(1),
                    Windows.AS_FOUND,
                    Duration.ZERO,
                    Duration.ZERO);
}
