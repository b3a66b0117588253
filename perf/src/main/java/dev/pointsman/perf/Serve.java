package dev.pointsman.perf;

import dev.pointsman.perf.api.ApiServer;
import dev.pointsman.perf.api.Churn;
import dev.pointsman.perf.api.Snapshot;
import dev.pointsman.perf.api.Store;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.node.ObjectNode;

/// Serves a cluster that is nowhere, so that any proxy can be pointed at it.
@Command(
        name = "perf/run serve",
        mixinStandardHelpOptions = true,
        description = {
            "Serves a recorded or a generated cluster from memory, over plain HTTP and to anyone,"
                    + " until it is ended. Prints the path of a kubeconfig for it.",
            "kube-proxy follows it with clientConnection.contentType: application/json."
        })
final class Serve implements Callable<Integer> {
    private static final Duration A_CENTURY = Duration.ofDays(36_500);

    /// What is served.
    private static final class Source {
        @Option(
                names = "--snapshot",
                required = true,
                paramLabel = "FILE",
                description =
                        "What kubectl get svc,endpointslices,nodes,servicecidrs -A -o json (or yaml) printed.")
        private Path snapshot = Path.of("");

        @Parameters(
                arity = "2",
                paramLabel = "SERVICES ENDPOINTS_EACH",
                hideParamSyntax = true,
                description = "A generated cluster.")
        private List<Integer> shape = List.of();

        /// All objects; made anew with each call.
        Stream<ObjectNode> objects() throws IOException {
            return shape.isEmpty()
                    ? Snapshot.read(snapshot).objects().stream()
                    : new ClusterObjects(new ClusterShape(shape.getFirst(), shape.getLast())).all();
        }
    }

    @ArgGroup(multiplicity = "1")
    private Source source = new Source();

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS:PORT",
            defaultValue = "127.0.0.1:0",
            description = "Where to listen; port 0 is any. ${DEFAULT-VALUE} unless given.")
    private InetSocketAddress listen = new InetSocketAddress(0);

    @Option(
            names = "--churn",
            paramLabel = "WRITES_A_SECOND",
            description =
                    "Change it all the time: pods replaced, rolling updates, Services scaled to"
                            + " nothing and back, Services deleted and made again.")
    private int churn;

    public static void main(String[] arguments) {
        System.exit(
                new CommandLine(new Serve())
                        .registerConverter(InetSocketAddress.class, Serve::address)
                        .setExecutionExceptionHandler(
                                (e, command, _) -> {
                                    command.getErr().println("perf/run serve: " + e.getMessage());
                                    return CommandLine.ExitCode.SOFTWARE;
                                })
                        .execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Store store = new Store();
        source.objects().forEach(store::put);
        store.compact();
        Path folder = Files.createTempDirectory("pointsman-api-server");
        folder.toFile().deleteOnExit();
        try (ApiServer server = ApiServer.listen(listen, store)) {
            Path kubeconfig = server.kubeconfig(folder);
            kubeconfig.toFile().deleteOnExit();
            System.out.println(kubeconfig);
            if (churn > 0) {
                new Churn(source.objects(), store::get).play(store::write, A_CENTURY, churn);
            }
            new CountDownLatch(1).await();
        }
        return 0;
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        if (!text.substring(colon + 1).matches("\\d{1,5}") || colon < 1) {
            throw new TypeConversionException("'" + text + "' is no ADDRESS:PORT");
        }
        return new InetSocketAddress(
                text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
}
