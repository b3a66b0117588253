package dev.pointsman.graph;

/// One address and port that can answer.
public record Endpoint(IpAddress address, int port, Place place) implements Comparable<Endpoint> {

    /// Where an endpoint runs, by node name and never by address.
    public enum Place {
        THIS_NODE,
        ELSEWHERE
    }

    /// By address and port alone: one list never holds the same pair twice.
    @Override
    public int compareTo(Endpoint other) {
        int order = address.compareTo(other.address);
        order = order != 0 ? order : Integer.compare(port, other.port);
        return order != 0 ? order : place.compareTo(other.place);
    }

    @Override
    public String toString() {
        return address.family() == Family.IPV4 ? address + ":" + port : "[" + address + "]:" + port;
    }
}
