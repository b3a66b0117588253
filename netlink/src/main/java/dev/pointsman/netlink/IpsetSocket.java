package dev.pointsman.netlink;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A conversation with ip_set, the kernel's side of `ipset`, in the network namespace of the thread
/// that opened it. One thread at a time.
///
/// Numbers are those of `linux/netfilter/nfnetlink.h` and `linux/netfilter/ipset/ip_set.h`.
public final class IpsetSocket implements AutoCloseable {
    /// `NLM_F_EXCL`: what is there already is an error.
    static final int EXCLUSIVELY = 0x200;

    private final NetlinkSocket socket;
    private final Map<String, Integer> revisions = new HashMap<>();

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
        int start = new IpsetEncoder(out).begin(IpSets.LIST, NftSocket.DUMP, sequence);
        out.u32(IpSets.FLAGS | IpSets.NETWORK_ORDER, IpSets.NAMES_ONLY);
        out.endMessage(start);
        return list(out, sequence).stream().map(IpsetDecoder::name).toList();
    }

    /// The headers of all sets, none in a kernel that lacks ip_set.
    public List<IpsetHeader> headers() {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = new IpsetEncoder(out).begin(IpSets.LIST, NftSocket.DUMP, sequence);
        out.u32(IpSets.FLAGS | IpSets.NETWORK_ORDER, IpSets.HEADERS_ONLY);
        out.endMessage(start);
        return decode(list(out, sequence)).headers();
    }

    /// All sets with their members, none in a kernel that lacks ip_set.
    public List<Ipset> sets() {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = new IpsetEncoder(out).begin(IpSets.LIST, NftSocket.DUMP, sequence);
        out.endMessage(start);
        return decode(list(out, sequence)).all();
    }

    /// A set with its members, if it is there.
    public Optional<Ipset> set(String name) {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = new IpsetEncoder(out).begin(IpSets.LIST, NftSocket.DUMP, sequence, name);
        out.endMessage(start);
        return switch (socket.dump(out, sequence)) {
            case NetlinkSocket.Reply.Answered(var messages) ->
                    decode(messages).all().stream().findFirst();
            case NetlinkSocket.Reply.Failed(var errno, _)
                    when errno == Errno.ENOENT || errno == Errno.EINVAL ->
                    Optional.empty();
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused("list ipset " + name, errno, text);
        };
    }

    private List<Message> list(MessageWriter request, int sequence) {
        return switch (socket.dump(request, sequence)) {
            case NetlinkSocket.Reply.Answered(var messages) -> messages;
            case NetlinkSocket.Reply.Failed(var errno, _) when errno == Errno.EINVAL -> List.of();
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused("list the ipsets", errno, text);
        };
    }

    private static IpsetDecoder decode(List<Message> messages) {
        var decoder = new IpsetDecoder();
        messages.forEach(decoder::take);
        return decoder;
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
        int start =
                new IpsetEncoder(out).begin(IpSets.DESTROY, NftBatch.ACKNOWLEDGE, sequence, set);
        out.endMessage(start);
        return switch (socket.request(out, sequence)) {
            case NetlinkSocket.Reply.Answered _ -> Destruction.DONE;
            case NetlinkSocket.Reply.Failed(var errno, _) when errno == Errno.ENOENT ->
                    Destruction.DONE;
            case NetlinkSocket.Reply.Failed(var errno, _) when errno == IpSets.BUSY ->
                    Destruction.IN_USE;
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused("destroy ipset " + set, errno, text);
        };
    }

    /// What becomes of commands whose effect is there already.
    public enum Existing {
        /// Creating what exists, adding a member that is there and deleting or destroying what is
        /// not are refused.
        REFUSED,
        /// They are done, as with `ipset -exist`. A set that exists differently is still refused.
        ACCEPTED
    }

    /// Carries out commands in their order and gives the answer to each, in the same order.
    public List<Answer> commit(List<? extends IpsetCommand> commands) {
        return commit(commands, Existing.REFUSED);
    }

    /// As [#commit(List)].
    public List<Answer> commit(List<? extends IpsetCommand> commands, Existing existing) {
        for (IpsetCommand command : commands) {
            if (command instanceof IpsetCommand.Create(var definition)) {
                revisions.computeIfAbsent(typeKey(definition), _ -> revision(definition));
            }
        }
        int flags =
                switch (existing) {
                    case REFUSED -> EXCLUSIVELY;
                    case ACCEPTED -> 0;
                };
        return new IpsetCommit(socket, commands, flags, this::knownRevision).run();
    }

    private int knownRevision(IpsetDefinition definition) {
        return revisions.getOrDefault(typeKey(definition), definition.type().newestRevision());
    }

    private static String typeKey(IpsetDefinition definition) {
        return definition.type() + " " + IpsetEncoder.family(definition);
    }

    /// The newest revision that both the kernel and this class know. Asking makes the kernel load
    /// the module of the type; a kernel without it refuses the set when it is created.
    private int revision(IpsetDefinition definition) {
        IpsetType type = definition.type();
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = new IpsetEncoder(out).begin(IpSets.TYPE, 0, sequence);
        out.string(IpSets.TYPE_NAME, type.kernelName());
        out.u8(IpSets.SET_FAMILY, IpsetEncoder.family(definition));
        out.endMessage(start);
        return switch (socket.request(out, sequence)) {
            case NetlinkSocket.Reply.Answered(var messages) ->
                    messages.isEmpty()
                            ? type.newestRevision()
                            : revision(messages.getFirst(), type.newestRevision());
            case NetlinkSocket.Reply.Failed _ -> type.newestRevision();
        };
    }

    static int revision(Message message, int newest) {
        int least = 0;
        int most = newest;
        Attributes in = message.attributes(NftSocket.HEADER_LENGTH);
        while (in.next()) {
            switch (in.type()) {
                case IpSets.REVISION -> most = in.u8();
                case IpSets.LEAST_REVISION -> least = in.u8();
                default -> {}
            }
        }
        return Math.max(least, Math.min(most, newest));
    }

    /// How many system calls this socket has made.
    public long systemCalls() {
        return socket.systemCalls();
    }

    @Override
    public void close() {
        socket.close();
    }
}
