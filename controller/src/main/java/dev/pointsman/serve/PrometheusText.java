package dev.pointsman.serve;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Metrics in Prometheus' text format.
final class PrometheusText {
    private static final PrometheusTextFormatWriter WRITER =
            PrometheusTextFormatWriter.builder().setIncludeCreatedTimestamps(false).build();

    private PrometheusText() {}

    /// All of `registry`, as they are now.
    static Answer page(PrometheusRegistry registry) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            WRITER.write(text, registry.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException("an array does not fail", e);
        }
        return Answer.typed(
                Answer.OK, WRITER.getContentType(), text.toString(StandardCharsets.UTF_8));
    }
}
