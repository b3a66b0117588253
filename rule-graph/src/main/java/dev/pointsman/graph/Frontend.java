package dev.pointsman.graph;

/// What clients dial: an address (or any node-port address), a protocol and a port. Sorted by
/// address, so that all Frontends of one address are neighbours; node ports come last.
public sealed interface Frontend extends Comparable<Frontend> {
    /// A cluster IP, external IP or load-balancer IP with a port.
    record Address(IpAddress address, Protocol protocol, int port) implements Frontend {
        private int compareToAddress(Address other) {
            int order = address.compareTo(other.address);
            order = order != 0 ? order : protocol.compareTo(other.protocol);
            return order != 0 ? order : Integer.compare(port, other.port);
        }

        @Override
        public String toString() {
            return (address.family() == Family.IPV4 ? address.toString() : "[" + address + "]")
                    + ":"
                    + port
                    + "/"
                    + protocol.keyword();
        }
    }

    /// A port of every node-port address.
    record NodePort(Protocol protocol, int port) implements Frontend {
        private int compareToNodePort(NodePort other) {
            int order = protocol.compareTo(other.protocol);
            return order != 0 ? order : Integer.compare(port, other.port);
        }

        @Override
        public String toString() {
            return "node:" + port + "/" + protocol.keyword();
        }
    }

    Protocol protocol();

    int port();

    @Override
    default int compareTo(Frontend other) {
        return switch (this) {
            case Address here -> other instanceof Address there ? here.compareToAddress(there) : -1;
            case NodePort here ->
                    other instanceof NodePort there ? here.compareToNodePort(there) : 1;
        };
    }
}
