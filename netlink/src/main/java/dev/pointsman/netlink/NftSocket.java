package dev.pointsman.netlink;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// A conversation with nf_tables in the network namespace of the thread that opened it. One thread
/// at a time.
public final class NftSocket implements AutoCloseable {
    /// `NLM_F_DUMP`.
    static final int DUMP = 0x300;

    /// `struct nfgenmsg`.
    static final int HEADER_LENGTH = 4;

    private final NetlinkSocket socket;

    NftSocket(NetlinkSocket socket) {
        this.socket = socket;
    }

    /// Opens the socket; a kernel without nfnetlink gives a [NetlinkException]. That the kernel has
    /// nf_tables and that this process may change them shows at the first request.
    public static NftSocket open() {
        return new NftSocket(NetlinkSocket.open(NetlinkSocket.Protocol.NETFILTER));
    }

    /// Puts a batch into effect, all of it or nothing.
    ///
    /// A refusal names the first operation that the kernel refused. A batch that the kernel did not
    /// even look at, for lack of permission, of memory or of nf_tables, gives a [NetlinkException].
    public NftAnswer commit(NftBatch batch) {
        if (batch.isEmpty()) {
            return new NftAnswer.Done();
        }
        socket.drain();
        socket.send(batch.complete());
        var replies = new Replies(batch.lastSequence());
        // The kernel has worked the batch through by now, and all it has to say is in the queue.
        NetlinkSocket.Datagram datagram = socket.receiveNow();
        while (!(datagram instanceof NetlinkSocket.Datagram.Nothing)) {
            replies.take(datagram);
            datagram = socket.receiveNow();
        }
        if (replies.first.errno() != 0) {
            return refusal(batch, replies.firstRefused, replies.first);
        }
        if (replies.acknowledged) {
            return new NftAnswer.Done();
        }
        throw new NetlinkException(
                describe(batch)
                        + ": the kernel neither acknowledged nor refused it"
                        + (replies.lost ? ", or its answer did not fit the receive queue" : "")
                        + "; read the table to learn what is in effect");
    }

    /// What the kernel has said about a batch so far.
    private static final class Replies {
        private final int lastSequence;
        private int firstRefused = Integer.MAX_VALUE;
        private Message.Verdict first = new Message.Verdict(0, "", 0);
        private boolean acknowledged;
        private boolean lost;

        Replies(int lastSequence) {
            this.lastSequence = lastSequence;
        }

        void take(NetlinkSocket.Datagram datagram) {
            switch (datagram) {
                case NetlinkSocket.Datagram.Nothing() -> {}
                case NetlinkSocket.Datagram.Lost() -> lost = true;
                case NetlinkSocket.Datagram.Messages(var messages) -> messages.forEach(this::take);
            }
        }

        private void take(Message message) {
            if (message.type() != Message.ERROR) {
                return;
            }
            Message.Verdict verdict = message.verdict();
            if (verdict.errno() == 0) {
                acknowledged |= message.sequence() == lastSequence;
            } else if (message.sequence() < firstRefused) {
                firstRefused = message.sequence();
                first = verdict;
            }
        }
    }

    private static NftAnswer refusal(NftBatch batch, int sequence, Message.Verdict verdict) {
        if (!batch.gaveOut(sequence)) {
            throw NetlinkException.refused(describe(batch), verdict.errno(), verdict.text());
        }
        return batch.refusal(sequence, verdict.errno(), verdict.text(), verdict.offset());
    }

    private static String describe(NftBatch batch) {
        return "commit "
                + batch.operations()
                + " nf_tables operations of "
                + batch.bytes()
                + " bytes";
    }

    /// A table, if it is there.
    public Optional<NftTable> table(NftFamily family, String table) {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = begin(out, NfTables.GET_TABLE, 0, sequence, family.number());
        out.string(NfTables.TABLE_NAME, table);
        out.endMessage(start);
        return switch (socket.request(out, sequence)) {
            case NetlinkSocket.Reply.Answered(var messages) ->
                    messages.stream()
                            .map(message -> NftDecoder.table(message.attributes(HEADER_LENGTH)))
                            .findFirst();
            case NetlinkSocket.Reply.Failed(var errno, _) when errno == Errno.ENOENT ->
                    Optional.empty();
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused("read nf_tables table " + table, errno, text);
        };
    }

    /// The chains of a table, none if there is no such table.
    public List<NftListedChain> chains(NftFamily family, String table) {
        // The kernel lists the chains of all tables of a family.
        return list(NfTables.GET_CHAIN, family, table, NfTables.CHAIN_TABLE, NftDecoder::chain)
                .stream()
                .filter(listed -> listed.chain().table().equals(table))
                .toList();
    }

    /// The rules of a table, chain by chain and in order within each, none if there is no such
    /// table.
    public List<NftListedRule> rules(NftFamily family, String table) {
        return list(NfTables.GET_RULE, family, table, NfTables.RULE_TABLE, NftDecoder::rule)
                .stream()
                .filter(listed -> listed.table().equals(table))
                .toList();
    }

    /// The sets and maps of a table, none if there is no such table.
    public List<NftListedSet> sets(NftFamily family, String table) {
        return list(NfTables.GET_SET, family, table, NfTables.SET_TABLE, NftDecoder::set);
    }

    private <T> List<T> list(
            int type,
            NftFamily family,
            String table,
            int tableType,
            Function<Attributes, T> decode) {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = begin(out, type, DUMP, sequence, family.number());
        out.string(tableType, table);
        out.endMessage(start);
        return switch (socket.dump(out, sequence)) {
            case NetlinkSocket.Reply.Answered(var messages) -> {
                List<T> listed = new ArrayList<>(messages.size());
                for (Message message : messages) {
                    listed.add(decode.apply(message.attributes(HEADER_LENGTH)));
                }
                yield listed;
            }
            case NetlinkSocket.Reply.Failed(var errno, _) when errno == Errno.ENOENT -> List.of();
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused("list nf_tables table " + table, errno, text);
        };
    }

    /// Hands over every element of a set, in the kernel's order. The listing is whole before the
    /// first element is handed over.
    public void elements(NftFamily family, String table, String set, Consumer<NftElement> each) {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = begin(out, NfTables.GET_ELEMENT, DUMP, sequence, family.number());
        out.string(NfTables.ELEMENTS_TABLE, table);
        out.string(NfTables.ELEMENTS_SET, set);
        out.endMessage(start);
        switch (socket.dump(out, sequence)) {
            case NetlinkSocket.Reply.Answered(var messages) -> {
                for (Message message : messages) {
                    elements(message.attributes(HEADER_LENGTH), each);
                }
            }
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused(
                            "list the elements of nf_tables set " + table + " " + set, errno, text);
        }
    }

    private static void elements(Attributes message, Consumer<NftElement> each) {
        while (message.next()) {
            if (message.type() == NfTables.ELEMENTS_LIST) {
                Attributes list = message.nested();
                while (list.next()) {
                    each.accept(NftDecoder.element(list.nested()));
                }
            }
        }
    }

    /// The number of the ruleset's generation in this namespace, which every commit of anybody
    /// changes.
    public long generation() {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = begin(out, NfTables.GET_GENERATION, 0, sequence, 0);
        out.endMessage(start);
        return switch (socket.request(out, sequence)) {
            case NetlinkSocket.Reply.Answered(var messages) -> {
                long generation = 0;
                for (Message message : messages) {
                    generation = NftDecoder.generation(message.attributes(HEADER_LENGTH));
                }
                yield generation;
            }
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused("read the nf_tables generation", errno, text);
        };
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
