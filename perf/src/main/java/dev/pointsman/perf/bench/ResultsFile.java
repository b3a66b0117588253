package dev.pointsman.perf.bench;

import dev.pointsman.perf.ClusterShape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// [Results] as JSON.
///
/// Times come twice: as percentiles for people, and as an HdrHistogram (compressed, base64) that
/// other tools read and from which rounds can be put together.
final class ResultsFile {
    static final String VERSION = "bench.pointsman.dev/v1";
    private static final String KIND = "BenchResults";
    private static final JsonMapper JSON = new JsonMapper();

    private ResultsFile() {}

    /// What was given is no such file; the message names it and says what to do.
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(Path file, String what) {
            super(file + ": " + what, null, false, false);
        }
    }

    /// Is there whole or not at all.
    static void write(Results results, Path file) throws IOException {
        Path beside = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(
                beside,
                JSON.writerWithDefaultPrettyPrinter().writeValueAsString(tree(results)) + "\n");
        Files.move(
                beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static ObjectNode tree(Results results) {
        ObjectNode tree = JSON.createObjectNode();
        tree.put("apiVersion", VERSION).put("kind", KIND).put("suite", results.suite());
        ObjectNode machine = tree.putObject("machine");
        results.machine().forEach(machine::put);
        var figures = tree.putArray("figures");
        for (Figure figure : results.figures()) {
            ObjectNode node = figures.addObject();
            node.put("metric", figure.metric().id())
                    .put("mode", figure.cell().mode())
                    .put("services", figure.cell().shape().services())
                    .put("endpoints", figure.cell().shape().endpoints())
                    .put("proxy", figure.cell().proxy())
                    .put("round", figure.round())
                    .put("unit", figure.metric().unit().symbol());
            switch (figure.reading()) {
                case Reading.Exact(double value) -> node.put("value", value);
                case Reading.Beyond(double bound) -> node.put("notWithin", bound);
                case Reading.Times(var nanos) ->
                        node.set("times", times(nanos, figure.metric().unit()));
            }
        }
        return tree;
    }

    private static ObjectNode times(Histogram nanos, Metric.Unit unit) {
        ByteBuffer bytes = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
        int length = nanos.encodeIntoCompressedByteBuffer(bytes, Deflater.BEST_COMPRESSION);
        return JSON.createObjectNode()
                .put("count", nanos.getTotalCount())
                .put("p50", unit.of(nanos.getValueAtPercentile(50)))
                .put("p90", unit.of(nanos.getValueAtPercentile(90)))
                .put("p99", unit.of(nanos.getValueAtPercentile(99)))
                .put("max", unit.of(nanos.getMaxValue()))
                .put(
                        "nanosHistogram",
                        Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length)));
    }

    static Results read(Path file) throws Unreadable {
        try {
            JsonNode tree = JSON.readTree(Files.readString(file));
            if (!tree.path("kind").asString("").equals(KIND)) {
                throw new Unreadable(
                        file,
                        "no results of `pointsman bench`, whose kind is "
                                + KIND
                                + "; give the results.json of its folder");
            }
            if (!tree.path("apiVersion").asString("").equals(VERSION)) {
                throw new Unreadable(
                        file,
                        "results of another version than "
                                + VERSION
                                + ", "
                                + tree.path("apiVersion")
                                + "; measure again with this one");
            }
            TreeMap<String, String> machine = new TreeMap<>();
            tree.path("machine")
                    .forEachEntry((name, value) -> machine.put(name, value.asString("")));
            List<Figure> figures = new ArrayList<>();
            for (JsonNode figure : tree.path("figures")) {
                figures.add(figure(figure));
            }
            return new Results(tree.path("suite").asString(""), machine, figures);
        } catch (NoSuchFileException e) {
            throw new Unreadable(file, "there is no such file");
        } catch (IOException e) {
            throw new Unreadable(file, "cannot be read: " + e);
        } catch (JacksonException e) {
            throw new Unreadable(
                    file,
                    "line %d: %s; give the results.json that `pointsman bench` wrote"
                            .formatted(e.getLocation().getLineNr(), e.getOriginalMessage()));
        } catch (IllegalArgumentException | DataFormatException e) {
            throw new Unreadable(file, e.getMessage() + "; measure again");
        }
    }

    private static Figure figure(JsonNode node) throws DataFormatException {
        String id = node.path("metric").asString("");
        Metric metric =
                Metric.of(id)
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "no such metric: \"" + id + "\""));
        Cell cell =
                new Cell(
                        node.path("mode").asString(""),
                        new ClusterShape(
                                node.path("services").asInt(0), node.path("endpoints").asInt(0)),
                        node.path("proxy").asString(""));
        return new Figure(metric, cell, node.path("round").asInt(0), reading(id, node));
    }

    private static Reading reading(String id, JsonNode node) throws DataFormatException {
        if (node.has("value")) {
            return new Reading.Exact(node.get("value").asDouble());
        }
        if (node.has("notWithin")) {
            return new Reading.Beyond(node.get("notWithin").asDouble());
        }
        String histogram = node.path("times").path("nanosHistogram").asString("");
        if (histogram.isEmpty()) {
            throw new IllegalArgumentException("a figure of \"" + id + "\" has no value");
        }
        return new Reading.Times(
                Histogram.decodeFromCompressedByteBuffer(
                        ByteBuffer.wrap(Base64.getDecoder().decode(histogram)), 0));
    }
}
