package dev.pointsman.guest;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs in the guest what is asked for, until the guest is ended.
final class GuestMain {
    private static final int LOOK_MILLIS = 20;
    private static final int FRAMES = 30;

    private final Launcher launcher = LauncherFactory.create();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());

    private GuestMain() {}

    static void main(String[] folder) throws Exception {
        Errands errands = new Errands(Path.of(folder[0]));
        GuestMain main = new GuestMain();
        Files.createFile(errands.ready());
        while (true) {
            Optional<Errands.Errand> next = errands.next();
            if (next.isPresent()) {
                main.run(next.get());
            } else {
                // A folder that is shared with the host tells of no changes.
                Thread.sleep(LOOK_MILLIS);
            }
        }
    }

    private void run(Errands.Errand errand) throws IOException {
        Future<?> alarm =
                clock.schedule(() -> giveUp(errand), errand.limit().toSeconds(), TimeUnit.SECONDS);
        Outcome outcome = new Outcome();
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectUniqueId(errand.id()))
                        .filters(EngineFilter.includeEngines("junit-jupiter"))
                        .enableImplicitConfigurationParameters(false)
                        .build(),
                outcome);
        if (alarm.cancel(false)) {
            outcome.verdict(errand.id()).write(errand.verdict());
        }
    }

    private static void giveUp(Errands.Errand errand) {
        try {
            new Verdict.Late(errand.limit().toSeconds(), threads()).write(errand.verdict());
        } catch (IOException e) {
            System.out.println("cannot say that a test did not end: " + e);
        }
    }

    private static String threads() {
        return Thread.getAllStackTraces().entrySet().stream()
                .map(GuestMain::text)
                .collect(Collectors.joining());
    }

    private static String text(Map.Entry<Thread, StackTraceElement[]> thread) {
        return Arrays.stream(thread.getValue())
                .limit(FRAMES)
                .map(frame -> "        at " + frame + "\n")
                .collect(Collectors.joining("", "    " + thread.getKey().getName() + "\n", ""));
    }

    /// Of the one test, and of what goes before and after it.
    private static final class Outcome implements TestExecutionListener {
        private Optional<Verdict> worst = Optional.empty();
        private boolean passed;

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            note(Verdict.skipped(reason));
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            result.getThrowable().ifPresent(cause -> note(new Verdict.Ended(cause)));
            passed |= test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        }

        private void note(Verdict verdict) {
            if (worst.isEmpty()) {
                worst = Optional.of(verdict);
            }
        }

        Verdict verdict(String id) {
            return worst.orElseGet(
                    () ->
                            passed
                                    ? new Verdict.Passed()
                                    : new Verdict.Ended(
                                            new AssertionError(
                                                    "the guest knows no such test: " + id)));
        }
    }
}
