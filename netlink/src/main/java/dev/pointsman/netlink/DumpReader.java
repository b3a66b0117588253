package dev.pointsman.netlink;

import java.util.Optional;

/// Takes the datagrams of one listing apart without keeping any of them.
final class DumpReader {
    private final int sequence;
    private final Taker taker;
    private Gaps gaps = Gaps.NONE;

    DumpReader(int sequence, Taker taker) {
        this.sequence = sequence;
        this.taker = taker;
    }

    /// Who is given the messages.
    interface Taker {
        /// A message in `bytes[start, until)`, which are overwritten after this call.
        void take(byte[] bytes, int start, int until);
    }

    /// Whether the listing may lack objects.
    enum Gaps {
        NONE,
        /// The objects changed in a way that the kernel could not follow, or an answer was lost.
        SOME
    }

    /// How a listing ended.
    sealed interface End {
        record Listed(Gaps gaps) implements End {}

        record Failed(int errno, String kernelText) implements End {}
    }

    /// The end of the listing once it came.
    Optional<End> take(byte[] datagram, int length) {
        int at = 0;
        while (length - at >= MessageWriter.HEADER_LENGTH) {
            int size = (int) MessageWriter.NATIVE_INT.get(datagram, at);
            if (size < MessageWriter.HEADER_LENGTH || size > length - at) {
                throw new NetlinkException(
                        "malformed netlink datagram: the message at offset "
                                + at
                                + " claims "
                                + size
                                + " bytes of the "
                                + (length - at)
                                + " that are left");
            }
            Optional<End> end = message(datagram, at, at + size);
            if (end.isPresent()) {
                return end;
            }
            at = Math.min(length, at + ((size + 3) & ~3));
        }
        return Optional.empty();
    }

    private Optional<End> message(byte[] datagram, int start, int until) {
        if ((int) MessageWriter.NATIVE_INT.get(datagram, start + 8) != sequence) {
            return Optional.empty();
        }
        int flags = (short) MessageWriter.NATIVE_SHORT.get(datagram, start + 6);
        if ((flags & Message.DUMP_INTERRUPTED) != 0) {
            gaps = Gaps.SOME;
        }
        int type = (short) MessageWriter.NATIVE_SHORT.get(datagram, start + 4) & 0xffff;
        if (type == Message.DONE || type == Message.ERROR) {
            return Optional.of(end(Message.of(datagram, start, until).verdict()));
        }
        taker.take(datagram, start, until);
        return Optional.empty();
    }

    private End end(Message.Verdict verdict) {
        return switch (verdict.errno()) {
            case 0 -> new End.Listed(gaps);
            // What NLM_F_DUMP_INTR says of a listing, some kernels say at its end.
            case Errno.EINTR -> lost();
            default -> new End.Failed(verdict.errno(), verdict.text());
        };
    }

    /// The end of a listing of which a part was lost on the way.
    End lost() {
        return new End.Listed(Gaps.SOME);
    }
}
