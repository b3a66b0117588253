package dev.pointsman.netlink;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import jnr.ffi.Runtime;

/// The real nf_tables, but for one batch with which something goes wrong: the one that is sent as
/// the `batch`-th after [#breaks], counted from 0.
public final class FaultyKernel {
    private static final int HEADER = 16;
    private static final int BATCH_BEGIN = 0x10;
    private static final int UNKNOWN_MESSAGE = 0xff;

    /// What the kernel says that has nothing to do with what it was asked.
    public enum Trouble {
        EPERM(Errno.EPERM),
        EINTR(Errno.EINTR),
        ENOMEM(12),
        EBUSY(Errno.EBUSY),
        ENOBUFS(Errno.ENOBUFS);

        private final int number;

        Trouble(int number) {
            this.number = number;
        }
    }

    /// What goes wrong.
    public sealed interface Fault {
        /// One message of the batch, counted from 1, is refused.
        record Refusal(int message, Trouble why) implements Fault {}

        /// The batch does not even reach the kernel.
        record Unsent(Trouble why) implements Fault {}

        /// The batch is in effect, and the answer does not fit the receive queue.
        record AnswerLost() implements Fault {}

        record Nothing() implements Fault {}
    }

    private Fault fault = new Fault.Nothing();
    private int batch;
    private int sent;
    private boolean pending;

    /// Opens a socket to this kernel.
    public NftSocket open() {
        LibC calls =
                (LibC)
                        Proxy.newProxyInstance(
                                LibC.class.getClassLoader(),
                                new Class<?>[] {LibC.class},
                                (_, method, arguments) -> call(method, arguments));
        return new NftSocket(NetlinkSocket.open(NetlinkSocket.Protocol.NETFILTER, calls));
    }

    /// From now on, `what` happens to one batch, once.
    public void breaks(int which, Fault what) {
        batch = which;
        fault = what;
        sent = 0;
        pending = false;
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "send" -> send(method, arguments);
            case "recv" -> receive(method, arguments);
            default -> forward(method, arguments);
        };
    }

    private Object send(Method method, Object[] arguments) throws Throwable {
        byte[] datagram = Arrays.copyOf(bytes(arguments[1]), (int) (long) arguments[2]);
        ByteBuffer messages = ByteBuffer.wrap(datagram).order(ByteOrder.nativeOrder());
        if (messages.getShort(4) != BATCH_BEGIN || sent++ != batch) {
            return forward(method, arguments);
        }
        return switch (fault) {
            case Fault.Unsent(var why) -> fail(why.number);
            case Fault.Refusal(int number, _) -> {
                // A message that no kernel knows is refused by every one.
                int at = position(messages, number);
                if (at < datagram.length) {
                    messages.put(at + 4, (byte) UNKNOWN_MESSAGE);
                    pending = true;
                }
                yield LibC.CALLS.send(
                        (int) arguments[0], datagram, datagram.length, (int) arguments[3]);
            }
            case Fault.AnswerLost() -> {
                pending = true;
                yield forward(method, arguments);
            }
            case Fault.Nothing() -> forward(method, arguments);
        };
    }

    private static byte[] bytes(Object buffer) {
        if (buffer instanceof ByteBuffer direct) {
            byte[] copy = new byte[direct.remaining()];
            direct.duplicate().get(copy);
            return copy;
        }
        return (byte[]) buffer;
    }

    /// Where the message of this number begins that is neither the first nor the last, which frame
    /// the batch; the end if there is none.
    private static int position(ByteBuffer messages, int number) {
        int at = 0;
        for (int i = 0; i < number && at < messages.limit(); i++) {
            at = next(messages, at);
        }
        return next(messages, at) < messages.limit() ? at : messages.limit();
    }

    private static int next(ByteBuffer messages, int at) {
        return at < messages.limit() ? at + (messages.getInt(at) + 3) / 4 * 4 : at;
    }

    private Object receive(Method method, Object[] arguments) throws Throwable {
        long received = (long) forward(method, arguments);
        if (!pending || received < 0) {
            return received;
        }
        return switch (fault) {
            case Fault.AnswerLost() -> {
                pending = false;
                yield fail(Errno.ENOBUFS);
            }
            case Fault.Refusal(_, var why) -> {
                ByteBuffer messages =
                        ((ByteBuffer) arguments[1]).duplicate().order(ByteOrder.nativeOrder());
                for (int at = 0; at < received; at += (messages.getInt(at) + 3) / 4 * 4) {
                    if (messages.getShort(at + 4) == Message.ERROR
                            && messages.getInt(at + HEADER) != 0) {
                        messages.putInt(at + HEADER, -why.number);
                    }
                }
                yield received;
            }
            case Fault.Unsent _, Fault.Nothing _ -> received;
        };
    }

    private static long fail(int errno) {
        Runtime.getRuntime(LibC.CALLS).setLastError(errno);
        return -1;
    }

    private static Object forward(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(LibC.CALLS, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
