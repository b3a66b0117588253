package dev.pointsman.netlink;

import java.util.ArrayList;
import java.util.List;

/// One message of a received datagram, `struct nlmsghdr` and what follows it, within checked
/// bounds.
final class Message {
    /// `NLMSG_ERROR`, also the acknowledgement when its code is 0.
    static final int ERROR = 2;

    /// `NLMSG_DONE`, the end of a dump.
    static final int DONE = 3;

    private static final int MULTIPART = 0x2;

    /// `NLM_F_DUMP_INTR`.
    static final int DUMP_INTERRUPTED = 0x10;

    private static final int CAPPED = 0x100;
    private static final int EXTENDED = 0x200;
    private static final int ERROR_TEXT = 1;
    private static final int ERROR_OFFSET = 2;

    private final byte[] bytes;
    private final int start;
    private final int until;

    private Message(byte[] bytes, int start, int until) {
        this.bytes = bytes;
        this.start = start;
        this.until = until;
    }

    /// The one message of a range that holds a whole one.
    static Message of(byte[] bytes, int start, int until) {
        return new Message(bytes, start, until);
    }

    static List<Message> split(byte[] datagram) {
        List<Message> messages = new ArrayList<>();
        int at = 0;
        while (datagram.length - at >= MessageWriter.HEADER_LENGTH) {
            int length = (int) MessageWriter.NATIVE_INT.get(datagram, at);
            if (length < MessageWriter.HEADER_LENGTH || length > datagram.length - at) {
                throw new NetlinkException(
                        "malformed netlink datagram: the message at offset "
                                + at
                                + " claims "
                                + length
                                + " bytes of the "
                                + (datagram.length - at)
                                + " that are left");
            }
            messages.add(new Message(datagram, at, at + length));
            at = Math.min(datagram.length, at + ((length + 3) & ~3));
        }
        return messages;
    }

    int type() {
        return (short) MessageWriter.NATIVE_SHORT.get(bytes, start + 4) & 0xffff;
    }

    int sequence() {
        return (int) MessageWriter.NATIVE_INT.get(bytes, start + 8);
    }

    boolean isMultipart() {
        return (flags() & MULTIPART) != 0;
    }

    /// Whether the kernel's objects changed while it listed them, so that the listing may lack
    /// some.
    boolean isInterrupted() {
        return (flags() & DUMP_INTERRUPTED) != 0;
    }

    /// Whether an error repeats only the header of the request that it is about.
    boolean isCapped() {
        return (flags() & CAPPED) != 0;
    }

    /// A byte of the family's header, 0-based.
    int headerByte(int index) {
        return bytes[need(index, 1)] & 0xff;
    }

    /// Four bytes of the family's header in the machine's byte order, 0-based.
    int headerInt(int index) {
        return (int) MessageWriter.NATIVE_INT.get(bytes, need(index, 4));
    }

    /// The attributes after a family's header of fixed size.
    Attributes attributes(int headerLength) {
        return new Attributes(bytes, need(headerLength, 0), until);
    }

    /// What an [#ERROR] or [#DONE] says (`struct nlmsgerr`).
    ///
    /// @param errno 0 for success
    /// @param text the kernel's own words, empty when it gave none
    /// @param offset of the attribute at fault within the request, 0 when the kernel gave none
    record Verdict(int errno, String text, int offset) {}

    Verdict verdict() {
        if (type() == DONE && until - start < MessageWriter.HEADER_LENGTH + 4) {
            return new Verdict(0, "", 0);
        }
        int errno = -headerInt(0);
        if ((flags() & EXTENDED) == 0) {
            return new Verdict(errno, "", 0);
        }
        Attributes extended = attributes(extendedFrom());
        String text = "";
        int offset = 0;
        while (extended.next()) {
            if (extended.type() == ERROR_TEXT) {
                text = extended.string();
            } else if (extended.type() == ERROR_OFFSET) {
                offset = extended.nativeU32();
            }
        }
        return new Verdict(errno, text, offset);
    }

    /// An error repeats the header of the request and, unless capped, the whole request.
    private int extendedFrom() {
        if (type() == DONE) {
            return 4;
        }
        if (isCapped()) {
            return 4 + MessageWriter.HEADER_LENGTH;
        }
        int request = headerInt(4);
        if (request < MessageWriter.HEADER_LENGTH || request > until - start) {
            throw new NetlinkException(
                    "malformed netlink error: it repeats a request of "
                            + request
                            + " bytes in "
                            + (until - start));
        }
        return 4 + ((request + 3) & ~3);
    }

    private int flags() {
        return (short) MessageWriter.NATIVE_SHORT.get(bytes, start + 6);
    }

    private int need(int index, int size) {
        int from = start + MessageWriter.HEADER_LENGTH + index;
        if (size > until - from) {
            throw new NetlinkException(
                    "malformed netlink message: type "
                            + type()
                            + " has "
                            + (until - start)
                            + " bytes, "
                            + (from + size - start)
                            + " are needed");
        }
        return from;
    }
}
