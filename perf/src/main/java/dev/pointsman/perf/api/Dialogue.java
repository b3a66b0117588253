package dev.pointsman.perf.api;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One connection: a request, its answer, the next request.
final class Dialogue extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(Dialogue.class);

    private final Store store;
    private @Nullable Watch watch;

    Dialogue(Store store) {
        this.store = store;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (watch != null) {
            // An answer that may go on for ever is not followed by another.
            ChannelFuture _ = context.close();
            return;
        }
        try {
            answer(context, request);
        } catch (Refusal e) {
            send(context, e.code(), e.body(context.alloc()));
        }
    }

    private void answer(ChannelHandlerContext context, FullHttpRequest request) throws Refusal {
        QueryStringDecoder uri = new QueryStringDecoder(request.uri());
        if (!request.decoderResult().isSuccess()) {
            throw Refusal.badRequest(String.valueOf(request.decoderResult().cause()));
        }
        if (!request.method().equals(HttpMethod.GET)) {
            write(context, request, uri.path());
            return;
        }
        String accept = request.headers().get(HttpHeaderNames.ACCEPT, "*/*");
        if (!accept.contains("json") && !accept.contains("*/*")) {
            throw Refusal.notAcceptable(accept);
        }
        Optional<ObjectPath> path = ObjectPath.of(uri.path());
        if (path.isPresent()) {
            read(context, path.get(), Query.of(uri.parameters()));
        } else {
            send(
                    context,
                    HttpResponseStatus.OK.code(),
                    ByteBufUtil.writeUtf8(context.alloc(), aboutServer(uri.path())));
        }
    }

    /// Objects are written by whom the store belongs to. Events are taken, and nobody reads them.
    private static void write(ChannelHandlerContext context, FullHttpRequest request, String path)
            throws Refusal {
        if (!path.matches("/(api|apis/events\\.k8s\\.io)/v1/namespaces/[^/]+/events(/[^/]+)?")) {
            throw Refusal.notAllowed(request.method() + " " + path);
        }
        HttpResponseStatus status =
                request.method().equals(HttpMethod.POST)
                        ? HttpResponseStatus.CREATED
                        : HttpResponseStatus.OK;
        send(context, status.code(), request.content().retain());
    }

    private static String aboutServer(String path) throws Refusal {
        return switch (path) {
            case "/healthz", "/livez", "/readyz" -> "ok";
            case "/version" ->
                    "{\"major\":\"1\",\"minor\":\"37\",\"gitVersion\":\"v1.37.2\",\"platform\":\"in-memory\"}";
            default -> throw Refusal.notFound(path);
        };
    }

    private void read(ChannelHandlerContext context, ObjectPath path, Query query) throws Refusal {
        Selection selection = Selection.of(path, query);
        if (query.watch()) {
            watch(context, path.kind(), selection, query);
        } else {
            Store.State state = store.state();
            send(
                    context,
                    HttpResponseStatus.OK.code(),
                    path.name().isEmpty()
                            ? Page.of(state, path.kind(), selection, query).body(context.alloc())
                            : one(context, state, path));
        }
    }

    private static ByteBuf one(ChannelHandlerContext context, Store.State state, ObjectPath path)
            throws Refusal {
        String key = new ObjectName(path.kind(), path.namespace(), path.name()).key();
        StoredObject object = state.of(path.kind()).latest().objects().get(key);
        if (object == null) {
            throw Refusal.notFound(path.kind().plural() + " \"" + path.name() + "\"");
        }
        ByteBuf body = context.alloc().buffer(object.size());
        object.writeWhole(body, object.version());
        return body;
    }

    private void watch(ChannelHandlerContext context, Kind kind, Selection selection, Query query) {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
        HttpUtil.setTransferEncodingChunked(head, true);
        ChannelFuture _ = context.write(head);
        try {
            watch = new Watch(context, store, kind, selection, query, () -> watch = null);
            watch.goOn();
        } catch (Refusal e) {
            // kube-apiserver, too, says this in a watch that has begun.
            ChannelFuture _ = context.write(new DefaultHttpContent(e.line(context.alloc())));
            ChannelFuture _ = context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
        }
    }

    private static void send(ChannelHandlerContext context, int code, ByteBuf body) {
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code), body);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        ChannelFuture _ = context.writeAndFlush(response);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (watch != null && context.channel().isWritable()) {
            watch.goOn();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (watch != null) {
            watch.stop();
        }
    }

    /// Clients go away as they like; all else is worth a line.
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.warn("a request failed", cause);
        }
        ChannelFuture _ = context.close();
    }
}
