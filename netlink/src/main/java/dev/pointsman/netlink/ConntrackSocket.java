package dev.pointsman.netlink;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A conversation with conntrack about UDP flows, in the network namespace of the thread that
/// opened it. One thread at a time; a listing and a deletion at the same time need two of these.
public final class ConntrackSocket implements AutoCloseable {
    /// A table that changes under every one of these is taken as far as it was listed.
    static final int ATTEMPTS = 5;

    private final NetlinkSocket socket;

    private ConntrackSocket(NetlinkSocket socket) {
        this.socket = socket;
    }

    public static ConntrackSocket open() {
        return new ConntrackSocket(NetlinkSocket.open(NetlinkSocket.Protocol.NETFILTER));
    }

    /// Gives every UDP entry of `family` and of zone 0 to `taker`, those of other zones to nobody.
    /// Nothing is kept, so that a table of millions takes no more memory than an empty one. An
    /// entry can be given more than once: where others come and go meanwhile, and where the kernel
    /// says that it lost its place and must be asked again.
    public ConntrackListing list(IpFamily family, Consumer<ConntrackEntry> taker) {
        return untilWhole(() -> listOnce(family, taker));
    }

    /// Lists until nothing is missing, at most [#ATTEMPTS] times.
    static ConntrackListing untilWhole(Supplier<ConntrackListing> attempt) {
        ConntrackListing listing = attempt.get();
        for (int again = 1; again < ATTEMPTS; again++) {
            switch (listing.extent()) {
                case WHOLE -> {
                    return listing;
                }
                case PARTIAL -> listing = attempt.get();
            }
        }
        return listing;
    }

    private ConntrackListing listOnce(IpFamily family, Consumer<ConntrackEntry> taker) {
        var filtered = new Pass(family, taker);
        return switch (filtered.run(socket, ConntrackListing.Filter.KERNEL)) {
            case DumpReader.End.Listed(var gaps) -> filtered.listing(gaps);
            case DumpReader.End.Failed(int errno, _)
                    when errno == Errno.EINVAL || errno == Errno.EOPNOTSUPP -> {
                // Linux before 5.8 overlooks the filter. A kernel that knows and refuses it, or one
                // without ctnetlink, says so here.
                var whole = new Pass(family, taker);
                yield switch (whole.run(socket, ConntrackListing.Filter.PROCESS)) {
                    case DumpReader.End.Listed(var gaps) -> whole.listing(gaps);
                    case DumpReader.End.Failed failed -> throw refused(failed);
                };
            }
            case DumpReader.End.Failed failed -> throw refused(failed);
        };
    }

    private static NetlinkException refused(DumpReader.End.Failed failed) {
        String tried = "list the UDP flows of conntrack";
        if (failed.errno() == Errno.EINVAL) {
            return new NetlinkException(
                    tried
                            + ": "
                            + Errno.describe(failed.errno())
                            + "; the kernel has no ctnetlink: run `modprobe nf_conntrack_netlink`"
                            + " on the node");
        }
        return NetlinkException.refused(tried, failed.errno(), failed.kernelText());
    }

    /// One listing.
    private static final class Pass {
        private final IpFamily family;
        private final Consumer<ConntrackEntry> taker;
        private final ConntrackEntry entry;
        private long entries;
        private ConntrackListing.Filter filter = ConntrackListing.Filter.KERNEL;

        Pass(IpFamily family, Consumer<ConntrackEntry> taker) {
            this.family = family;
            this.taker = taker;
            entry = new ConntrackEntry(family);
        }

        DumpReader.End run(NetlinkSocket socket, ConntrackListing.Filter by) {
            filter = by;
            var out = new MessageWriter();
            int sequence = socket.nextSequence();
            listRequest(out, sequence, family, by);
            return socket.stream(out, sequence, this::take);
        }

        private void take(byte[] bytes, int start, int until) {
            entry.read(bytes, start, until);
            if (!entry.isUdp()) {
                filter = ConntrackListing.Filter.PROCESS;
                return;
            }
            entries++;
            if (entry.isOfDefaultZone()) {
                taker.accept(entry);
            }
        }

        ConntrackListing listing(DumpReader.Gaps gaps) {
            return new ConntrackListing(
                    entries,
                    filter,
                    switch (gaps) {
                        case NONE -> ConntrackListing.Extent.WHOLE;
                        case SOME -> ConntrackListing.Extent.PARTIAL;
                    });
        }
    }

    static void listRequest(
            MessageWriter out, int sequence, IpFamily family, ConntrackListing.Filter filter) {
        int start = begin(out, Ctnetlink.GET, NftSocket.DUMP, sequence, family.number());
        switch (filter) {
            case KERNEL -> {
                int tuple = out.begin(Ctnetlink.TUPLE_ORIGINAL);
                int protocol = out.begin(Ctnetlink.TUPLE_PROTOCOL);
                out.u8(Ctnetlink.PROTOCOL_NUMBER, Ctnetlink.UDP);
                out.end(protocol);
                out.end(tuple);
                int by = out.begin(Ctnetlink.FILTER);
                out.nativeU32(Ctnetlink.FILTER_ORIGINAL, Ctnetlink.BY_PROTOCOL);
                out.nativeU32(Ctnetlink.FILTER_REPLY, 0);
                out.end(by);
            }
            case PROCESS -> {}
        }
        out.endMessage(start);
    }

    /// Deletes each of `flows` if it still is the entry that was listed.
    public ConntrackDeletion delete(List<ConntrackFlow> flows) {
        var refusals = new Refusals(flows);
        new Exchange(socket).run(refusals);
        return new ConntrackDeletion(
                flows.size() - refusals.missing - refusals.others.size(),
                refusals.missing,
                refusals.others);
    }

    private static final class Refusals implements Exchange.Requests {
        private final List<ConntrackFlow> flows;
        private final List<String> others = new ArrayList<>();
        private long missing;

        Refusals(List<ConntrackFlow> flows) {
            this.flows = flows;
        }

        @Override
        public int count() {
            return flows.size();
        }

        @Override
        public int write(int index, int sequence, MessageWriter out) {
            return deleteRequest(out, sequence, flows.get(index));
        }

        @Override
        public void refused(int index, Message error) {
            Message.Verdict verdict = error.verdict();
            if (verdict.errno() == Errno.ENOENT) {
                missing++;
            } else {
                others.add(
                        NetlinkException.describe(
                                "delete the " + flows.get(index).text(),
                                verdict.errno(),
                                verdict.text()));
            }
        }
    }

    /// The tuple is never left out: without one the kernel takes the request for one to delete
    /// everything. That of the packet would go before that of the answer, and so is left out.
    static int deleteRequest(MessageWriter out, int sequence, ConntrackFlow flow) {
        int start = begin(out, Ctnetlink.DELETE, 0, sequence, flow.family().number());
        int tuple = out.begin(Ctnetlink.TUPLE_REPLY);
        int ip = out.begin(Ctnetlink.TUPLE_IP);
        byte[] answerer = flow.answerer().getAddress();
        byte[] receiver = flow.receiver().getAddress();
        switch (flow.family()) {
            case IPV4 -> {
                out.bytes(Ctnetlink.IPV4_SOURCE, answerer);
                out.bytes(Ctnetlink.IPV4_DESTINATION, receiver);
            }
            case IPV6 -> {
                out.bytes(Ctnetlink.IPV6_SOURCE, answerer);
                out.bytes(Ctnetlink.IPV6_DESTINATION, receiver);
            }
        }
        out.end(ip);
        int protocol = out.begin(Ctnetlink.TUPLE_PROTOCOL);
        out.u8(Ctnetlink.PROTOCOL_NUMBER, Ctnetlink.UDP);
        out.u16(Ctnetlink.SOURCE_PORT, flow.answererPort());
        out.u16(Ctnetlink.DESTINATION_PORT, flow.receiverPort());
        out.end(protocol);
        out.end(tuple);
        out.u32(Ctnetlink.ID, flow.id());
        out.endMessage(start);
        return start;
    }

    /// How many entries the namespace has, of all families and protocols.
    public int count() {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        // The answer says that more will come, which an acknowledgement ends.
        int start = begin(out, Ctnetlink.GET_STATISTICS, NftBatch.ACKNOWLEDGE, sequence, 0);
        out.endMessage(start);
        return switch (socket.request(out, sequence)) {
            case NetlinkSocket.Reply.Answered(var messages) when !messages.isEmpty() ->
                    count(messages.getFirst());
            case NetlinkSocket.Reply.Answered _ ->
                    throw new NetlinkException(
                            "count the entries of conntrack: the kernel's answer is empty");
            case NetlinkSocket.Reply.Failed(int errno, var text) ->
                    throw NetlinkException.refused("count the entries of conntrack", errno, text);
        };
    }

    private static int count(Message message) {
        Attributes in = message.attributes(NftSocket.HEADER_LENGTH);
        while (in.next()) {
            if (in.type() == Ctnetlink.STATISTICS_ENTRIES) {
                return in.u32();
            }
        }
        throw new NetlinkException("count the entries of conntrack: the answer has no number");
    }

    private static int begin(MessageWriter out, int type, int flags, int sequence, int family) {
        int start = out.beginMessage(type, NftBatch.REQUEST | flags, sequence);
        out.nfHeader(family, 0);
        return start;
    }

    @Override
    public void close() {
        socket.close();
    }
}
