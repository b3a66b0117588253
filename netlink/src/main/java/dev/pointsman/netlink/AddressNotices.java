package dev.pointsman.netlink;

/// What the kernel says when addresses of interfaces come, change or go. One thread at a time.
public final class AddressNotices implements AutoCloseable {
    /// `RTNLGRP_IPV4_IFADDR` and `RTNLGRP_IPV6_IFADDR` of `linux/rtnetlink.h`.
    private static final int[] GROUPS = {5, 9};

    private final NetlinkSocket socket;

    private AddressNotices(NetlinkSocket socket) {
        this.socket = socket;
    }

    /// Hears from now on what happens in the network namespace of the calling thread.
    public static AddressNotices open() {
        NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.Protocol.ROUTE);
        try {
            for (int group : GROUPS) {
                socket.join(group);
            }
            return new AddressNotices(socket);
        } catch (NetlinkException e) {
            socket.close();
            throw e;
        }
    }

    /// Waits a few seconds for news, and throws away all that are there: whoever wants to know more
    /// reads the addresses.
    ///
    /// @return whether there were any
    public boolean await() {
        boolean news =
                switch (socket.receive()) {
                    // What was lost was news as well.
                    case NetlinkSocket.Datagram.Messages _, NetlinkSocket.Datagram.Lost _ -> true;
                    case NetlinkSocket.Datagram.Nothing _ -> false;
                };
        socket.drain();
        return news;
    }

    @Override
    public void close() {
        socket.close();
    }
}
