package dev.pointsman.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

final class VerdictTest {
    @TempDir Path folder;

    private Verdict received(Verdict sent) throws IOException {
        Path file = folder.resolve("verdict");
        sent.write(file);
        return Verdict.read(file);
    }

    @Test
    void a_test_that_passed_there_passes_here() throws IOException {
        Verdict verdict = received(new Verdict.Passed());
        assertThatCode(verdict::repeat).doesNotThrowAnyException();
    }

    @Test
    void a_failure_arrives_as_it_was() throws IOException {
        Throwable failure = new AssertionFailedError("not so", 1, 2);
        Verdict verdict = received(new Verdict.Ended(failure));
        assertThatThrownBy(verdict::repeat)
                .isInstanceOf(AssertionFailedError.class)
                .hasMessage("not so")
                .satisfies(
                        same ->
                                assertThat(same.getStackTrace())
                                        .isEqualTo(failure.getStackTrace()));
    }

    @Test
    void a_failure_that_cannot_travel_arrives_as_its_text_and_place() throws IOException {
        Throwable failure = new Unwritable();
        Verdict verdict = received(new Verdict.Ended(failure));
        assertThatThrownBy(verdict::repeat)
                .isInstanceOf(AssertionError.class)
                .hasMessage(failure.toString())
                .satisfies(
                        like ->
                                assertThat(like.getStackTrace())
                                        .isEqualTo(failure.getStackTrace()));
    }

    @Test
    void what_was_skipped_there_is_skipped_here() throws IOException {
        Verdict verdict = received(Verdict.skipped("no reason"));
        assertThatThrownBy(verdict::repeat)
                .isInstanceOf(TestAbortedException.class)
                .hasMessage("no reason");
    }

    @Test
    void a_test_that_did_not_end_says_what_it_was_doing() throws IOException {
        Verdict verdict = received(new Verdict.Late(60, "main sleeps"));
        assertThatThrownBy(verdict::repeat).hasMessageContainingAll("60 s", "main sleeps");
    }

    @SuppressWarnings({"serial", "UnusedVariable"})
    private static final class Unwritable extends RuntimeException {
        private final Thread thread = Thread.currentThread();
    }
}
