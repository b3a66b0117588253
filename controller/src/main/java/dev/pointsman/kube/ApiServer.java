package dev.pointsman.kube;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/// An API server and what it takes to be answered there: addresses, credentials and trust are
/// fabric8's business, what the answers mean is not.
///
/// Credentials are read again for every request, so that whoever replaces them on the disk need not
/// start anything. Prints none: nothing of the configuration is shown but the address.
public final class ApiServer implements AutoCloseable {
    /// How long to wait for a server.
    ///
    /// @param answer until an answer begins, and between two parts of a list
    /// @param list until a list is complete; the server itself gives up after a minute
    /// @param silence of a watch, in which a server says every minute that it is there
    record Patience(Duration answer, Duration list, Duration silence) {
        static final Patience DEFAULT =
                new Patience(Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofSeconds(90));
    }

    /// An answer whose body is still to be read.
    ///
    /// @param retryAfter how long the server wants to be left alone
    record Answer(int code, Duration retryAfter, InputStream body) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    /// Who hears how it goes.
    ///
    /// @param nanos a clock that only goes forward
    private record Observer(Consumer<ServerNote> notes, LongSupplier nanos) {}

    /// A client, and the token that it shows from now on.
    private record Connection(Access access, HttpClient http, AtomicReference<String> token) {
        static Connection to(Access access, Patience patience) {
            AtomicReference<String> token = new AtomicReference<>(access.token());
            // fabric8's client for objects would bring hundreds of classes that nobody needs here.
            HttpClient http =
                    HttpClientUtils.getHttpClientFactory()
                            .newBuilder(
                                    new ConfigBuilder(access.config())
                                            // Whoever asks decides when to ask again.
                                            .withRequestRetryBackoffLimit(0)
                                            .withRequestTimeout((int) patience.answer().toMillis())
                                            // A connection that died takes one watch with it,
                                            // and is not used again.
                                            .withHttp2Disable(true)
                                            .withOauthTokenProvider(token::get)
                                            .build())
                            .build();
            return new Connection(access, http, token);
        }

        String address() {
            return access.config().getMasterUrl().replaceAll("/+$", "");
        }
    }

    private final Access.Source source;
    private final Patience patience;
    private final AtomicReference<Connection> connection;
    private volatile Observer observer = new Observer(_ -> {}, () -> 0);

    private ApiServer(Access.Source source, Patience patience) {
        this.source = source;
        this.patience = patience;
        try {
            connection = new AtomicReference<>(Connection.to(source.read(), patience));
        } catch (IOException e) {
            throw new UncheckedIOException(Reason.of(e), e);
        }
    }

    /// The server of the current context of `kubeconfig`, with its trust settings.
    public static ApiServer of(Path kubeconfig) {
        return new ApiServer(() -> Access.ofKubeconfig(kubeconfig), Patience.DEFAULT);
    }

    /// The server of the cluster that this process runs in as a Pod.
    public static ApiServer ofThisCluster() {
        return new ApiServer(Access::ofThisCluster, Patience.DEFAULT);
    }

    /// The server at `address`, with the credentials and the trust of `kubeconfig`.
    public static ApiServer of(Path kubeconfig, String address) {
        return new ApiServer(() -> Access.ofKubeconfig(kubeconfig).at(address), Patience.DEFAULT);
    }

    /// The server at `address`, without credentials.
    public static ApiServer at(String address) {
        return at(address, Patience.DEFAULT);
    }

    static ApiServer at(String address, Patience patience) {
        return new ApiServer(() -> Access.of(address), patience);
    }

    /// Such as `https://10.96.0.1:443`.
    public String address() {
        return connection.get().address();
    }

    /// Tells `notes` from now on, on the threads that ask.
    ///
    /// @param nanos a clock that only goes forward
    public void tell(Consumer<ServerNote> notes, LongSupplier nanos) {
        observer = new Observer(notes, nanos);
    }

    void note(ServerNote note) {
        observer.notes().accept(note);
    }

    /// Asks for `path`, which begins with a slash and is encoded, and waits for the answer to
    /// begin.
    Answer get(String path) throws IOException, InterruptedException {
        return ask(path, UnaryOperator.identity(), forList(), answered("GET"));
    }

    /// The same for an answer that goes on for up to `length`.
    Answer watch(String path, Duration length) throws IOException, InterruptedException {
        return ask(
                path,
                UnaryOperator.identity(),
                new Arriving.Patience(patience.silence(), length.plus(patience.answer())),
                (code, _) -> new ServerNote.WatchBegan(host(), code));
    }

    /// Has the object `json` created in the list at `path`.
    Answer post(String path, String json) throws IOException, InterruptedException {
        return ask(
                path,
                request -> request.post("application/json", json),
                forList(),
                answered("POST"));
    }

    /// Has `json` merged into the object at `path`.
    Answer patch(String path, String json) throws IOException, InterruptedException {
        return ask(
                path,
                request -> request.method("PATCH", "application/merge-patch+json", json),
                forList(),
                answered("PATCH"));
    }

    private Arriving.Patience forList() {
        return new Arriving.Patience(patience.answer(), patience.list());
    }

    private BiFunction<String, Duration, ServerNote> answered(String method) {
        return (code, took) -> new ServerNote.Answered(method, host(), code, took);
    }

    private String host() {
        return URI.create(address()).getAuthority();
    }

    private Answer ask(
            String path,
            UnaryOperator<HttpRequest.Builder> request,
            Arriving.Patience forBody,
            BiFunction<String, Duration, ServerNote> note)
            throws IOException, InterruptedException {
        LongSupplier nanos = observer.nanos();
        long start = nanos.getAsLong();
        String code = ServerNote.NO_ANSWER;
        try {
            Answer answer = ask(path, request, forBody);
            code = String.valueOf(answer.code());
            return answer;
        } finally {
            note(note.apply(code, Duration.ofNanos(nanos.getAsLong() - start)));
        }
    }

    private Answer ask(
            String path, UnaryOperator<HttpRequest.Builder> request, Arriving.Patience forBody)
            throws IOException, InterruptedException {
        Connection current = current();
        HttpClient http = current.http();
        BlockingQueue<Arriving.Part> parts = new LinkedBlockingQueue<>();
        CompletableFuture<HttpResponse<AsyncBody>> answer =
                http.consumeBytes(
                        request.apply(
                                        http.newHttpRequestBuilder()
                                                .uri(current.address() + path)
                                                .header("Accept", "application/json"))
                                .build(),
                        (buffers, _) -> parts.add(new Arriving.Part.Bytes(buffers)));
        try {
            HttpResponse<AsyncBody> response =
                    answer.get(patience.answer().toMillis(), TimeUnit.MILLISECONDS);
            return new Answer(
                    response.code(),
                    retryAfter(response),
                    new Arriving(response.body(), parts, forBody));
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + patience.answer().toSeconds() + " s", e);
        } finally {
            // Does nothing to an answer that is there.
            answer.cancel(true);
        }
    }

    /// The connection for what the files say now. One that is replaced is not closed: watches go on
    /// on it until they end, and then nothing holds it any more.
    private Connection current() throws IOException {
        Access access = source.read();
        Connection known = connection.get();
        if (known.access().connectsLike(access)) {
            known.token().set(access.token());
            return known;
        }
        Connection fresh = Connection.to(access, patience);
        connection.set(fresh);
        return fresh;
    }

    private static Duration retryAfter(HttpResponse<AsyncBody> response) {
        // The other form, a date, is not one that an API server uses.
        return response.headers("Retry-After").stream()
                .filter(text -> text.matches("\\d{1,9}"))
                .map(text -> Duration.ofSeconds(Integer.parseInt(text)))
                .findFirst()
                .orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        connection.get().http().close();
    }
}
