package dev.pointsman.perf.api;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Serves a [Store] over plain HTTP, to anyone and in JSON alone.
///
/// Lists in pages and watches as kube-apiserver does, with the same versions, selectors, bookmarks
/// and refusals; its answers are compared with those of a real one by `RealApiServerTest`.
public final class ApiServer implements AutoCloseable {
    private static final int THREADS = 2;

    /// What is sent here is Events, and small.
    private static final int MOST_SENT_BYTES = 1 << 20;

    private final EventLoopGroup threads =
            new MultiThreadIoEventLoopGroup(
                    THREADS,
                    new DefaultThreadFactory("api-server", true),
                    NioIoHandler.newFactory());
    private final Channel channel;

    private ApiServer(InetSocketAddress at, Store store) throws IOException {
        ChannelFuture bound =
                new ServerBootstrap()
                        .group(threads)
                        .channel(NioServerSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel connection) {
                                        connection
                                                .pipeline()
                                                .addLast(
                                                        new HttpServerCodec(),
                                                        new HttpServerKeepAliveHandler(),
                                                        new HttpObjectAggregator(MOST_SENT_BYTES),
                                                        new Dialogue(store));
                                    }
                                })
                        .bind(at)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            stop();
            throw new IOException(
                    "cannot listen at %s:%d: %s"
                            .formatted(
                                    at.getHostString(), at.getPort(), bound.cause().getMessage()),
                    bound.cause());
        }
        channel = bound.channel();
    }

    /// Listens until it is closed, in the network namespace of the calling thread.
    ///
    /// @param at port 0 for any
    public static ApiServer listen(InetSocketAddress at, Store store) throws IOException {
        return new ApiServer(at, store);
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    /// Writes a kubeconfig for this server into `folder`.
    public Path kubeconfig(Path folder) throws IOException {
        return Files.writeString(
                folder.resolve("kubeconfig"),
                """
                apiVersion: v1
                kind: Config
                clusters: [{name: in-memory, cluster: {server: "http://%s:%d"}}]
                users: [{name: anyone, user: {}}]
                contexts: [{name: in-memory, context: {cluster: in-memory, user: anyone}}]
                current-context: in-memory
                """
                        .formatted(address().getAddress().getHostAddress(), address().getPort()));
    }

    /// Ends all watches and closes all connections.
    @Override
    public void close() {
        stop();
    }

    private void stop() {
        threads.shutdownGracefully(0, 1, TimeUnit.SECONDS)
                .awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}
