package dev.pointsman.packet.read;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The laws of all readers for as long as `-Dpointsman.fuzz.seconds` says. Always the same texts in
/// the same order, as far as it comes in that time: what one build reads is no matter of chance.
/// `-Dpointsman.fuzz.seed=$(date +%s)` tries others. A failure names its seed, with which the law
/// can be run again.
final class MangledTextsTest {
    private static final int SECONDS = Integer.getInteger("pointsman.fuzz.seconds", 5);
    private static final List<LongConsumer> LAWS =
            List.of(
                    new NftReaderLaws()
                            ::a_mangled_listing_is_read_or_refused_and_packets_come_to_an_end,
                    new SavedReaderLaws()
                            ::mangled_rules_are_read_or_refused_and_packets_come_to_an_end,
                    new SavedReaderLaws()
                            ::mangled_scripts_are_read_or_refused_and_packets_come_to_an_end,
                    new SavedReaderLaws()::mangled_listings_are_read_or_refused);

    // The limit only ends what would never end by itself.
    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void readers_read_or_refuse() {
        long first = Long.getLong("pointsman.fuzz.seed", 1);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        long seed = first;
        while (System.nanoTime() < end) {
            for (LongConsumer law : LAWS) {
                long tried = seed++;
                assertThatCode(() -> law.accept(tried))
                        .as("seed %d", tried)
                        .doesNotThrowAnyException();
            }
        }
        System.out.println("mangled texts: " + (seed - first) + " in " + SECONDS + " s");
    }
}
