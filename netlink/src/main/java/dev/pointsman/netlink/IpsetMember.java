package dev.pointsman.netlink;

import java.net.InetAddress;

/// A member of a set, of the form that the set's type asks for.
public sealed interface IpsetMember {
    /// As `ipset` takes it, such as `10.96.0.1,tcp:443`.
    String text();

    /// The type of the sets that hold it.
    IpsetType type();

    /// Of [IpsetType#HASH_IP].
    record Address(InetAddress address) implements IpsetMember {
        @Override
        public IpsetType type() {
            return IpsetType.HASH_IP;
        }

        @Override
        public String text() {
            return address.getHostAddress();
        }
    }

    /// Of [IpsetType#HASH_IP_PORT].
    ///
    /// @param protocol `IPPROTO_*`: 6 TCP, 17 UDP, 132 SCTP
    record AddressPort(InetAddress address, int protocol, int port) implements IpsetMember {
        public AddressPort {
            if (protocol < 1 || protocol > 255) {
                throw new IllegalArgumentException("protocol " + protocol);
            }
            IpvsService.checkPort(port);
        }

        @Override
        public IpsetType type() {
            return IpsetType.HASH_IP_PORT;
        }

        @Override
        public String text() {
            return address.getHostAddress() + "," + IpvsService.protocolName(protocol) + ":" + port;
        }
    }

    /// Of [IpsetType#HASH_IP_PORT_IP].
    record AddressPortAddress(AddressPort first, InetAddress second) implements IpsetMember {
        @Override
        public IpsetType type() {
            return IpsetType.HASH_IP_PORT_IP;
        }

        @Override
        public String text() {
            return first.text() + "," + second.getHostAddress();
        }
    }

    /// Of [IpsetType#HASH_IP_PORT_NET].
    ///
    /// @param network the bits after the prefix are cleared
    /// @param prefixLength at least 1: of this type the kernel takes all addresses as two halves
    record AddressPortNetwork(AddressPort first, InetAddress network, int prefixLength)
            implements IpsetMember {
        public AddressPortNetwork {
            network = masked(network, prefixLength);
        }

        @Override
        public IpsetType type() {
            return IpsetType.HASH_IP_PORT_NET;
        }

        @Override
        public String text() {
            return first.text() + "," + network.getHostAddress() + "/" + prefixLength;
        }
    }

    /// Of [IpsetType#HASH_NET_PORT].
    ///
    /// @param network the bits after the prefix are cleared
    /// @param prefixLength at least 1
    record NetworkPort(InetAddress network, int prefixLength, int protocol, int port)
            implements IpsetMember {
        public NetworkPort {
            network = masked(network, prefixLength);
            IpvsService.checkPort(port);
        }

        @Override
        public IpsetType type() {
            return IpsetType.HASH_NET_PORT;
        }

        @Override
        public String text() {
            return network.getHostAddress()
                    + "/"
                    + prefixLength
                    + ","
                    + IpvsService.protocolName(protocol)
                    + ":"
                    + port;
        }
    }

    /// Of [IpsetType#HASH_NET_NET].
    ///
    /// @param length of the prefix of `one`, at least 1
    record NetworkPair(InetAddress one, int length, InetAddress other, int otherLength)
            implements IpsetMember {
        public NetworkPair {
            one = masked(one, length);
            other = masked(other, otherLength);
        }

        @Override
        public IpsetType type() {
            return IpsetType.HASH_NET_NET;
        }

        @Override
        public String text() {
            return one.getHostAddress()
                    + "/"
                    + length
                    + ","
                    + other.getHostAddress()
                    + "/"
                    + otherLength;
        }
    }

    /// The network of an address, whose bits after the prefix are cleared.
    private static InetAddress masked(InetAddress network, int prefixLength) {
        IpFamily family = IpFamily.of(network);
        if (prefixLength < 1 || prefixLength > family.bits()) {
            throw new IllegalArgumentException(
                    "a prefix of " + prefixLength + " bits of " + network.getHostAddress());
        }
        byte[] bytes = network.getAddress();
        for (int bit = prefixLength; bit < family.bits(); bit++) {
            bytes[bit / 8] &= (byte) ~(0x80 >> bit % 8);
        }
        return family.address(bytes);
    }

    /// Of [IpsetType#BITMAP_PORT].
    record Port(int port) implements IpsetMember {
        public Port {
            IpvsService.checkPort(port);
        }

        @Override
        public IpsetType type() {
            return IpsetType.BITMAP_PORT;
        }

        @Override
        public String text() {
            return Integer.toString(port);
        }
    }
}
