package dev.pointsman.kube;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The body of an answer as it arrives, for one reader that does not wait for ever: a connection
/// can die without a word, and then nothing else ends the waiting.
final class Arriving extends InputStream {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// Nothing came for longer than a reader waits. Unchecked, as [GuardedInput.Unreadable] is.
    static final class Silence extends RuntimeException {
        private static final long serialVersionUID = 1;

        Silence(Duration silence) {
            super("nothing came for " + silence.toSeconds() + " s");
        }
    }

    /// What a body consists of, in the order of arrival.
    sealed interface Part {
        record Bytes(List<ByteBuffer> buffers) implements Part {}

        record End() implements Part {}

        record Failure(Throwable cause) implements Part {}
    }

    /// How long a reader waits.
    ///
    /// @param silence from one part to the next
    /// @param whole from the first to the last
    record Patience(Duration silence, Duration whole) {}

    private final AsyncBody body;
    private final BlockingQueue<Part> parts;
    private final Patience patience;
    private Part current = new Part.Bytes(List.of());

    /// @param parts where the parts of `body` arrive that have been asked for
    Arriving(AsyncBody body, BlockingQueue<Part> parts, Patience patience) {
        this.body = body;
        this.parts = parts;
        this.patience = patience;
        CompletableFuture<Void> _ =
                body.done()
                        .orTimeout(patience.whole().toMillis(), TimeUnit.MILLISECONDS)
                        .whenComplete(
                                (_, failure) ->
                                        parts.add(
                                                failure == null
                                                        ? new Part.End()
                                                        : new Part.Failure(failure)));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /// @throws Silence when nothing comes
    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        while (true) {
            switch (current) {
                case Part.Bytes(var buffers) -> {
                    ByteBuffer next = next(buffers);
                    if (next.hasRemaining()) {
                        int read = Math.min(length, next.remaining());
                        next.get(buffer, offset, read);
                        return read;
                    }
                    current = arrived();
                }
                case Part.End _ -> {
                    return -1;
                }
                case Part.Failure(TimeoutException e) ->
                        throw new IOException(
                                "it was not complete after " + patience.whole().toSeconds() + " s",
                                e);
                case Part.Failure(var cause) ->
                        throw new IOException(
                                "the connection broke off: " + cause.getMessage(), cause);
            }
        }
    }

    private static ByteBuffer next(List<ByteBuffer> buffers) {
        return buffers.stream().filter(ByteBuffer::hasRemaining).findFirst().orElse(NOTHING);
    }

    private Part arrived() throws IOException {
        try {
            Part waiting = parts.poll();
            if (waiting != null) {
                return waiting;
            }
            // One part is asked for at a time, so that no more of a long list is held than is read.
            body.consume();
            Part next = parts.poll(patience.silence().toMillis(), TimeUnit.MILLISECONDS);
            if (next == null) {
                throw new Silence(patience.silence());
            }
            return next;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    @Override
    public void close() {
        body.cancel();
    }
}
