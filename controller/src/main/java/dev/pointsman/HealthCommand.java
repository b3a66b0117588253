package dev.pointsman;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `pointsman health`, for whoever can start a program but ask no page: an image without a shell
/// has nothing else.
@Command(
        name = "health",
        description = "Asks the Pointsman that runs on this node whether its rules are in place.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:they are",
            "1:they are not, or nobody answers, as the line on standard error says",
            "2:bad usage",
        })
final class HealthCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Surroundings around;

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:10256/healthz",
            description = "The health page; ${DEFAULT-VALUE} by default.")
    URI page = URI.create("");

    HealthCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        int status = status();
        if (status != HttpURLConnection.HTTP_OK) {
            throw unhealthy("answers " + status + "; its log says what is wrong");
        }
        around.out().println("healthy");
        return Exit.OK;
    }

    private int status() {
        HttpURLConnection connection = connection();
        connection.setConnectTimeout((int) PATIENCE.toMillis());
        connection.setReadTimeout((int) PATIENCE.toMillis());
        try {
            return connection.getResponseCode();
        } catch (IOException e) {
            throw unhealthy("cannot be asked: " + e.getMessage());
        }
    }

    private HttpURLConnection connection() {
        try {
            if (page.toURL().openConnection() instanceof HttpURLConnection connection) {
                return connection;
            }
        } catch (IllegalArgumentException | IOException _) {
            // Falls through to the same answer: it is no address of a page.
        }
        throw Complaint.ofInput("--url: " + page + " is no page; give http://HOST:PORT/healthz");
    }

    private Complaint unhealthy(String why) {
        return new Complaint(Exit.DIFFERENT, List.of(page + " " + why));
    }
}
