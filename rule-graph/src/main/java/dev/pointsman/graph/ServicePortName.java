package dev.pointsman.graph;

import java.util.Comparator;

/// Identity of one port of a Service. Prints as `namespace/name:port`, without `:port` where the
/// port has no name; the protocol is not shown, as in kube-proxy's comments (behaviour document
/// 1.2).
public record ServicePortName(ServiceName service, String port, Protocol protocol)
        implements Comparable<ServicePortName> {
    private static final Comparator<ServicePortName> ORDER =
            Comparator.comparing(ServicePortName::service)
                    .thenComparing(ServicePortName::port)
                    .thenComparing(ServicePortName::protocol);

    @Override
    public int compareTo(ServicePortName other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return port.isEmpty() ? service.toString() : service + ":" + port;
    }
}
