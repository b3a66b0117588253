package dev.pointsman.ipvs;

import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.IpAddress;

/// Where a virtual server sends packets.
record RealServer(IpAddress address, int port) implements Comparable<RealServer> {
    static RealServer of(Endpoint endpoint) {
        return new RealServer(endpoint.address(), endpoint.port());
    }

    String text() {
        return ServerKey.text(address, port);
    }

    @Override
    public int compareTo(RealServer other) {
        int order = address.compareTo(other.address);
        return order != 0 ? order : Integer.compare(port, other.port);
    }
}
