package dev.pointsman.guest;

import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.opentest4j.TestAbortedException;

/// What became of a test in the guest. The same classes are on both sides, so it travels as it is.
sealed interface Verdict extends Serializable {
    record Passed() implements Verdict {
        private static final long serialVersionUID = 1;
    }

    /// Failed or, where the cause is a [TestAbortedException], skipped.
    record Ended(Throwable cause) implements Verdict {
        private static final long serialVersionUID = 1;
    }

    /// Did not end: whatever else the guest is asked for, it will not do.
    ///
    /// @param threads what they were doing
    record Late(long seconds, String threads) implements Verdict {
        private static final long serialVersionUID = 1;
    }

    static Verdict skipped(String reason) {
        return new Ended(new TestAbortedException(reason));
    }

    /// Lets the test that calls it end in the same way.
    default void repeat() throws Throwable {
        switch (this) {
            case Passed() -> {}
            case Ended(var cause) -> throw cause;
            case Late(var seconds, var threads) ->
                    throw new AssertionError(
                            "did not end within %d s in the guest; its threads:%n%s"
                                    .formatted(seconds, threads));
        }
    }

    /// Who finds the file finds it whole.
    default void write(Path file) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            write(this, part);
        } catch (NotSerializableException _) {
            if (this instanceof Ended(var cause)) {
                write(new Ended(likeness(cause)), part);
            }
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void write(Verdict verdict, Path part) throws IOException {
        try (var out = new ObjectOutputStream(Files.newOutputStream(part))) {
            out.writeObject(verdict);
        }
    }

    private static AssertionError likeness(Throwable cause) {
        AssertionError error = new AssertionError(cause.toString());
        error.setStackTrace(cause.getStackTrace());
        return error;
    }

    static Verdict read(Path file) throws IOException {
        try (var in = new ObjectInputStream(Files.newInputStream(file))) {
            return (Verdict) in.readObject();
        } catch (ClassNotFoundException e) {
            throw new IOException("the guest has other classes than we have", e);
        }
    }
}
