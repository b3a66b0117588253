package dev.pointsman.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A socket of one netlink family in the network namespace of the thread that opened it.
///
/// Nothing waits for ever: an answer that does not come within [#PATIENCE_SECONDS] is a
/// [NetlinkException]. One thread at a time.
///
/// Constants are those of `linux/netlink.h`, `asm-generic/socket.h` and socket(7).
final class NetlinkSocket implements AutoCloseable {
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW = 3;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVTIMEO = 20;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int SOL_NETLINK = 270;
    private static final int NETLINK_ADD_MEMBERSHIP = 1;
    private static final int NETLINK_CAP_ACK = 10;
    private static final int NETLINK_EXT_ACK = 11;
    private static final int NETLINK_GET_STRICT_CHK = 12;
    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_DONTWAIT = 0x40;

    private static final int PATIENCE_SECONDS = 10;

    /// A dump that the kernel interrupts this often is given up: something writes without pause.
    private static final int DUMP_ATTEMPTS = 20;

    /// The kernel fills dumps into datagrams of at most 32 KiB.
    private static final int RECEIVE_BYTES = 128 * 1024;

    /// Requests up to this size are sent from one buffer that is kept.
    private static final int KEPT_SEND_BYTES = 64 * 1024;

    /// Room for the errors of many messages of one batch.
    private static final int RECEIVE_QUEUE_BYTES = 1024 * 1024;

    private final LibC calls;
    private final Protocol protocol;
    private final int descriptor;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(RECEIVE_BYTES);
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(KEPT_SEND_BYTES);
    private int sendLimit = KEPT_SEND_BYTES;
    private int sequence;
    private long systemCalls;
    private boolean closed;

    /// A netlink family.
    enum Protocol {
        ROUTE(0, "rtnetlink"),
        NETFILTER(12, "nfnetlink"),
        GENERIC(16, "generic netlink");

        private final int number;
        private final String title;

        Protocol(int number, String title) {
            this.number = number;
            this.title = title;
        }
    }

    /// How the kernel answered a request.
    sealed interface Reply {
        record Answered(List<Message> messages) implements Reply {}

        record Failed(int errno, String kernelText) implements Reply {}
    }

    private NetlinkSocket(LibC calls, Protocol protocol, int descriptor) {
        this.calls = calls;
        this.protocol = protocol;
        this.descriptor = descriptor;
    }

    static NetlinkSocket open(Protocol protocol) {
        return open(protocol, LibC.CALLS);
    }

    /// @param calls how the kernel is reached
    static NetlinkSocket open(Protocol protocol, LibC calls) {
        int descriptor = calls.socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol.number);
        if (descriptor < 0) {
            throw NetlinkException.refused("open a socket of " + protocol.title, LibC.errno(), "");
        }
        var socket = new NetlinkSocket(calls, protocol, descriptor);
        try {
            socket.prepare();
        } catch (NetlinkException e) {
            socket.close();
            throw e;
        }
        return socket;
    }

    private void prepare() {
        ByteBuffer address = nativeBuffer(12);
        address.putShort(0, (short) AF_NETLINK);
        check("bind", calls.bind(descriptor, address, 12));
        option(SOL_NETLINK, NETLINK_EXT_ACK, 1);
        // Without this, an error repeats the whole request, which the caller still has.
        option(SOL_NETLINK, NETLINK_CAP_ACK, 1);
        ByteBuffer patience = nativeBuffer(16);
        patience.putLong(0, PATIENCE_SECONDS);
        check(
                "set a time limit",
                calls.setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, patience, 16));
        // Without CAP_NET_ADMIN the queue stays at the system's default: enough to list, not to
        // load.
        tryOption(SO_RCVBUFFORCE, RECEIVE_QUEUE_BYTES);
    }

    /// Makes the kernel heed the header of a request that lists objects, so that it lists those of
    /// one link only. Linux before 4.20 cannot and lists all.
    void filterListings() {
        setOption(SOL_NETLINK, NETLINK_GET_STRICT_CHK, 1);
    }

    /// Hears from now on what the kernel tells everybody in a multicast group.
    void join(int group) {
        option(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, group);
    }

    /// How often send(2) and recv(2) were called.
    long systemCalls() {
        return systemCalls;
    }

    /// A number for the next request.
    int nextSequence() {
        sequence = sequence == Integer.MAX_VALUE ? 1 : sequence + 1;
        return sequence;
    }

    /// Sends all that is written as one datagram, which the kernel works through before this
    /// returns.
    void send(MessageWriter messages) {
        int length = messages.length();
        allow(length);
        while (true) {
            long sent = sendOnce(messages, length);
            if (sent == length) {
                return;
            }
            int errno = LibC.errno();
            if (sent >= 0 || errno != Errno.EINTR) {
                throw NetlinkException.refused(
                        "send " + length + " bytes to " + protocol.title, errno, "");
            }
        }
    }

    private long sendOnce(MessageWriter messages, int length) {
        systemCalls++;
        if (length > KEPT_SEND_BYTES) {
            return calls.send(descriptor, messages.buffer(), length, 0);
        }
        outgoing.clear().put(messages.buffer(), 0, length).flip();
        return calls.send(descriptor, outgoing, length, 0);
    }

    /// A datagram longer than the send buffer is refused with EMSGSIZE.
    private void allow(int length) {
        if (length <= sendLimit) {
            return;
        }
        if (!tryOption(SO_SNDBUFFORCE, length)) {
            // net.core.wmem_max bounds this one; sending tells whether it was enough.
            tryOption(SO_SNDBUF, length);
        }
        sendLimit = length;
    }

    /// Sends a request that is answered with one message or an acknowledgement.
    Reply request(MessageWriter request, int requestSequence) {
        drain();
        send(request);
        return collect(requestSequence).orElseThrow(this::answerLost);
    }

    NetlinkException answerLost() {
        return new NetlinkException(
                "the answer of " + protocol.title + " was lost; read back what is in effect");
    }

    NetlinkException noAnswer() {
        return new NetlinkException(
                protocol.title + " gave no answer within " + PATIENCE_SECONDS + " seconds");
    }

    /// Sends a request that lists objects, again and again until the listing has no gaps.
    Reply dump(MessageWriter request, int requestSequence) {
        drain();
        return dumpNext(request, requestSequence);
    }

    /// As [#dump], where nothing can be left over: the answer before was read to its end.
    Reply dumpNext(MessageWriter request, int requestSequence) {
        for (int attempt = 0; attempt < DUMP_ATTEMPTS; attempt++) {
            if (attempt > 0) {
                drain();
            }
            send(request);
            Optional<Reply> reply = collect(requestSequence);
            if (reply.isPresent()) {
                return reply.get();
            }
        }
        throw new NetlinkException(
                "list objects of "
                        + protocol.title
                        + ": the kernel's objects changed during each of "
                        + DUMP_ATTEMPTS
                        + " attempts; another program keeps writing them");
    }

    /// Lists objects once and gives every message of the answer away as it comes, so that a listing
    /// takes the same memory however long it is. One with gaps is read to its end as well.
    DumpReader.End stream(MessageWriter request, int requestSequence, DumpReader.Taker taker) {
        drain();
        send(request);
        var reader = new DumpReader(requestSequence, taker);
        byte[] datagram = new byte[RECEIVE_BYTES];
        while (true) {
            long received = receiveInto(0);
            if (received == -Errno.EAGAIN) {
                throw noAnswer();
            }
            if (received == -Errno.ENOBUFS) {
                return reader.lost();
            }
            incoming.get(0, datagram, 0, (int) received);
            Optional<DumpReader.End> end = reader.take(datagram, (int) received);
            if (end.isPresent()) {
                return end.get();
            }
        }
    }

    /// The whole answer, or nothing if it has gaps and must be asked for again.
    private Optional<Reply> collect(int requestSequence) {
        List<Message> answer = new ArrayList<>();
        while (true) {
            Datagram datagram = receive();
            switch (datagram) {
                case Datagram.Lost() -> {
                    return Optional.empty();
                }
                case Datagram.Nothing() -> throw noAnswer();
                case Datagram.Messages(var messages) -> {
                    for (Message message : messages) {
                        if (message.sequence() != requestSequence) {
                            continue;
                        }
                        if (message.isInterrupted()) {
                            return Optional.empty();
                        }
                        if (message.type() == Message.ERROR || message.type() == Message.DONE) {
                            return Optional.of(finished(message.verdict(), answer));
                        }
                        answer.add(message);
                        if (!message.isMultipart()) {
                            return Optional.of(new Reply.Answered(answer));
                        }
                    }
                }
            }
        }
    }

    private static Reply finished(Message.Verdict verdict, List<Message> answer) {
        return verdict.errno() == 0
                ? new Reply.Answered(answer)
                : new Reply.Failed(verdict.errno(), verdict.text());
    }

    /// What a receive brought.
    sealed interface Datagram {
        record Messages(List<Message> messages) implements Datagram {}

        /// The kernel had more to say than the receive queue took (ENOBUFS); what comes next has a
        /// gap.
        record Lost() implements Datagram {}

        /// Nothing is there.
        record Nothing() implements Datagram {}
    }

    /// What is there already, without waiting.
    Datagram receiveNow() {
        return receive(MSG_DONTWAIT);
    }

    /// What comes within [#PATIENCE_SECONDS].
    Datagram receive() {
        return receive(0);
    }

    /// Throws away what is left over from an answer that was given up half-way.
    void drain() {
        Datagram left = receiveNow();
        while (!(left instanceof Datagram.Nothing)) {
            left = receiveNow();
        }
    }

    private Datagram receive(int flags) {
        long received = receiveInto(flags);
        if (received == -Errno.EAGAIN) {
            return new Datagram.Nothing();
        }
        if (received == -Errno.ENOBUFS) {
            return new Datagram.Lost();
        }
        byte[] datagram = new byte[(int) received];
        incoming.get(0, datagram);
        return new Datagram.Messages(Message.split(datagram));
    }

    /// The length of the datagram that is now in `incoming`, or the number of EAGAIN or ENOBUFS
    /// below zero.
    private long receiveInto(int flags) {
        while (true) {
            systemCalls++;
            long received = calls.recv(descriptor, incoming, RECEIVE_BYTES, flags | MSG_TRUNC);
            if (received > RECEIVE_BYTES) {
                throw new NetlinkException(
                        protocol.title
                                + " sent a datagram of "
                                + received
                                + " bytes, longer than "
                                + RECEIVE_BYTES);
            }
            if (received >= 0) {
                return received;
            }
            int errno = LibC.errno();
            switch (errno) {
                case Errno.EINTR -> {}
                case Errno.EAGAIN, Errno.ENOBUFS -> {
                    return -errno;
                }
                default ->
                        throw NetlinkException.refused("receive from " + protocol.title, errno, "");
            }
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            // close(2) gives the descriptor up whatever it returns.
            calls.close(descriptor);
        }
    }

    private void option(int level, int option, int value) {
        check("set option " + option, setOption(level, option, value));
    }

    private boolean tryOption(int option, int value) {
        return setOption(SOL_SOCKET, option, value) == 0;
    }

    private int setOption(int level, int option, int value) {
        ByteBuffer buffer = nativeBuffer(4);
        buffer.putInt(0, value);
        return calls.setsockopt(descriptor, level, option, buffer, 4);
    }

    private void check(String tried, int result) {
        if (result < 0) {
            throw NetlinkException.refused(
                    tried + " on a socket of " + protocol.title, LibC.errno(), "");
        }
    }

    private static ByteBuffer nativeBuffer(int size) {
        return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    }
}
