package dev.pointsman.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class KnowledgeAgeTest {
    private final AtomicLong now = new AtomicLong();
    private final KnowledgeAge age = new KnowledgeAge(now::get);
    private final Metrics metrics = new Metrics("nftables", List.of(Family.IPV4), new Graphs());

    @Test
    void what_nobody_confirms_grows_old() {
        metrics.collect(age);
        age.confirmed("services");
        age.confirmed("nodes");
        now.set(7_500_000_000L);
        age.confirmed("nodes");
        now.set(10_000_000_000L);
        assertThat(metrics.text())
                .contains(
                        "pointsman_knowledge_age_seconds{resource=\"nodes\"} 2.5\n",
                        "pointsman_knowledge_age_seconds{resource=\"services\"} 10.0\n");
    }
}
