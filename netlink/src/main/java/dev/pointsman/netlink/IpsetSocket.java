package dev.pointsman.netlink;

import java.util.List;

/// A conversation with ip_set, the kernel's side of `ipset`, in the network namespace of the thread
/// that opened it. One thread at a time.
///
/// Numbers are those of `linux/netfilter/nfnetlink.h` and `linux/netfilter/ipset/ip_set.h`.
public final class IpsetSocket implements AutoCloseable {
    /// `NFNL_SUBSYS_IPSET`, the high byte of every message type.
    private static final int SUBSYSTEM = 6;

    private static final int DESTROY = (SUBSYSTEM << 8) + 3;
    private static final int LIST = (SUBSYSTEM << 8) + 7;

    private static final int PROTOCOL = 1;
    private static final int NAME = 2;
    private static final int FLAGS = 6;

    /// Version 7 of Linux 4.20 adds requests that are not used here, and takes this one.
    private static final int VERSION = 6;

    /// `IPSET_FLAG_LIST_SETNAME`: names without headers and members.
    private static final int NAMES_ONLY = 0x2;

    /// `IPSET_ERR_BUSY`, beyond the error numbers of Linux.
    private static final int BUSY = 4100;

    private final NetlinkSocket socket;

    private IpsetSocket(NetlinkSocket socket) {
        this.socket = socket;
    }

    public static IpsetSocket open() {
        return new IpsetSocket(NetlinkSocket.open(NetlinkSocket.Protocol.NETFILTER));
    }

    /// The names of all sets, none in a kernel that lacks ip_set.
    public List<String> names() {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = begin(out, LIST, NftSocket.DUMP, sequence);
        out.u32(FLAGS, NAMES_ONLY);
        out.endMessage(start);
        return switch (socket.dump(out, sequence)) {
            case NetlinkSocket.Reply.Answered(var messages) ->
                    messages.stream().map(IpsetSocket::name).toList();
            case NetlinkSocket.Reply.Failed(var errno, _) when errno == Errno.EINVAL -> List.of();
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused("list the ipsets", errno, text);
        };
    }

    static String name(Message message) {
        String name = "";
        Attributes in = message.attributes(NftSocket.HEADER_LENGTH);
        while (in.next()) {
            if (in.type() == NAME) {
                name = in.string();
            }
        }
        return name;
    }

    /// How the kernel answered [#destroy].
    public enum Destruction {
        /// There is no such set any more.
        DONE,
        /// A rule or another set refers to it, so it stays.
        IN_USE
    }

    /// Destroys a set with all its members; one that is not there is no failure.
    public Destruction destroy(String set) {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = begin(out, DESTROY, NftBatch.ACKNOWLEDGE, sequence);
        out.string(NAME, set);
        out.endMessage(start);
        return switch (socket.request(out, sequence)) {
            case NetlinkSocket.Reply.Answered _ -> Destruction.DONE;
            case NetlinkSocket.Reply.Failed(var errno, _) when errno == Errno.ENOENT ->
                    Destruction.DONE;
            case NetlinkSocket.Reply.Failed(var errno, _) when errno == BUSY -> Destruction.IN_USE;
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused("destroy ipset " + set, errno, text);
        };
    }

    private static int begin(MessageWriter out, int type, int flags, int sequence) {
        int start = out.beginMessage(type, NftBatch.REQUEST | flags, sequence);
        out.nfHeader(0, 0);
        out.u8(PROTOCOL, VERSION);
        return start;
    }

    @Override
    public void close() {
        socket.close();
    }
}
