package dev.pointsman.netlink;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A conversation with rtnetlink(7) about interfaces and their addresses, in the network namespace
/// of the thread that opened it. One thread at a time.
///
/// Numbers are those of `linux/rtnetlink.h`, `linux/if_link.h` and `linux/if_addr.h`.
public final class LinkSocket implements AutoCloseable {
    private static final int NEW_LINK = 16;
    private static final int GET_LINK = 18;
    private static final int NEW_ADDRESS = 20;
    private static final int DELETE_ADDRESS = 21;
    private static final int GET_ADDRESS = 22;

    private static final int REQUEST = 0x1;
    private static final int ACKNOWLEDGE = 0x4;
    private static final int DUMP = 0x300;
    private static final int CREATE_EXCLUSIVELY = 0x600;

    /// `struct ifinfomsg`: family u8, padding u8, type u16, index i32, flags u32, change u32.
    private static final int LINK_HEADER = 16;

    private static final int LINK_NAME = 3;

    /// `struct ifaddrmsg`: family u8, prefix length u8, flags u8, scope u8, index u32.
    private static final int ADDRESS_HEADER = 8;

    private static final int ADDRESS = 1;
    private static final int LOCAL = 2;

    private final NetlinkSocket socket;

    private LinkSocket(NetlinkSocket socket) {
        this.socket = socket;
    }

    public static LinkSocket open() {
        return new LinkSocket(NetlinkSocket.open(NetlinkSocket.Protocol.ROUTE));
    }

    /// All interfaces.
    public List<Link> links() {
        List<Link> links = new ArrayList<>();
        for (Message message : dump(GET_LINK, LINK_HEADER, "list the interfaces")) {
            links.add(link(message));
        }
        return links;
    }

    static Link link(Message message) {
        String name = "";
        Attributes in = message.attributes(LINK_HEADER);
        while (in.next()) {
            if (in.type() == LINK_NAME) {
                name = in.string();
            }
        }
        return new Link(message.headerInt(4), name, message.headerInt(8));
    }

    /// All IPv4 and IPv6 addresses of all interfaces.
    public List<LinkAddress> addresses() {
        List<LinkAddress> addresses = new ArrayList<>();
        for (Message message : dump(GET_ADDRESS, ADDRESS_HEADER, "list the addresses")) {
            address(message).ifPresent(addresses::add);
        }
        return addresses;
    }

    /// The address of a message, or nothing if it is of another family.
    static Optional<LinkAddress> address(Message message) {
        byte[] address = {};
        byte[] local = {};
        Attributes in = message.attributes(ADDRESS_HEADER);
        while (in.next()) {
            switch (in.type()) {
                case ADDRESS -> address = in.bytes();
                case LOCAL -> local = in.bytes();
                default -> {}
            }
        }
        // On a point-to-point interface ADDRESS is the peer's and LOCAL ours; IPv6 mostly has no
        // LOCAL.
        byte[] own = local.length > 0 ? local : address;
        if (own.length != 4 && own.length != 16) {
            return Optional.empty();
        }
        return Optional.of(
                new LinkAddress(
                        message.headerInt(4),
                        inetAddress(own),
                        message.headerByte(1),
                        message.headerByte(3)));
    }

    private static InetAddress inetAddress(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }

    /// Adds an address; one that is there gives a [NetlinkException].
    public void addAddress(LinkAddress address) {
        change(NEW_ADDRESS, CREATE_EXCLUSIVELY, address, "add address " + address.text() + " to");
    }

    /// Deletes an address; one that is not there gives a [NetlinkException].
    public void deleteAddress(LinkAddress address) {
        change(DELETE_ADDRESS, 0, address, "delete address " + address.text() + " from");
    }

    private void change(int type, int flags, LinkAddress address, String tried) {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = out.beginMessage(type, REQUEST | ACKNOWLEDGE | flags, sequence);
        byte[] header = new byte[ADDRESS_HEADER];
        header[0] = (byte) address.family();
        header[1] = (byte) address.prefixLength();
        header[3] = (byte) address.scope();
        MessageWriter.NATIVE_INT.set(header, 4, address.link());
        out.header(header);
        out.bytes(LOCAL, address.address().getAddress());
        out.bytes(ADDRESS, address.address().getAddress());
        out.endMessage(start);
        answered(socket.request(out, sequence), tried + " link " + address.link());
    }

    /// Switches an interface on.
    ///
    /// @param index as [Link] gives it
    public void setUp(int index) {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = out.beginMessage(NEW_LINK, REQUEST | ACKNOWLEDGE, sequence);
        byte[] header = new byte[LINK_HEADER];
        MessageWriter.NATIVE_INT.set(header, 4, index);
        MessageWriter.NATIVE_INT.set(header, 8, Link.UP);
        MessageWriter.NATIVE_INT.set(header, 12, Link.UP);
        out.header(header);
        out.endMessage(start);
        answered(socket.request(out, sequence), "switch on link " + index);
    }

    private List<Message> dump(int type, int headerLength, String tried) {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = out.beginMessage(type, REQUEST | DUMP, sequence);
        out.header(new byte[headerLength]);
        out.endMessage(start);
        return answered(socket.dump(out, sequence), tried);
    }

    private static List<Message> answered(NetlinkSocket.Reply reply, String tried) {
        return switch (reply) {
            case NetlinkSocket.Reply.Answered(var messages) -> messages;
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused(tried, errno, text);
        };
    }

    @Override
    public void close() {
        socket.close();
    }
}
