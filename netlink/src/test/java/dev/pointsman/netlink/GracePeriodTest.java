package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class GracePeriodTest {
    @Test
    void it_ends() {
        long start = System.nanoTime();
        GracePeriod.await();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }
}
