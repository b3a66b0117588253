package dev.pointsman.perf.api;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// The objects of a recorded cluster that are of a [Kind], others left out.
///
/// @param objects in the order of the file
public record Snapshot(List<ObjectNode> objects) {
    private static final ObjectMapper YAML =
            new YAMLMapper(
                    YAMLFactory.builder()
                            .loadSettings(
                                    LoadSettings.builder()
                                            .setCodePointLimit(Integer.MAX_VALUE)
                                            .build())
                            .build());

    public Snapshot {
        objects = List.copyOf(objects);
    }

    /// Reads what `kubectl get -o yaml` or `-o json` printed: single objects or lists of them.
    ///
    /// @throws IOException when the file cannot be read or is neither
    public static Snapshot read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + file, e);
        } catch (JacksonException e) {
            throw new IOException(
                    file
                            + " is neither YAML nor JSON; print it with kubectl get -o json: "
                            + e.getOriginalMessage(),
                    e);
        }
    }

    /// The same from a stream.
    ///
    /// @throws JacksonException when it is neither
    public static Snapshot read(InputStream in) throws IOException {
        List<ObjectNode> objects = new ArrayList<>();
        InputStream marking = new BufferedInputStream(in);
        try (MappingIterator<JsonNode> documents =
                mapper(marking).readerFor(JsonNode.class).readValues(marking)) {
            documents.forEachRemaining(document -> take(document, objects));
        }
        return new Snapshot(objects);
    }

    /// JSON would be YAML as well, and take ten times as long.
    private static ObjectMapper mapper(InputStream in) throws IOException {
        in.mark(1);
        int first = in.read();
        in.reset();
        return first == '{' ? JsonMapper.shared() : YAML;
    }

    private static void take(JsonNode document, List<ObjectNode> objects) {
        document.path("items").forEach(item -> take(item, objects));
        if (document instanceof ObjectNode object
                && Kind.of(object.path("apiVersion").asString(""), object.path("kind").asString(""))
                        .isPresent()) {
            objects.add(object);
        }
    }
}
