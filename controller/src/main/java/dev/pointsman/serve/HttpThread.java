package dev.pointsman.serve;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The one thread that answers HTTP on all ports of this process.
final class HttpThread implements Later, AutoCloseable {
    private static final int BACKLOG = 128;
    private static final int RECEIVE_BYTES = 2048;

    private final MultiThreadIoEventLoopGroup group =
            new MultiThreadIoEventLoopGroup(
                    1, new DefaultThreadFactory("serve", true), NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final Limits limits;
    private final Consumer<String> log;

    /// @param log called on this thread
    HttpThread(Limits limits, Consumer<String> log) {
        this.limits = limits;
        this.log = log;
    }

    /// Listens at `address` until what it returns is closed.
    ///
    /// @throws IOException when it cannot be listened there
    Listener open(InetSocketAddress address, Pages pages) throws IOException {
        // One of both families where the machine has both, so that 0.0.0.0 is all of their
        // addresses, as for Go.
        ServerSocketChannel socket = ServerSocketChannel.open();
        try {
            socket.bind(address, BACKLOG);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
        InetSocketAddress bound = (InetSocketAddress) socket.getLocalAddress();
        ChannelGroup connections = new DefaultChannelGroup(loop);
        NioServerSocketChannel channel = new NioServerSocketChannel(socket);
        ChannelFuture _ =
                new ServerBootstrap()
                        .group(loop)
                        .channelFactory(() -> channel)
                        .handler(new Acceptance(bound, log))
                        .childOption(ChannelOption.ALLOCATOR, new UnpooledByteBufAllocator(false))
                        .childOption(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new FixedRecvByteBufAllocator(RECEIVE_BYTES))
                        .childOption(ChannelOption.AUTO_READ, false)
                        .childHandler(connection(pages, connections))
                        .register();
        return new Listener(channel, connections, bound);
    }

    private ChannelInitializer<SocketChannel> connection(Pages pages, ChannelGroup connections) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                if (connections.size() >= limits.connections()) {
                    ChannelFuture _ = channel.close();
                    return;
                }
                connections.add(channel);
                channel.pipeline()
                        .addLast(
                                new HttpServerCodec(
                                        new HttpDecoderConfig()
                                                .setMaxInitialLineLength(Limits.LINE_BYTES)
                                                .setMaxHeaderSize(Limits.HEADER_BYTES)),
                                new HttpObjectAggregator(Limits.BODY_BYTES, true),
                                new Conversation(pages, limits));
            }
        };
    }

    /// Does `task` on this thread.
    void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public void after(Duration delay, Runnable task) {
        Future<?> _ = loop.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}
