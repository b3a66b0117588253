package dev.pointsman.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One file for each kind of fault, between objects that have none. Its first lines say what comes
/// of it: `# finds: severity|object|field|beginning of the reason; consequence`, in order, and `#
/// keeps: name texts…` for each object that comes through besides the good ones.
class BrokenSnapshotTest {
    private static final Path FOLDER = Path.of("src/test/resources/broken");

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void a_fault_is_found_and_touches_nothing_else(Path file) {
        Snapshot snapshot =
                SnapshotReader.read(List.of(file.toString()), InputStream.nullInputStream());

        List<String> finds = expected(file, "# finds: ");
        assertThat(snapshot.findings()).hasSameSizeAs(finds);
        for (int i = 0; i < finds.size(); i++) {
            assertThat(line(snapshot.findings().get(i))).startsWith(finds.get(i));
            assertThat(snapshot.findings().get(i).where()).startsWith(file + ":");
        }
        List<String> kept = kept(snapshot);
        List<String> keeps = expected(file, "# keeps: ");
        assertThat(kept).hasSize(keeps.size() + 4);
        assertThat(kept.subList(0, 2)).allMatch(event -> event.contains("good-first"));
        assertThat(kept.subList(kept.size() - 2, kept.size()))
                .allMatch(event -> event.contains("good-last"));
        for (int i = 0; i < keeps.size(); i++) {
            String[] texts = keeps.get(i).split(" ", -1);
            assertThat(kept.get(2 + i)).startsWith(texts[0] + " ").contains(texts);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void a_finding_names_the_line_where_its_object_begins(Path file) {
        Snapshot snapshot =
                SnapshotReader.read(List.of(file.toString()), InputStream.nullInputStream());

        for (Finding finding : snapshot.findings()) {
            if (!finding.object().equals("snapshot")) {
                int line =
                        Integer.parseInt(finding.where().substring(file.toString().length() + 1));
                assertThat(lines(file).get(line - 2)).isEqualTo("---");
            }
        }
    }

    private static String line(Finding finding) {
        return finding.severity().name().toLowerCase(Locale.ROOT)
                + "|"
                + finding.object()
                + "|"
                + finding.field()
                + "|"
                + finding.reason()
                + "; "
                + finding.consequence();
    }

    private static List<String> kept(Snapshot snapshot) {
        List<String> kept = new ArrayList<>();
        for (ClusterEvent event : snapshot.events()) {
            kept.add(
                    switch (event) {
                        case ClusterEvent.ServiceSeen(var service) ->
                                service.name() + " " + service;
                        case ClusterEvent.SliceSeen(var slice, _) ->
                                slice.service().namespace() + "/" + slice.name() + " " + slice;
                        case ClusterEvent.NodeSeen(var node, _) -> node.name() + " " + node;
                        case ClusterEvent.ServiceRangesSeen(var name, var ranges) ->
                                name + " " + ranges;
                        case ClusterEvent.ServiceGone gone -> gone.toString();
                        case ClusterEvent.SliceGone gone -> gone.toString();
                        case ClusterEvent.NodeGone gone -> gone.toString();
                        case ClusterEvent.ServiceRangesGone gone -> gone.toString();
                    });
        }
        // Pods have no order among the events; a file with one has no other object in between.
        snapshot.pods().forEach(pod -> kept.add(2, pod.name() + " " + pod));
        return kept;
    }

    private static List<String> expected(Path file, String prefix) {
        return lines(file).stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .toList();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
