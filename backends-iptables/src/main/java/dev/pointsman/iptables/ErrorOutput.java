package dev.pointsman.iptables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What a program writes to its standard error. It goes into a file, since nobody reads it while
/// the program reads its input, and more than a pipe takes would stop both.
sealed interface ErrorOutput extends AutoCloseable {

    /// A file of its own, in the folder for temporary ones.
    record Kept(Path file) implements ErrorOutput {
        @Override
        public ProcessBuilder.Redirect target() {
            return ProcessBuilder.Redirect.to(file.toFile());
        }

        @Override
        public String text() throws IOException {
            return Files.readString(file);
        }

        @Override
        public void close() throws IOException {
            Files.delete(file);
        }
    }

    /// No file can be made: the disk is full or read-only. Rules go in all the same.
    record Discarded(IOException why) implements ErrorOutput {
        @Override
        public ProcessBuilder.Redirect target() {
            return ProcessBuilder.Redirect.DISCARD;
        }

        @Override
        public String text() {
            return "what it said is lost, since no temporary file can be made (" + why + ")";
        }

        @Override
        public void close() {}
    }

    static ErrorOutput open() {
        try {
            return new Kept(Files.createTempFile("pointsman-iptables", ".err"));
        } catch (IOException e) {
            return new Discarded(e);
        }
    }

    ProcessBuilder.Redirect target();

    /// Asked when the program has ended.
    String text() throws IOException;

    @Override
    void close() throws IOException;
}
