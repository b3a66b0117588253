package dev.pointsman.serve;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One connection: a request, its answer, the next request. A client that takes too long over
/// either is cut off, however busy it looks.
final class Conversation extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);

    private enum State {
        LISTENING,
        ANSWERING
    }

    private final Pages pages;
    private final Limits limits;
    private @Nullable Future<?> deadline;
    private State state = State.LISTENING;

    Conversation(Pages pages, Limits limits) {
        this.pages = pages;
        this.limits = limits;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        listen(context);
    }

    private void listen(ChannelHandlerContext context) {
        state = State.LISTENING;
        allow(context, limits.request());
        context.read();
    }

    private void allow(ChannelHandlerContext context, Duration time) {
        forget();
        deadline =
                context.executor()
                        .schedule(
                                () -> {
                                    ChannelFuture _ = context.close();
                                },
                                time.toNanos(),
                                TimeUnit.NANOSECONDS);
    }

    private void forget() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        forget();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (state == State.ANSWERING) {
            // It sends faster than it reads, and answers to it would pile up.
            ChannelFuture _ = context.close();
            return;
        }
        state = State.ANSWERING;
        allow(context, limits.answer());
        boolean keep = HttpUtil.isKeepAlive(request) && request.decoderResult().isSuccess();
        FullHttpResponse response = response(request);
        response.headers()
                .setInt(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
        HttpUtil.setKeepAlive(response, keep);
        ChannelFuture written = context.writeAndFlush(response);
        if (keep) {
            ChannelFuture _ =
                    written.addListener(
                            future -> {
                                if (future.isSuccess()) {
                                    listen(context);
                                }
                            });
        } else {
            ChannelFuture _ = written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private FullHttpResponse response(FullHttpRequest request) {
        Throwable broken = request.decoderResult().cause();
        if (broken != null) {
            return refusal(
                    switch (broken) {
                        case TooLongHttpLineException _ -> HttpResponseStatus.REQUEST_URI_TOO_LONG;
                        case TooLongFrameException _ ->
                                HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
                        default -> HttpResponseStatus.BAD_REQUEST;
                    });
        }
        return response(answer(request));
    }

    private Answer answer(FullHttpRequest request) {
        HttpMethod method = request.method();
        try {
            if (method.equals(HttpMethod.PUT)) {
                String value = request.content().toString(StandardCharsets.UTF_8);
                return pages.put(ask(request.uri()), value);
            }
            return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)
                    ? pages.answer(ask(request.uri()))
                    : Answer.readOnly();
        } catch (IllegalArgumentException e) {
            return Answer.text(Answer.BAD_REQUEST, "400 " + e.getMessage() + "\n");
        }
    }

    private static Ask ask(String uri) {
        QueryStringDecoder decoder = new QueryStringDecoder(uri);
        SortedMap<String, String> parameters = new TreeMap<>();
        decoder.parameters().forEach((name, values) -> parameters.put(name, values.getLast()));
        return new Ask(decoder.path(), parameters);
    }

    private static FullHttpResponse refusal(HttpResponseStatus status) {
        return response(Answer.text(status.code(), status + "\n"));
    }

    private static FullHttpResponse response(Answer answer) {
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1,
                        HttpResponseStatus.valueOf(answer.status()),
                        Unpooled.wrappedBuffer(answer.body().getBytes(StandardCharsets.UTF_8)));
        answer.headers().forEach((name, value) -> response.headers().set(name, value));
        return response;
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
