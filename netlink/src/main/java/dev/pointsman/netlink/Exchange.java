package dev.pointsman.netlink;

/// Many requests that change something, each for itself, sent many to a datagram.
///
/// The kernel works through a datagram in order before send(2) returns, and says of every request
/// that it refuses which it was, by its sequence number. So only the last of a datagram asks for an
/// acknowledgement: once that is answered, whatever was not refused is done. This takes one message
/// per datagram off the receive queue instead of one per request.
final class Exchange {
    /// However many of these are refused, their errors fit a receive queue of the size that Linux
    /// gives to a process without CAP_NET_ADMIN: the kernel accounts about 1 KiB for each.
    static final int MESSAGES = 128;

    /// A datagram that has reached this size is sent. With [#LONGEST_MESSAGE] on top it still fits
    /// the send buffer that the socket keeps.
    static final int BYTES = 48 * 1024;

    /// No request may be longer. The kernel may repeat a refused one in its answer.
    static final int LONGEST_MESSAGE = 16 * 1024;

    private final NetlinkSocket socket;
    private final MessageWriter out = new MessageWriter();
    private final int[] sequences = new int[MESSAGES];

    Exchange(NetlinkSocket socket) {
        this.socket = socket;
    }

    /// The requests, numbered from 0, each of one message.
    interface Requests {
        int count();

        /// Writes a request and returns where its message starts.
        int write(int index, int sequence, MessageWriter out);

        /// Takes note of an [Message#ERROR] with an error number.
        void refused(int index, Message error);
    }

    /// Sends all requests. One that may not be made at all (EPERM) gives a [NetlinkException]; an
    /// answer that is lost gives one too, and then nobody knows what is in effect.
    void run(Requests requests) {
        socket.drain();
        int next = 0;
        while (next < requests.count()) {
            next += runSome(requests, next);
        }
    }

    /// One datagram. Returns how many requests it took.
    private int runSome(Requests requests, int first) {
        out.clear();
        int count = 0;
        int last = 0;
        while (first + count < requests.count() && count < MESSAGES && out.length() < BYTES) {
            sequences[count] = socket.nextSequence();
            last = requests.write(first + count, sequences[count], out);
            count++;
        }
        out.addFlags(last, NftBatch.ACKNOWLEDGE);
        socket.send(out);
        boolean finished = false;
        while (!finished) {
            finished = take(socket.receive(), requests, first, count);
        }
        return count;
    }

    /// Whether the last request is answered.
    private boolean take(NetlinkSocket.Datagram datagram, Requests requests, int first, int count) {
        return switch (datagram) {
            case NetlinkSocket.Datagram.Lost() -> throw socket.answerLost();
            case NetlinkSocket.Datagram.Nothing() -> throw socket.noAnswer();
            case NetlinkSocket.Datagram.Messages(var messages) -> {
                boolean finished = false;
                for (Message message : messages) {
                    int index = message.type() == Message.ERROR ? indexOf(message, count) : -1;
                    if (index < 0) {
                        continue;
                    }
                    Message.Verdict verdict = message.verdict();
                    if (verdict.errno() == Errno.EPERM) {
                        // So the kernel answers all of them.
                        throw NetlinkException.refused(
                                "change " + requests.count() + " objects", Errno.EPERM, "");
                    }
                    if (verdict.errno() != 0) {
                        requests.refused(first + index, message);
                    }
                    finished |= index == count - 1;
                }
                yield finished;
            }
        };
    }

    private int indexOf(Message message, int count) {
        for (int i = 0; i < count; i++) {
            if (sequences[i] == message.sequence()) {
                return i;
            }
        }
        return -1;
    }
}
