package dev.pointsman.ipvs;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;

/// What tells one virtual server from the others.
record ServerKey(IpAddress address, Protocol protocol, int port) implements Comparable<ServerKey> {

    /// As ipvsadm(8) takes it: `-t 10.96.0.1:443`.
    String text() {
        String option =
                switch (protocol) {
                    case TCP -> "-t ";
                    case UDP -> "-u ";
                    case SCTP -> "--sctp-service ";
                };
        return option + text(address, port);
    }

    static String text(IpAddress address, int port) {
        return address.family() == Family.IPV4 ? address + ":" + port : "[" + address + "]:" + port;
    }

    @Override
    public int compareTo(ServerKey other) {
        int order = address.compareTo(other.address);
        order = order != 0 ? order : protocol.compareTo(other.protocol);
        return order != 0 ? order : Integer.compare(port, other.port);
    }
}
