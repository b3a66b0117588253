package dev.pointsman.serve;

import dev.pointsman.graph.Family;
import java.time.Instant;
import java.util.SortedMap;
import java.util.StringJoiner;

/// `/healthz`, by which load balancers choose nodes, and `/livez`, by which the kubelet restarts
/// the process: a Node that is about to go must lose its traffic and not its proxy.
final class HealthPages implements Pages {
    private final Health health;
    private final Metrics metrics;

    HealthPages(Health health, Metrics metrics) {
        this.health = health;
        this.metrics = metrics;
    }

    @Override
    public Answer answer(Ask ask) {
        return switch (ask.path()) {
            case "/healthz" -> {
                boolean eligible = health.isNodeEligible();
                Answer answer = answer("\"nodeEligible\":" + eligible + ",", eligible);
                metrics.healthzAnswered(answer.status());
                yield answer;
            }
            case "/livez" -> {
                Answer answer = answer("", true);
                metrics.livezAnswered(answer.status());
                yield answer;
            }
            default -> Answer.notFound();
        };
    }

    private Answer answer(String more, boolean eligible) {
        Instant now = health.now();
        SortedMap<Family, Health.Verdict> verdicts = health.verdicts();
        Instant updated = now;
        StringJoiner status = new StringJoiner(",", "{", "}");
        for (var entry : verdicts.entrySet()) {
            Health.Verdict verdict = entry.getValue();
            if (!verdict.isHealthy() && verdict.lastUpdated().isBefore(updated)) {
                updated = verdict.lastUpdated();
            }
            status.add(
                    "\"%s\":{\"lastUpdated\":\"%s\",\"healthy\":%s}"
                            .formatted(
                                    entry.getKey().title(),
                                    verdict.lastUpdated(),
                                    verdict.isHealthy()));
        }
        boolean healthy = verdicts.values().stream().allMatch(Health.Verdict::isHealthy);
        return Answer.json(
                healthy && eligible ? Answer.OK : Answer.UNAVAILABLE,
                "{\"lastUpdated\":\"%s\",\"currentTime\":\"%s\",%s\"healthy\":%s,\"status\":%s}"
                        .formatted(updated, now, more, healthy, status));
    }
}
