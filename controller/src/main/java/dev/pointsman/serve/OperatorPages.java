package dev.pointsman.serve;

import java.util.function.Supplier;

/// What the metrics server shows to everybody who reaches it.
final class OperatorPages implements Pages {
    private final Metrics metrics;
    private final String mode;
    private final Supplier<String> configuration;
    private final Pages others;

    /// @param configuration in force, as JSON
    /// @param others asked for whatever is not here
    OperatorPages(Metrics metrics, String mode, Supplier<String> configuration, Pages others) {
        this.metrics = metrics;
        this.mode = mode;
        this.configuration = configuration;
        this.others = others;
    }

    @Override
    public Answer answer(Ask ask) {
        return switch (ask.path()) {
            case "/metrics" -> Answer.typed(Answer.OK, metrics.contentType(), metrics.text());
            case "/healthz" -> Answer.text(Answer.OK, "ok");
            case "/proxyMode" -> Answer.text(Answer.OK, mode);
            case "/configz" -> Answer.json(Answer.OK, configuration.get());
            default -> others.answer(ask);
        };
    }

    @Override
    public Answer put(Ask ask, String value) {
        return others.put(ask, value);
    }
}
