package dev.pointsman.ipvs;

import dev.pointsman.netlink.IpsetSocket;
import dev.pointsman.netlink.IpvsSocket;
import dev.pointsman.netlink.LinkSocket;
import dev.pointsman.netlink.NetlinkException;
import java.util.OptionalInt;

/// The three conversations with the kernel, in the network namespace of the thread that opened
/// them.
record Sockets(IpvsSocket ipvs, IpsetSocket sets, LinkSocket links) implements AutoCloseable {

    /// @throws NetlinkException when the kernel lacks one of the three, or does not let us
    static Sockets open() {
        IpvsSocket ipvs = IpvsSocket.open();
        IpsetSocket sets;
        try {
            sets = IpsetSocket.open();
        } catch (NetlinkException e) {
            ipvs.close();
            throw e;
        }
        try {
            return new Sockets(ipvs, sets, LinkSocket.open());
        } catch (NetlinkException e) {
            ipvs.close();
            sets.close();
            throw e;
        }
    }

    /// The index of kube-ipvs0, if it is there.
    OptionalInt device() {
        return links.index(Script.DEVICE);
    }

    @Override
    public void close() {
        ipvs.close();
        sets.close();
        links.close();
    }
}
