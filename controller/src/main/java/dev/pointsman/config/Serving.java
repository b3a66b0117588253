package dev.pointsman.config;

import dev.pointsman.graph.IpAddress;

/// What of itself the process shows over HTTP, and where.
///
/// @param healthz of `/healthz` and `/livez`
/// @param metrics of `/metrics` and all else that is for operators
public record Serving(
        BindAddress healthz, BindAddress metrics, WhenTaken whenTaken, DebugPages debugPages) {

    /// What becomes of a port that somebody else has.
    public enum WhenTaken {
        TRY_AGAIN,
        EXIT
    }

    /// Who gets to see what the node's rules are.
    public enum DebugPages {
        /// Processes of this node: only if the metrics server listens on loopback.
        ON_LOOPBACK,
        /// Whoever gets to see the metrics.
        WITH_METRICS
    }

    static final int HEALTHZ_PORT = 10256;
    static final int METRICS_PORT = 10249;

    /// kube-proxy's defaults under `bindAddress: 0.0.0.0`.
    public static final Serving DEFAULTS =
            new Serving(
                    defaultHealthz("0.0.0.0"),
                    defaultMetrics("0.0.0.0"),
                    WhenTaken.TRY_AGAIN,
                    DebugPages.ON_LOOPBACK);

    static BindAddress defaultHealthz(String bindAddress) {
        return BindAddress.parse(bindAddress.contains(":") ? "::" : "0.0.0.0", HEALTHZ_PORT);
    }

    static BindAddress defaultMetrics(String bindAddress) {
        return BindAddress.parse(bindAddress.contains(":") ? "::1" : "127.0.0.1", METRICS_PORT);
    }

    /// The same with the healthz server at `text`, or without it if that is empty.
    ///
    /// @throws IllegalArgumentException when `text` is no address; the message quotes it
    public Serving withHealthz(String text) {
        return new Serving(at(text, HEALTHZ_PORT), metrics, whenTaken, debugPages);
    }

    /// The same with the metrics server at `text`, or without it if that is empty.
    ///
    /// @throws IllegalArgumentException when `text` is no address; the message quotes it
    public Serving withMetrics(String text) {
        return new Serving(healthz, at(text, METRICS_PORT), whenTaken, debugPages);
    }

    private static BindAddress at(String text, int port) {
        return text.isEmpty() ? new BindAddress.Nowhere() : BindAddress.parse(text, port);
    }

    /// Whether the metrics server also shows the rules.
    public boolean showsDebugPages() {
        return switch (debugPages) {
            case WITH_METRICS -> true;
            case ON_LOOPBACK ->
                    metrics instanceof BindAddress.At(var address, _) && isLoopback(address);
        };
    }

    private static boolean isLoopback(IpAddress address) {
        return switch (address) {
            case IpAddress.Ipv4(int bits) -> bits >>> 24 == 127;
            case IpAddress.Ipv6(long high, long low) -> high == 0 && low == 1;
        };
    }
}
