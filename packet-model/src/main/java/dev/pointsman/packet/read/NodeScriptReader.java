package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.IpvsTable;
import dev.pointsman.packet.netfilter.Ruleset;
import java.io.StringReader;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/// Reads shell scripts that program a node for IPVS: here-documents for `ipset restore`, `ip
/// -batch`, `ipvsadm -R`, `iptables-restore` and `ip6tables-restore`, in any number and order, and
/// between them `sysctl -w` and `ipvsadm --set`. It is the text of a transaction of this mode.
///
/// What several sections of one tool do adds up; rules find in an ipset what it has in the end.
public final class NodeScriptReader {
    /// Whose input a here-document is.
    private enum Tool {
        IPSET,
        IP,
        IPVSADM,
        IPTABLES,
        IP6TABLES,
        /// No tool's but the kernel's: `KEY=VALUE`.
        SYSCTL
    }

    private final String[] lines;

    /// Of each tool its lines at their places, all others being empty: so readers count them right.
    private final Map<Tool, String[]> texts = new EnumMap<>(Tool.class);

    /// The place of the line that is next.
    private int at;

    private NodeScriptReader(String text) {
        lines = text.lines().toArray(String[]::new);
    }

    /// Whether `text` is such a script.
    public static boolean isScript(String text) {
        return text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .findFirst()
                .map(first -> first.contains("<<'") || first.startsWith("sysctl -w "))
                .orElse(false);
    }

    /// What the script makes of a node that had nothing, as far as packets of `family` meet it.
    ///
    /// @throws SyntaxException with the line in the script where it is none of these
    public static NodeScript read(String text, Family family) {
        NodeScriptReader reader = new NodeScriptReader(text);
        reader.split();
        Sysctls sysctls = SysctlReader.read(reader.text(Tool.SYSCTL));
        Ipsets ipsets =
                IpsetSaveReader.read(
                        new StringReader(reader.text(Tool.IPSET)), IpsetSaveReader.Repeated.TAKEN);
        Ruleset four = reader.rules(Tool.IPTABLES, Family.IPV4, ipsets);
        Ruleset six = reader.rules(Tool.IP6TABLES, Family.IPV6, ipsets);
        IpvsTable ipvs =
                IpvsTable.of(
                                IpvsadmSaveReader.read(reader.text(Tool.IPVSADM)),
                                IpBatchReader.read(reader.text(Tool.IP)))
                        .with(sysctls.ipvs());
        return new NodeScript(
                (switch (family) {
                            case IPV4 -> four;
                            case IPV6 -> six;
                        })
                        .with(ipvs),
                sysctls);
    }

    private String text(Tool tool) {
        return String.join("\n", lines(tool));
    }

    private String[] lines(Tool tool) {
        return texts.computeIfAbsent(
                tool,
                _ -> {
                    String[] none = new String[lines.length];
                    Arrays.fill(none, "");
                    return none;
                });
    }

    private Ruleset rules(Tool tool, Family family, Ipsets ipsets) {
        return IptablesSaveReader.read(new StringReader(text(tool)), family, ipsets);
    }

    private void split() {
        while (at < lines.length) {
            String line = lines[at];
            at++;
            if (!line.isBlank() && !line.startsWith("#")) {
                command(new SavedLine(at, line));
            }
        }
    }

    private void command(SavedLine line) {
        switch (line.next("a command")) {
            case "sysctl" -> setting(line);
            case "ipvsadm" -> {
                if (line.accept("--set")) {
                    timeouts(line);
                } else {
                    option(line, "-R", "--restore");
                    document(Tool.IPVSADM, line);
                }
            }
            case "ipset" -> {
                option(line, "restore", "restore");
                option(line, "-exist", "-!");
                document(Tool.IPSET, line);
            }
            case "ip" -> {
                if (!line.accept("-force")) {
                    line.accept("-f");
                }
                option(line, "-batch", "-b");
                option(line, "-", "-");
                document(Tool.IP, line);
            }
            case "iptables-restore" -> {
                rulesOptions(line);
                document(Tool.IPTABLES, line);
            }
            case "ip6tables-restore" -> {
                rulesOptions(line);
                document(Tool.IP6TABLES, line);
            }
            default ->
                    throw line.wrong(
                            "ipset, ip, ipvsadm, iptables-restore, ip6tables-restore or sysctl");
        }
    }

    private static void option(SavedLine line, String wanted, String other) {
        if (!line.accept(wanted) && !line.accept(other)) {
            throw line.expected(wanted);
        }
    }

    /// Without `--noflush` it would empty the tables of others.
    private static void rulesOptions(SavedLine line) {
        boolean keeps = false;
        while (line.isAtOption()) {
            switch (line.next("an option")) {
                case "--noflush", "-n" -> keeps = true;
                case "-w", "--wait", "-W", "--wait-interval" -> {
                    if (!line.peek().isEmpty() && Character.isDigit(line.peek().charAt(0))) {
                        line.number(Integer.MAX_VALUE);
                    }
                }
                case "--counters", "-c" -> {}
                default -> throw line.wrong("--noflush");
            }
        }
        if (!keeps) {
            throw line.expected("--noflush");
        }
    }

    /// How long connections last is not modelled.
    private static void timeouts(SavedLine line) {
        for (int i = 0; i < 3; i++) {
            line.number(Integer.MAX_VALUE);
        }
        line.end("the line");
    }

    private void setting(SavedLine line) {
        option(line, "-w", "--write");
        lines(Tool.SYSCTL)[at - 1] = line.next("NAME=VALUE");
        line.end("the line");
    }

    /// `<<'EOF'`, and all up to a line that says so.
    private void document(Tool tool, SavedLine line) {
        String word = line.next("a here-document");
        if (!word.startsWith("<<'") || !word.endsWith("'") || word.length() < 5) {
            throw line.wrong("<<'EOF'");
        }
        line.end("the line");
        String end = word.substring(3, word.length() - 1);
        String[] own = lines(tool);
        while (at < lines.length && !lines[at].equals(end)) {
            own[at] = lines[at];
            at++;
        }
        if (at == lines.length) {
            throw new SyntaxException(lines.length, 1, "expected " + end + ", found the end");
        }
        at++;
    }
}
