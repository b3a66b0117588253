package dev.pointsman.logging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.config.Logging;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.notice.Notice;
import dev.pointsman.notice.Reason;
import dev.pointsman.store.Finding;
import dev.pointsman.sync.SyncReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class LogTest {
    private static final Finding FINDING =
            new Finding(
                    Finding.Severity.WARNING,
                    "Service shop/web",
                    "a.yaml:3",
                    "spec.ports[0]",
                    "is \"odd\"",
                    "ignored");
    private static final SyncReport ASIDE =
            new SyncReport.SetAside(
                    Family.IPV4,
                    new ServiceName("shop", "bad"),
                    "set 7",
                    "No space left on device",
                    Duration.ofSeconds(1));

    private final StringWriter out = new StringWriter();
    private final Log log =
            new Log(new PrintWriter(out), () -> Instant.parse("2020-01-29T14:06:17.049483Z"));

    private static SyncReport committed(SyncReport.Cause cause) {
        return new SyncReport.Committed(
                Family.IPV6,
                cause,
                2,
                new Transaction.Size(1, 2),
                new SyncReport.Took(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO));
    }

    private void writesJson(int verbosity) {
        log.use(new Logging(Logging.Format.JSON, verbosity));
    }

    @Test
    void text_has_the_time_and_how_bad_it_is() {
        log.say("hello");
        log.say(FINDING);
        log.say(Notice.ofNode(Reason.BUG, "it broke"));
        assertThat(out)
                .hasToString(
                        """
                        2020-01-29T14:06:17.049Z hello
                        2020-01-29T14:06:17.049Z warning: a.yaml:3: Service shop/web: spec.ports[0]: is "odd"; ignored
                        2020-01-29T14:06:17.049Z warning: it broke
                        """);
    }

    @Test
    void json_is_that_of_kubernetes() {
        writesJson(0);
        log.say("a \"word\"\nand more");
        log.say(FINDING);
        log.say(ASIDE);
        assertThat(out)
                .hasToString(
                        """
                        {"ts":1580306777049.483,"msg":"a \\"word\\"\\nand more","v":0}
                        {"ts":1580306777049.483,"msg":"a.yaml:3: Service shop/web: spec.ports[0]: is \\"odd\\"; ignored","severity":"warning","field":"spec.ports[0]","object":"Service shop/web","where":"a.yaml:3"}
                        {"ts":1580306777049.483,"msg":"IPv4: Service shop/bad is set aside and has no rules: the kernel refused set 7: No space left on device; tried again in 1 s and when it changes","severity":"warning","err":"No space left on device","ipFamily":"IPv4","service":"shop/bad"}
                        """);
    }

    @Test
    void what_happens_all_the_time_is_said_from_verbosity_two_on() {
        log.say(committed(SyncReport.Cause.CHANGE));
        assertThat(out.toString()).isEmpty();
        log.verbosity(1);
        log.say(committed(SyncReport.Cause.CHANGE));
        assertThat(out.toString()).isEmpty();
        log.say(committed(SyncReport.Cause.REPAIR));
        log.verbosity(2);
        log.say(committed(SyncReport.Cause.CHANGE));
        assertThat(out.toString().lines()).hasSize(2).last().asString().contains("IPv6: changed");
        writesJson(2);
        log.say(committed(SyncReport.Cause.CHANGE));
        assertThat(out.toString()).contains("\"v\":2,\"ipFamily\":\"IPv6\"}");
    }

    @Test
    void lines_of_libraries_come_with_ours_while_it_is_open_and_their_debug_lines_never() {
        try (LibraryLog _ = LibraryLog.into(log)) {
            writesJson(9);
            LoggerFactory.getLogger("io.library").debug("token: secret");
            LoggerFactory.getLogger("io.library").info("ready");
            log.verbosity(0);
            LoggerFactory.getLogger("io.library").info("ready");
            IllegalStateException cause = new IllegalStateException("no\nway");
            cause.setStackTrace(
                    new StackTraceElement[] {
                        new StackTraceElement("io.Library", "work", "Library.java", 7)
                    });
            LoggerFactory.getLogger("io.library").warn("cannot", cause);
        }
        LoggerFactory.getLogger("io.library").error("over (expected in this test)");
        assertThat(out)
                .hasToString(
                        """
                        {"ts":1580306777049.483,"msg":"io.library: ready","v":2,"logger":"io.library"}
                        {"ts":1580306777049.483,"msg":"io.library: cannot: java.lang.IllegalStateException: no; way at io.Library.work(Library.java:7)","severity":"warning","err":"java.lang.IllegalStateException: no\\nway at io.Library.work(Library.java:7)","logger":"io.library"}
                        """);
    }
}
