package dev.pointsman.notice;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class NoticeQueueTest {
    @Test
    @Timeout(60)
    void nobody_waits_although_nothing_is_taken_and_the_loss_is_told_once() throws Exception {
        NoticeQueue queue = new NoticeQueue();
        for (int i = 0; i < 1000; i++) {
            queue.add(Notice.ofNode(Reason.BUG, "number " + i));
        }
        assertThat(queue.overflowed()).isTrue();
        assertThat(queue.overflowed()).isFalse();
        for (int i = 0; i < 256; i++) {
            assertThat(queue.next(Duration.ZERO))
                    .contains(Notice.ofNode(Reason.BUG, "number " + i));
        }
        assertThat(queue.next(Duration.ZERO)).isEmpty();
    }
}
