package dev.pointsman.netlink;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// A conversation with rtnetlink(7) about interfaces and their addresses, in the network namespace
/// of the thread that opened it. One thread at a time.
///
/// Numbers are those of `linux/rtnetlink.h`, `linux/if_link.h` and `linux/if_addr.h`.
public final class LinkSocket implements AutoCloseable {
    private static final int NEW_LINK = 16;
    private static final int DELETE_LINK = 17;
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
    private static final int LINK_INFO = 18;
    private static final int LINK_KIND = 1;

    /// `struct ifaddrmsg`: family u8, prefix length u8, flags u8, scope u8, index u32.
    private static final int ADDRESS_HEADER = 8;

    private static final int ADDRESS = 1;
    private static final int LOCAL = 2;

    private final NetlinkSocket socket;

    private LinkSocket(NetlinkSocket socket) {
        this.socket = socket;
    }

    public static LinkSocket open() {
        NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.Protocol.ROUTE);
        socket.filterListings();
        return new LinkSocket(socket);
    }

    /// The index of the interface of this name, if it is there.
    public OptionalInt index(String name) {
        return links().stream()
                .filter(link -> link.name().equals(name))
                .mapToInt(Link::index)
                .findFirst();
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
        String kind = "";
        Attributes in = message.attributes(LINK_HEADER);
        while (in.next()) {
            switch (in.type()) {
                case LINK_NAME -> name = in.string();
                case LINK_INFO -> kind = kind(in.nested());
                default -> {}
            }
        }
        return new Link(message.headerInt(4), name, message.headerInt(8), kind);
    }

    private static String kind(Attributes in) {
        while (in.next()) {
            if (in.type() == LINK_KIND) {
                return in.string();
            }
        }
        return "";
    }

    /// Creates an interface of kind `dummy`: it is switched off, has no neighbours (`IFF_NOARP`)
    /// and drops what is sent to it. A name that is taken gives a [NetlinkException].
    public void createDummy(String name) {
        Names.check("link", name, Link.LONGEST_NAME);
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start =
                out.beginMessage(NEW_LINK, REQUEST | ACKNOWLEDGE | CREATE_EXCLUSIVELY, sequence);
        out.header(new byte[LINK_HEADER]);
        out.string(LINK_NAME, name);
        int info = out.begin(LINK_INFO);
        out.string(LINK_KIND, "dummy");
        out.end(info);
        out.endMessage(start);
        var _ = answered(socket.request(out, sequence), "create link " + name + " of kind dummy");
    }

    /// Deletes an interface with its addresses.
    ///
    /// @param index as [Link] gives it
    public void deleteLink(int index) {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = out.beginMessage(DELETE_LINK, REQUEST | ACKNOWLEDGE, sequence);
        byte[] header = new byte[LINK_HEADER];
        MessageWriter.NATIVE_INT.set(header, 4, index);
        out.header(header);
        out.endMessage(start);
        var _ = answered(socket.request(out, sequence), "delete link " + index);
    }

    /// All IPv4 and IPv6 addresses of all interfaces.
    public List<LinkAddress> addresses() {
        List<LinkAddress> addresses = new ArrayList<>();
        for (Message message : dump(GET_ADDRESS, ADDRESS_HEADER, "list the addresses")) {
            address(message).ifPresent(addresses::add);
        }
        return addresses;
    }

    /// The IPv4 and IPv6 addresses of one interface, none if there is no such interface. The kernel
    /// does not look at those of others.
    ///
    /// @param index as [Link] gives it
    public List<LinkAddress> addresses(int index) {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = out.beginMessage(GET_ADDRESS, REQUEST | DUMP, sequence);
        byte[] header = new byte[ADDRESS_HEADER];
        MessageWriter.NATIVE_INT.set(header, 4, index);
        out.header(header);
        out.endMessage(start);
        return switch (socket.dump(out, sequence)) {
            case NetlinkSocket.Reply.Answered(var messages) -> {
                List<LinkAddress> addresses = new ArrayList<>();
                for (Message message : messages) {
                    // Linux before 4.20 lists those of all interfaces.
                    address(message)
                            .filter(address -> address.link() == index)
                            .ifPresent(addresses::add);
                }
                yield addresses;
            }
            case NetlinkSocket.Reply.Failed(var errno, _) when errno == Errno.ENODEV -> List.of();
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused(
                            "list the addresses of link " + index, errno, text);
        };
    }

    /// The IPv4 and IPv6 addresses of all interfaces but one, which may have very many.
    ///
    /// @param index as [Link] gives it
    public List<LinkAddress> addressesExceptOf(int index) {
        List<LinkAddress> addresses = new ArrayList<>();
        for (Link link : links()) {
            if (link.index() != index) {
                addresses.addAll(addresses(link.index()));
            }
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
                        (own.length == 4 ? IpFamily.IPV4 : IpFamily.IPV6).address(own),
                        message.headerByte(1),
                        message.headerByte(3)));
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
        write(out, type, ACKNOWLEDGE | flags, sequence, address);
        answered(socket.request(out, sequence), tried + " link " + address.link());
    }

    private static int write(
            MessageWriter out, int type, int flags, int sequence, LinkAddress address) {
        int start = out.beginMessage(type, REQUEST | flags, sequence);
        byte[] header = new byte[ADDRESS_HEADER];
        header[0] = (byte) address.family();
        header[1] = (byte) address.prefixLength();
        header[3] = (byte) address.scope();
        MessageWriter.NATIVE_INT.set(header, 4, address.link());
        out.header(header);
        out.bytes(LOCAL, address.address().getAddress());
        out.bytes(ADDRESS, address.address().getAddress());
        out.endMessage(start);
        return start;
    }

    /// Adds and deletes addresses in the order of the commands and gives the answer to each, in the
    /// same order.
    public List<Answer> commit(List<? extends LinkCommand> commands) {
        List<Answer> answers =
                new ArrayList<>(Collections.nCopies(commands.size(), new Answer.Done()));
        new Exchange(socket)
                .run(
                        new Exchange.Requests() {
                            @Override
                            public int count() {
                                return commands.size();
                            }

                            @Override
                            public int write(int index, int sequence, MessageWriter out) {
                                return LinkSocket.write(out, sequence, commands.get(index));
                            }

                            @Override
                            public void refused(int index, Message error) {
                                answers.set(index, refusal(commands.get(index), error.verdict()));
                            }
                        });
        return answers;
    }

    static int write(MessageWriter out, int sequence, LinkCommand command) {
        return switch (command) {
            case LinkCommand.AddAddress(var address) ->
                    write(out, NEW_ADDRESS, CREATE_EXCLUSIVELY, sequence, address);
            case LinkCommand.DeleteAddress(var address) ->
                    write(out, DELETE_ADDRESS, 0, sequence, address);
        };
    }

    private static Answer.Refused refusal(LinkCommand command, Message.Verdict verdict) {
        Answer.Cause cause =
                switch (verdict.errno()) {
                    case Errno.EEXIST -> Answer.Cause.EXISTS;
                    case Errno.EADDRNOTAVAIL, Errno.ENODEV -> Answer.Cause.MISSING;
                    default -> Answer.Cause.OTHER;
                };
        return new Answer.Refused(
                cause,
                verdict.errno(),
                NetlinkException.describe(command.text(), verdict.errno(), verdict.text()));
    }

    /// How many system calls this socket has made.
    public long systemCalls() {
        return socket.systemCalls();
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
