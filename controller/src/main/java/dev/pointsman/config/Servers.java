package dev.pointsman.config;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;

/// Where this process answers, and what it does where it cannot.
///
/// @param bindAddress the node's own address, if it is a certain one
/// @param busyPort `bindAddressHardFail`
/// @param healthzBindAddress of `/healthz` and `/livez`
/// @param metricsBindAddress of `/metrics` and all else that is for operators
/// @param debugPages `enableProfiling`
public record Servers(
        IpAddress bindAddress,
        BusyPort busyPort,
        ServerAddress healthzBindAddress,
        ServerAddress metricsBindAddress,
        DebugPages debugPages) {
    static final int HEALTHZ_PORT = 10256;
    static final int METRICS_PORT = 10249;

    /// What a port that cannot be had means.
    public enum BusyPort {
        TRIED_AGAIN,
        FATAL
    }

    /// Who gets to see what the node's rules are.
    public enum DebugPages {
        /// Processes of this node: only if the metrics server listens on loopback.
        ON_LOOPBACK,
        /// Whoever gets to see the metrics.
        WITH_METRICS
    }

    /// What kube-proxy does when nobody says otherwise.
    public static final Servers DEFAULTS = read(new Fields(""));

    static Servers read(Fields fields) {
        IpAddress bind = fields.value("bindAddress", IpAddress.parse("0.0.0.0"), FieldType.ADDRESS);
        boolean ipv6 = bind.family() == Family.IPV6;
        return new Servers(
                bind,
                fields.value("bindAddressHardFail", false, FieldType.SWITCH)
                        ? BusyPort.FATAL
                        : BusyPort.TRIED_AGAIN,
                address(fields, "healthzBindAddress", ipv6 ? "::" : "0.0.0.0", HEALTHZ_PORT),
                address(fields, "metricsBindAddress", ipv6 ? "::1" : "127.0.0.1", METRICS_PORT),
                fields.value("enableProfiling", false, FieldType.SWITCH)
                        ? DebugPages.WITH_METRICS
                        : DebugPages.ON_LOOPBACK);
    }

    /// Whether the metrics server also shows the rules.
    public boolean showsDebugPages() {
        return switch (debugPages) {
            case WITH_METRICS -> true;
            case ON_LOOPBACK ->
                    metricsBindAddress instanceof ServerAddress.At(var address, _)
                            && isLoopback(address);
        };
    }

    private static boolean isLoopback(IpAddress address) {
        return switch (address) {
            case IpAddress.Ipv4(int bits) -> bits >>> 24 == 127;
            case IpAddress.Ipv6(long high, long low) -> high == 0 && low == 1;
        };
    }

    private static ServerAddress address(Fields fields, String field, String host, int port) {
        if (fields.isEmptied(field)) {
            return new ServerAddress.Off();
        }
        return fields.value(
                field,
                new ServerAddress.At(IpAddress.parse(host), port),
                FieldType.printed(
                        text -> ServerAddress.parse(text, port), ServerAddress.At::toString));
    }
}
