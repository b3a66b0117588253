package dev.pointsman.serve;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Says when connections to an address cannot be taken, as when no file can be opened any more, and
/// rests a second then: they wait in the kernel, and the thread has others to serve.
final class Acceptance extends ChannelInboundHandlerAdapter {
    private final InetSocketAddress address;
    private final Consumer<String> log;
    private String trouble = "";

    Acceptance(InetSocketAddress address, Consumer<String> log) {
        this.address = address;
        this.log = log;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object connection) {
        trouble = "";
        context.fireChannelRead(connection);
    }

    /// Netty's own answer is the same rest, and a stack trace every second.
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        String reason = String.valueOf(cause.getMessage());
        if (!reason.equals(trouble)) {
            trouble = reason;
            log.accept(
                    "connections to "
                            + Addresses.spelt(address)
                            + " wait: "
                            + reason
                            + "; tried again every second");
        }
        context.channel().config().setAutoRead(false);
        Future<?> _ =
                context.executor()
                        .schedule(
                                () -> context.channel().config().setAutoRead(true),
                                1,
                                TimeUnit.SECONDS);
    }
}
