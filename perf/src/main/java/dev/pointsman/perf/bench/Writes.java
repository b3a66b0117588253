package dev.pointsman.perf.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// What anybody writes into nf_tables of a node, iptables-nft included, as `nft monitor` tells it.
///
/// A table that we make and delete tells when nft has begun to look, and when it has told all.
final class Writes implements AutoCloseable {
    private static final String MARKS = "pointsman-bench-";

    /// nft reads all rules when it begins, and again if meanwhile somebody writes: it gets longer
    /// each time.
    private static final List<Integer> MILLIS =
            List.of(100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600);

    private final Town town;
    private final Process monitor;
    private final BlockingQueue<String> marks = new LinkedBlockingQueue<>();
    private final AtomicLong count = new AtomicLong();
    private String mark = MARKS;

    private Writes(Town town, Process monitor) {
        this.town = town;
        this.monitor = monitor;
        Thread.ofPlatform().name("writes").daemon().start(this::read);
    }

    /// Counts from now on.
    static Writes watch(Town town) throws IOException {
        Process monitor =
                new ProcessBuilder("ip", "netns", "exec", town.nodeName(), "nft", "monitor")
                        .redirectErrorStream(true)
                        .start();
        Writes writes = new Writes(town, monitor);
        for (int millis : MILLIS) {
            writes.mark = MARKS + millis;
            town.onNode("nft", "add table ip " + writes.mark);
            if (writes.isTold("add", millis)) {
                return writes;
            }
            town.onNode("nft", "delete table ip " + writes.mark);
        }
        writes.close();
        throw new IOException("nft monitor tells nothing; does the kernel have nf_tables?");
    }

    private void read() {
        try (BufferedReader lines = monitor.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains(MARKS)) {
                    marks.add(line);
                } else if (!line.startsWith("#")) {
                    count.incrementAndGet();
                }
            }
        } catch (IOException _) {
            return; // closed
        }
    }

    private boolean isTold(String verb, int millis) throws IOException {
        try {
            for (String line = marks.poll(millis, TimeUnit.MILLISECONDS);
                    line != null;
                    line = marks.poll(millis, TimeUnit.MILLISECONDS)) {
                if (line.startsWith(verb) && line.endsWith(mark)) {
                    return true;
                }
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while nft monitor spoke", e);
        }
    }

    /// Objects added, deleted or replaced since the beginning, as far as they were told.
    long count() throws IOException {
        for (int millis : MILLIS) {
            town.onNode("nft", "delete table ip " + mark);
            if (isTold("delete", millis)) {
                return count.get();
            }
            // Of very many at once the kernel drops some, and this may have been among them.
            mark = MARKS + "end-" + millis;
            town.onNode("nft", "add table ip " + mark);
        }
        throw new IOException("nft monitor stopped telling what is written");
    }

    @Override
    public void close() {
        monitor.destroyForcibly();
    }
}
