package dev.pointsman.serve;

import dev.pointsman.graph.IpAddress;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// Addresses between the JDK's form and ours.
final class Addresses {
    private Addresses() {}

    static InetSocketAddress socket(IpAddress address, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address.bytes()), port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(address + " has neither 4 nor 16 bytes", e);
        }
    }

    /// As an operator would write it.
    static String spelt(InetSocketAddress address) {
        String host = IpAddress.of(address.getAddress()).toString();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /// All addresses of this machine's interfaces, but for those that mean something on one link
    /// only.
    static SortedSet<IpAddress> ofThisMachine() {
        SortedSet<IpAddress> addresses = new TreeSet<>();
        try {
            for (NetworkInterface link :
                    Collections.list(NetworkInterface.getNetworkInterfaces())) {
                for (InetAddress address : Collections.list(link.getInetAddresses())) {
                    if (!address.isLinkLocalAddress()) {
                        addresses.add(IpAddress.of(address));
                    }
                }
            }
        } catch (SocketException e) {
            throw new UncheckedIOException("reading the addresses of this machine", e);
        }
        return addresses;
    }
}
