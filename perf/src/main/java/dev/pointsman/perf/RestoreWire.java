package dev.pointsman.perf;

import dev.pointsman.dataplane.Transaction;
import dev.pointsman.iptables.IptablesMode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Text for the restoring program of one variant of iptables.
record RestoreWire(IptablesMode.Choice variant) implements Wire {
    @Override
    public Runnable encode(Transaction transaction) {
        byte[] text = transaction.text().getBytes(StandardCharsets.UTF_8);
        return () -> restore(text);
    }

    private void restore(byte[] text) {
        try {
            Process process =
                    new ProcessBuilder(
                                    "iptables-"
                                            + variant.name().toLowerCase(Locale.ROOT)
                                            + "-restore",
                                    "--noflush",
                                    "--counters",
                                    "-w",
                                    "2")
                            .inheritIO()
                            .redirectInput(ProcessBuilder.Redirect.PIPE)
                            .start();
            try (OutputStream input = process.getOutputStream()) {
                input.write(text);
            }
            if (process.waitFor() != 0) {
                throw new IllegalStateException("iptables-restore ended with " + process);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {}
}
