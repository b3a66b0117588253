package dev.pointsman.netlink;

import java.util.OptionalInt;

/// The families of generic netlink, which get their numbers when the kernel loads them.
///
/// Numbers are those of `linux/genetlink.h`.
final class GenericNetlink {
    /// `GENL_HDRLEN`, `struct genlmsghdr`: command u8, version u8, reserved u16.
    static final int HEADER_LENGTH = 4;

    /// `GENL_ID_CTRL`, the family that knows the others.
    private static final int CONTROLLER = 0x10;

    private static final int GET_FAMILY = 3;
    private static final int CONTROLLER_VERSION = 1;
    private static final int FAMILY_ID = 1;
    private static final int FAMILY_NAME = 2;

    private GenericNetlink() {}

    /// The number of a family, if the kernel has it. Asking makes the kernel load its module.
    static OptionalInt family(NetlinkSocket socket, String name) {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start =
                begin(out, CONTROLLER, NftBatch.REQUEST, sequence, GET_FAMILY, CONTROLLER_VERSION);
        out.string(FAMILY_NAME, name);
        out.endMessage(start);
        return switch (socket.request(out, sequence)) {
            case NetlinkSocket.Reply.Answered(var messages) ->
                    messages.isEmpty() ? OptionalInt.empty() : familyId(messages.getFirst());
            case NetlinkSocket.Reply.Failed(var errno, _) when errno == Errno.ENOENT ->
                    OptionalInt.empty();
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused(
                            "find generic netlink family " + name, errno, text);
        };
    }

    static OptionalInt familyId(Message message) {
        Attributes in = message.attributes(HEADER_LENGTH);
        while (in.next()) {
            if (in.type() == FAMILY_ID) {
                return OptionalInt.of(in.nativeU16());
            }
        }
        return OptionalInt.empty();
    }

    static int begin(
            MessageWriter out, int family, int flags, int sequence, int command, int version) {
        int start = out.beginMessage(family, flags, sequence);
        out.header(new byte[] {(byte) command, (byte) version, 0, 0});
        return start;
    }
}
