package dev.pointsman.conntrack;

import dev.pointsman.config.Conntrack;
import dev.pointsman.notice.Announcer;
import dev.pointsman.notice.Notice;
import dev.pointsman.notice.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// The node's settings for conntrack. They are tuning: one that cannot be had is said, and nothing
/// else waits for it.
public final class ConntrackSysctls {
    /// Below `net/netfilter` of `/proc/sys`.
    private static final String MAX = "nf_conntrack_max";

    private static final Path SETTINGS = Path.of("proc/sys/net/netfilter");
    private static final Path ROWS = Path.of("sys/module/nf_conntrack/parameters/hashsize");

    // The JVM counts those that its cgroup may use at once, which says nothing about the node.
    private static final Path PROCESSORS = Path.of("sys/devices/system/cpu/online");

    private static final int LONGEST_NUMBER = 32;

    /// The kernel's own proportion of entries to rows.
    private static final int ENTRIES_PER_ROW = 4;

    private final Path root;
    private final Announcer announcer;

    /// @param root where `/proc` and `/sys` are
    /// @param announcer is told what was set and what could not be
    public ConntrackSysctls(Path root, Announcer announcer) {
        this.root = root;
        this.announcer = announcer;
    }

    /// Sets what is not set yet.
    public void apply(Conntrack settings) {
        if (!Files.exists(root.resolve(SETTINGS).resolve(MAX))) {
            failed(
                    "conntrack: "
                            + root.resolve(SETTINGS).resolve(MAX)
                            + " is missing, so that no limit and no timeout is set: run `modprobe"
                            + " nf_conntrack` on the node before Pointsman starts");
            return;
        }
        long max = settings.maxPerCore() == 0 ? 0 : max(settings);
        if (max > 0) {
            set(SETTINGS.resolve(MAX), max, "conntrack.maxPerCore: 0");
            setRows(max);
        }
        timeouts(settings)
                .forEach(
                        (name, value) ->
                                set(SETTINGS.resolve(name), value, "its field of conntrack to 0"));
    }

    private static Map<String, Long> timeouts(Conntrack settings) {
        Map<String, Long> wanted = new LinkedHashMap<>();
        wanted.put(
                "nf_conntrack_tcp_timeout_established",
                settings.tcpEstablishedTimeout().toSeconds());
        wanted.put(
                "nf_conntrack_tcp_timeout_close_wait", settings.tcpCloseWaitTimeout().toSeconds());
        wanted.put(
                "nf_conntrack_tcp_be_liberal",
                switch (settings.outOfWindow()) {
                    case AS_FOUND -> 0L;
                    case ACCEPTED -> 1L;
                });
        wanted.put("nf_conntrack_udp_timeout", settings.udpTimeout().toSeconds());
        wanted.put("nf_conntrack_udp_timeout_stream", settings.udpStreamTimeout().toSeconds());
        wanted.values().removeIf(value -> value == 0);
        return wanted;
    }

    private long max(Conntrack settings) {
        Path file = root.resolve(PROCESSORS);
        try {
            long processors = count(Files.readString(file).strip());
            return Math.max(settings.min(), processors * settings.maxPerCore());
        } catch (IOException | NumberFormatException e) {
            failed(
                    "conntrack: "
                            + file
                            + " does not tell how many processors there are ("
                            + e
                            + "), so that "
                            + MAX
                            + " stays as it is; make /sys readable, or set it with `sysctl -w`"
                            + " and conntrack.maxPerCore: 0");
            return 0;
        }
    }

    /// As in `0-3,8`.
    private static long count(String ranges) {
        long count = 0;
        for (String range : ranges.split(",", -1)) {
            String[] ends = range.split("-", 2);
            count += Long.parseLong(ends[ends.length - 1]) - Long.parseLong(ends[0]) + 1;
        }
        return count;
    }

    /// More entries than rows make conntrack slow. Rows are never taken away.
    private void setRows(long max) {
        Path file = root.resolve(ROWS);
        long wanted = max / ENTRIES_PER_ROW;
        try {
            if (Long.parseLong(Files.readString(file).strip()) < wanted) {
                write(file, wanted);
            }
        } catch (IOException | NumberFormatException e) {
            failed(
                    failure(file, wanted, e)
                            + "; mount /sys writable, or write it on the node: `echo "
                            + wanted
                            + " > "
                            + file
                            + "`");
        }
    }

    private void set(Path name, long value, String leave) {
        Path file = root.resolve(name);
        try {
            if (!read(file).equals(Long.toString(value))) {
                write(file, value);
            }
        } catch (IOException e) {
            failed(
                    failure(file, value, e)
                            + "; make /proc/sys writable, run `sysctl -w net.netfilter."
                            + file.getFileName()
                            + "="
                            + value
                            + "` on the node, or set "
                            + leave
                            + " to leave it");
        }
    }

    /// A number under /proc/sys is there for the first read alone, and [Files#readString] begins
    /// with one of a single byte where a file says that it has none.
    private static String read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LONGEST_NUMBER), StandardCharsets.US_ASCII).strip();
        }
    }

    private void write(Path file, long value) throws IOException {
        Files.writeString(file, value + "\n");
        announcer.say("conntrack: set " + file + " to " + value);
    }

    private void failed(String line) {
        announcer.say(Notice.ofNode(Reason.CONNTRACK_NOT_SET, line));
    }

    private static String failure(Path file, long value, Exception e) {
        String why =
                switch (e) {
                    case AccessDeniedException _ -> "permission denied";
                    case FileSystemException f when f.getReason() != null -> f.getReason();
                    default -> e.toString();
                };
        return "conntrack: " + file + " cannot be set to " + value + ": " + why;
    }
}
