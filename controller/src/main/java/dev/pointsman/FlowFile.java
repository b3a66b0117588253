package dev.pointsman;

import dev.pointsman.config.Unreadable;
import dev.pointsman.packet.conntrack.FlowTable;
import dev.pointsman.packet.read.SyntaxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine.Option;

/// Which connections a node has.
final class FlowFile {
    @Option(
            names = "--conntrack",
            paramLabel = "FILE",
            description =
                    "What conntrack -L (or -L -f ipv6) printed on the node. Entries of conntrack zones"
                            + " are left out.")
    Optional<Path> file = Optional.empty();

    /// The table in the file; its user closes it.
    Optional<FlowTable> open() {
        return file.map(FlowFile::read);
    }

    private static FlowTable read(Path path) {
        try {
            // Bytes beyond ASCII are in what no field of ours holds.
            return FlowTable.read(
                    Files.newBufferedReader(path, StandardCharsets.ISO_8859_1), Files.size(path));
        } catch (SyntaxException e) {
            throw Complaint.ofInput(
                    path
                            + ":"
                            + e.getMessage()
                            + "; if conntrack printed that, leave the line out and report it");
        } catch (FlowTable.Refused e) {
            throw Complaint.ofInput(
                    "--conntrack: "
                            + path
                            + ": "
                            + e.getMessage()
                            + "; list fewer, such as conntrack -L -p udp");
        } catch (UncheckedIOException e) {
            throw unreadable(path, Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    private static Complaint unreadable(Path path, IOException e) {
        return Complaint.ofInput(
                "--conntrack: " + path + " cannot be read: " + Unreadable.why(path, e));
    }

    /// Where in the file an entry is.
    String at(int line) {
        return this + ":" + line;
    }

    @Override
    public String toString() {
        return file.map(Path::toString).orElse("");
    }
}
