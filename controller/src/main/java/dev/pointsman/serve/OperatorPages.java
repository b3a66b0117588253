package dev.pointsman.serve;

/// What the metrics server shows to everybody who reaches it.
final class OperatorPages implements Pages {
    private final Metrics metrics;
    private final Indicators indicators;
    private final String mode;
    private final Pages others;

    /// @param others asked for whatever is not here
    OperatorPages(Metrics metrics, Indicators indicators, String mode, Pages others) {
        this.metrics = metrics;
        this.indicators = indicators;
        this.mode = mode;
        this.others = others;
    }

    @Override
    public Answer answer(Ask ask) {
        return switch (ask.path()) {
            case "/metrics" -> metrics.page();
            case "/metrics/slis" -> indicators.page();
            case "/healthz" -> {
                indicators.checked();
                yield Answer.text(Answer.OK, "ok");
            }
            case "/proxyMode" -> Answer.text(Answer.OK, mode);
            default -> others.answer(ask);
        };
    }

    @Override
    public Answer put(Ask ask, String value) {
        return others.put(ask, value);
    }
}
