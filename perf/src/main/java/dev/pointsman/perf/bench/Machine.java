package dev.pointsman.perf.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What figures depend on besides the programs that are measured.
final class Machine {
    private Machine() {}

    /// By name. What cannot be found out says so: no figure is worth less for it.
    ///
    /// @param root of the source tree
    static Map<String, String> facts(Path root, List<Proxy> proxies, Instant now) {
        Map<String, String> facts = new TreeMap<>();
        facts.put("processor", line(Path.of("/proc/cpuinfo"), "model name"));
        facts.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
        facts.put("memory", line(Path.of("/proc/meminfo"), "MemTotal"));
        facts.put("kernel", said("uname", "-sr"));
        facts.put("distribution", line(Path.of("/etc/os-release"), "PRETTY_NAME"));
        facts.put("nft", said("nft", "--version"));
        facts.put("iptables", said("iptables", "--version"));
        facts.put("java", Runtime.version().toString());
        facts.put(
                "commit",
                said(
                        "git",
                        "-C",
                        root.toString(),
                        "describe",
                        "--always",
                        "--dirty",
                        "--abbrev=12"));
        facts.put("measured", now.toString());
        for (Proxy proxy : proxies) {
            List<String> command =
                    new ArrayList<>(List.of(proxy.command().getFirst(), "--version"));
            facts.put(proxy.name(), said(command.toArray(String[]::new)));
        }
        return facts;
    }

    private static String said(String... command) {
        try {
            return Program.run("", List.of(command)).strip();
        } catch (IOException e) {
            return "unknown: " + e.getMessage();
        }
    }

    /// The value in the first line that begins so.
    private static String line(Path file, String key) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(key))
                    .map(line -> line.split("[:=]", 2)[1].strip().replace("\"", ""))
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown: " + e;
        }
    }
}
