package dev.pointsman.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ErrandsTest {
    @Test
    void what_one_side_asks_for_the_other_gets_once_and_in_order(@TempDir Path folder)
            throws IOException {
        Errands here = new Errands(folder);
        Errands there = new Errands(folder);
        assertThat(there.next()).isEmpty();
        Path first = here.ask("[test:1]", Duration.ofMinutes(1));
        Path second = here.ask("[test:2]", Duration.ofMinutes(2));
        assertThat(there.next())
                .contains(new Errands.Errand("[test:1]", Duration.ofMinutes(1), first));
        assertThat(there.next())
                .contains(new Errands.Errand("[test:2]", Duration.ofMinutes(2), second));
        assertThat(there.next()).isEmpty();
    }
}
