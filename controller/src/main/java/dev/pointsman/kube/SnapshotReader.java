package dev.pointsman.kube;

import dev.pointsman.store.Finding;
import dev.pointsman.store.Finding.Severity;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamLocation;

/// Reads snapshots of clusters: what kubectl prints as YAML or JSON, in any number of files.
///
/// Never throws because of what a source holds, or because it cannot be read: that is a [Finding].
/// Needs memory for what it keeps and for the object it is at, however long the source.
public final class SnapshotReader {
    /// The source that means standard input.
    public static final String STDIN = "-";

    private static final Pattern SNAPSHOT_NAME =
            Pattern.compile(".*\\.(yaml|yml|json)(\\.gz)?", Pattern.CASE_INSENSITIVE);

    private static final int GZIP_MAGIC = 0x1f8b;
    private static final int LONGEST_REASON = 300;

    private final InputStream stdin;
    private final SnapshotBuilder snapshot = new SnapshotBuilder();

    private SnapshotReader(InputStream stdin) {
        this.stdin = stdin;
    }

    /// Reads `sources` in this order: files, folders with all files below them that are named as
    /// snapshots are (`.yaml`, `.yml`, `.json`, each also with `.gz`), and [#STDIN].
    public static Snapshot read(List<String> sources, InputStream stdin) {
        SnapshotReader reader = new SnapshotReader(stdin);
        for (String source : sources) {
            reader.source(source);
        }
        return reader.snapshot.build();
    }

    private void source(String source) {
        if (source.equals(STDIN)) {
            stream("stdin", stdin);
            return;
        }
        try {
            Path path = Path.of(source);
            if (Files.isDirectory(path)) {
                folder(path);
            } else {
                file(path);
            }
        } catch (InvalidPathException e) {
            unreadable(source, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            unreadable(source, oneLine(Reason.of(e)));
        }
    }

    private void folder(Path folder) throws IOException {
        SortedSet<Path> files = new TreeSet<>();
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        // A pipe with the right name would block for ever.
                        if (SNAPSHOT_NAME.matcher(file.getFileName().toString()).matches()
                                && Files.isRegularFile(file)) {
                            files.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) {
                        unreadable(file.toString(), oneLine(Reason.of(e)));
                        return FileVisitResult.CONTINUE;
                    }
                });
        if (files.isEmpty()) {
            unreadable(
                    folder.toString(), "no file in it ends in .yaml, .yml, .json or these + .gz");
        }
        for (Path file : files) {
            file(file);
        }
    }

    private void file(Path file) {
        try (InputStream input = Files.newInputStream(file)) {
            stream(file.toString(), input);
        } catch (IOException e) {
            unreadable(file.toString(), oneLine(Reason.of(e)));
        }
    }

    private void stream(String name, InputStream raw) {
        try {
            BufferedInputStream buffered = unpacked(new BufferedInputStream(raw, 1 << 16));
            byte[] head = peek(buffered, 2);
            if (head.length == 0) {
                // What a shell makes of a file before kubectl has printed anything into it.
                broken(name, "", "is empty", "nothing comes from it");
                return;
            }
            texts(name, new GuardedInput(buffered), Syntax.charset(head));
        } catch (IOException e) {
            unreadable(name, oneLine(Reason.of(e)));
        }
    }

    private void texts(String name, GuardedInput input, Charset charset) {
        SourceText text = new SourceText(input, charset);
        try {
            while (text(name, text, input) && text.next() && !text.head().isBlank()) {
                // The line `---` may have another syntax behind it.
            }
        } catch (JacksonException | GuardedInput.Unreadable e) {
            broken(name, "", complaint(e), "nothing of it is used");
        }
        if (text.strangeBytes() > 0) {
            snapshot.finding(
                    new Finding(
                            Severity.WARNING,
                            "snapshot",
                            new Origin(name, text.strangeLine()).toString(),
                            "",
                            "holds "
                                    + Quote.count(text.strangeBytes(), "byte")
                                    + " that cannot be read as "
                                    + charset,
                            "\uFFFD stands for each of them; this line has the first"));
        }
    }

    /// Reads up to the end of one syntax, and says whether it came so far.
    private boolean text(String name, SourceText text, GuardedInput input) {
        Syntax syntax = text.syntax();
        if (syntax == Syntax.TABLE) {
            broken(
                    new Origin(name, text.linesPassed() + 1).toString(),
                    "",
                    "is a table that kubectl get printed for people",
                    "nothing of it is used; print it again with -o yaml or -o json");
            return false;
        }
        int objects = snapshot.size();
        int lines = text.linesPassed();
        try (JsonParser parser = syntax.parser(text)) {
            TreeReader tokens = new TreeReader(parser, input, lines);
            DocumentReader documents =
                    new DocumentReader(tokens, syntax, name, snapshot::object, snapshot::finding);
            try {
                documents.read();
                return true;
            } catch (JacksonException | YamlEngineException | GuardedInput.Unreadable e) {
                documents.giveUp();
                TokenStreamLocation at =
                        e instanceof JacksonException fault && fault.getLocation() != null
                                ? fault.getLocation()
                                : parser.currentTokenLocation();
                broken(position(name, at, lines), tokens, complaint(e), objects);
                return false;
            }
        }
    }

    private void broken(String where, TreeReader tokens, String reason, int objectsBefore) {
        broken(
                where,
                tokens.pointer(),
                "the text is cut off or broken: " + reason,
                "the "
                        + (snapshot.size() - objectsBefore == 1
                                ? "object before this place is used"
                                : snapshot.size()
                                        - objectsBefore
                                        + " objects before this place are used")
                        + ", nothing after it is");
    }

    private void broken(String where, String field, String reason, String consequence) {
        snapshot.finding(
                new Finding(Severity.ERROR, "snapshot", where, field, reason, consequence));
    }

    private void unreadable(String source, String reason) {
        broken(source, "", "cannot be read: " + reason, "nothing comes from it");
    }

    private static BufferedInputStream unpacked(BufferedInputStream input) throws IOException {
        byte[] magic = peek(input, 2);
        return magic.length == 2 && ((magic[0] & 0xff) << 8 | magic[1] & 0xff) == GZIP_MAGIC
                ? new BufferedInputStream(new GZIPInputStream(input, 1 << 16), 1 << 16)
                : input;
    }

    private static byte[] peek(BufferedInputStream input, int length) throws IOException {
        input.mark(length);
        byte[] head = input.readNBytes(length);
        input.reset();
        return head;
    }

    private static String position(String name, TokenStreamLocation at, int linesBefore) {
        return at.getLineNr() < 1
                ? name
                : name + ":" + (at.getLineNr() + linesBefore) + ":" + at.getColumnNr();
    }

    private static String complaint(RuntimeException e) {
        return oneLine(e instanceof JacksonException fault ? Reason.of(fault) : e.getMessage());
    }

    /// The YAML parser draws pictures of the place, over several lines.
    private static String oneLine(@Nullable String message) {
        String line = String.valueOf(message).replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        return line.length() > LONGEST_REASON ? line.substring(0, LONGEST_REASON) + "…" : line;
    }
}
