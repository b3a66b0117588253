package dev.pointsman.serve;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// `/configz`, `/flagz` and `/statusz`, in the form that the components of Kubernetes give them.
final class ProgramPages implements Pages {
    private static final String NAME = "pointsman";

    // Not ours alone: whoever reads these pages knows the sentence.
    private static final String WARNING =
            "Warning: This endpoint is not meant to be machine parseable, has no formatting"
                    + " compatibility guarantees and is for debugging purposes only.\n";

    /// Go's UnixDate.
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss 'UTC' yyyy", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private final Program program;
    private final InstantSource clock;
    private final Instant start;
    private final Pages others;

    /// @param others asked for whatever is not here
    ProgramPages(Program program, InstantSource clock, Pages others) {
        this.program = program;
        this.clock = clock;
        start = clock.instant();
        this.others = others;
    }

    @Override
    public Answer answer(Ask ask) {
        return switch (ask.path()) {
            case "/configz" -> Answer.json(Answer.OK, program.configuration().get());
            case "/flagz" -> Answer.text(Answer.OK, flags());
            case "/statusz" -> Answer.text(Answer.OK, status());
            default -> others.answer(ask);
        };
    }

    @Override
    public Answer put(Ask ask, String value) {
        return others.put(ask, value);
    }

    private String flags() {
        StringBuilder page = new StringBuilder("\n" + NAME + " flagz\n" + WARNING);
        program.flags().get().forEach((name, value) -> page.append(name + "=" + value + "\n"));
        return page.toString();
    }

    private String status() {
        Duration up = Duration.between(start, clock.instant());
        return """

               %s statusz
               %s
               Started  %s
               Up  %d hr %02d min %02d sec
               Java version  %s
               Binary version  %s
               Paths  /configz /flagz /healthz /metrics /proxyMode
               """
                .formatted(
                        NAME,
                        WARNING,
                        DATE.format(start),
                        up.toHours(),
                        up.toMinutesPart(),
                        up.toSecondsPart(),
                        program.runtime(),
                        program.version());
    }
}
