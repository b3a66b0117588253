package dev.pointsman.perf.api;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// An answer that goes on: every change from some moment on, as fast as the client takes them in.
/// Lives on the thread of its connection.
final class Watch {
    /// kube-apiserver's own.
    private static final long BOOKMARK_SECONDS = 60;

    /// How long before its end a watch says once more how far it came; kube-apiserver's own.
    private static final long LAST_BOOKMARK_SECONDS = 2;

    private static final String INITIAL_EVENTS_END =
            ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}";

    private static final Future<?> NOTHING = CompletableFuture.completedFuture("nothing");

    private final ChannelHandlerContext context;
    private final Store store;
    private final Kind kind;
    private final Selection selection;
    private final Runnable ended;
    private final List<Future<?>> timers = new ArrayList<>();

    // What is left of the objects that were there at the start.
    private final Iterator<StoredObject> initial;
    // Said once they are told; empty when nothing is to be said.
    private String afterInitial;
    private Moment at;
    private Future<?> awaiting = NOTHING;

    /// @param ended is called when the answer is complete and its connection can be used again
    /// @throws Refusal when too much was forgotten since
    Watch(
            ChannelHandlerContext context,
            Store store,
            Kind kind,
            Selection selection,
            Query query,
            Runnable ended)
            throws Refusal {
        this.context = context;
        this.store = store;
        this.kind = kind;
        this.selection = selection;
        this.ended = ended;
        History history = store.state().of(kind);
        boolean everything = query.initialEvents() || query.anyVersion();
        at = everything ? history.latest() : history.at(query.version());
        initial =
                everything
                        ? at.objects().values().iterator()
                        : Collections.<StoredObject>emptyIterator();
        afterInitial = query.initialEvents() ? INITIAL_EVENTS_END : "";
        if (query.bookmarks()) {
            timers.add(
                    context.executor()
                            .scheduleAtFixedRate(
                                    this::bookmark,
                                    BOOKMARK_SECONDS,
                                    BOOKMARK_SECONDS,
                                    TimeUnit.SECONDS));
        }
        long seconds = query.timeoutSeconds();
        if (query.bookmarks() && seconds > LAST_BOOKMARK_SECONDS) {
            after(seconds - LAST_BOOKMARK_SECONDS, this::bookmark);
        }
        if (seconds > 0) {
            after(seconds, this::end);
        }
    }

    private void after(long seconds, Runnable task) {
        timers.add(context.executor().schedule(task, seconds, TimeUnit.SECONDS));
    }

    /// Tells all that can be told now, and sees to it that this goes on.
    void goOn() {
        while (initial.hasNext() && isTakenIn()) {
            StoredObject object = initial.next();
            if (selection.has(object)) {
                tell(WatchEvent.initial(object));
            }
        }
        if (!initial.hasNext() && !afterInitial.isEmpty()) {
            write(bookmark(afterInitial));
            afterInitial = "";
        }
        while (!initial.hasNext() && at.next().isDone() && isTakenIn()) {
            Moment next = at.next().join();
            at.change(next, selection).ifPresent(this::tell);
            at = next;
        }
        context.flush();
        if (isTakenIn() && awaiting.isDone()) {
            awaiting = at.next().thenAcceptAsync(_ -> wakeUp(), context.executor());
        }
    }

    private void wakeUp() {
        // It is done only after this, and must not count as still awaited.
        awaiting = NOTHING;
        try {
            goOn();
        } catch (RuntimeException e) {
            // Kept in a future, it would leave a watch that says nothing for ever.
            context.pipeline().fireExceptionCaught(e);
        }
    }

    /// Whether the client keeps up. When it does again, netty says so.
    private boolean isTakenIn() {
        return context.channel().isWritable();
    }

    private void tell(WatchEvent event) {
        write(event.line(context.alloc()));
    }

    private void write(ByteBuf line) {
        ChannelFuture _ = context.write(new DefaultHttpContent(line));
    }

    private void bookmark() {
        // Before that it would promise what is not told yet.
        if (!initial.hasNext()) {
            write(bookmark(""));
            context.flush();
        }
    }

    /// How far this watch came.
    private ByteBuf bookmark(String annotations) {
        Store.State state = store.state();
        // With nothing left to tell, it came as far as all other kinds.
        long version =
                state.of(kind).latest().version() == at.version() ? state.version() : at.version();
        return ByteBufUtil.writeUtf8(
                context.alloc(),
                "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\"resourceVersion\":\"%d\"%s}}}\n"
                        .formatted(kind.title(), kind.apiVersion(), version, annotations));
    }

    private void end() {
        stop();
        ChannelFuture _ = context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
        ended.run();
    }

    /// Lets go of everything; nobody listens any more.
    void stop() {
        awaiting.cancel(false);
        timers.forEach(timer -> timer.cancel(false));
    }
}
