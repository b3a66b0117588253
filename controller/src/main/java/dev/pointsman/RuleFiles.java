package dev.pointsman;

import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.config.Unreadable;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.netfilter.IpvsTable;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.read.IpsetSaveReader;
import dev.pointsman.packet.read.Ipsets;
import dev.pointsman.packet.read.IptablesSaveReader;
import dev.pointsman.packet.read.IpvsadmSaveReader;
import dev.pointsman.packet.read.NftJsonReader;
import dev.pointsman.packet.read.NftReader;
import dev.pointsman.packet.read.NodeScriptReader;
import dev.pointsman.packet.read.SyntaxException;
import dev.pointsman.packet.verify.Opaque;
import dev.pointsman.store.Finding;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/// Which rules a command asks.
final class RuleFiles {
    /// What editors on Windows put before a text.
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private static final Ruleset NOTHING = new Ruleset(List.of(), List.of());

    @Option(
            names = "--rules",
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "What nft (-j) list ruleset, iptables-save, ip6tables-save, ipset save or"
                            + " ipvsadm-save -n printed on the node, other programs' rules"
                            + " included, or a script that render printed for mode ipvs. Without"
                            + " it: the rules that Pointsman would write.")
    List<Path> files = new ArrayList<>();

    @Option(
            names = "--assume",
            paramLabel = "CHAIN=opaque",
            description = "Take a chain that is not understood for one that changes no packet.")
    List<String> assumptions = new ArrayList<>();

    private final Map<Path, String> texts = new HashMap<>();

    /// Where the rules come from, for people.
    String origin(Mode mode) {
        return files.isEmpty()
                ? "the " + mode.name() + " rules that Pointsman would write"
                : "the rules in " + String.join(", ", files.stream().map(Path::toString).toList());
    }

    /// The mode that wrote them, as far as their form tells: its defaults are what they are held to
    /// where nobody names another.
    String mode() {
        List<Dump> dumps = dumps();
        if (dumps.stream().anyMatch(Dump::isOfIpvs)) {
            return "ipvs";
        }
        return dumps.stream().anyMatch(Dump::isOfIptables)
                ? "iptables"
                : ProxyConfiguration.DEFAULT_MODE;
    }

    private List<Dump> dumps() {
        return files.stream().map(file -> Dump.of(text(file))).toList();
    }

    /// Adds files that are empty, and those of `families` that no file has rules of: their packets
    /// would look forgotten.
    void reportMissing(List<Family> families, List<Finding> findings) {
        if (files.isEmpty()) {
            return;
        }
        for (Path file : files) {
            if (text(file).isBlank()) {
                findings.add(
                        new Finding(
                                Finding.Severity.WARNING,
                                "--rules " + file,
                                "",
                                "",
                                "is empty",
                                "it is taken for a kernel without rules"));
            }
        }
        List<Dump> dumps = dumps();
        for (Family family : families) {
            if (dumps.stream().noneMatch(dump -> dump.has(family))) {
                findings.add(
                        new Finding(
                                Finding.Severity.WARNING,
                                "--rules",
                                "",
                                "",
                                "no file has rules of " + family.title(),
                                "its packets meet none; add what "
                                        + (family == Family.IPV4 ? "iptables" : "ip6tables")
                                        + "-save printed, or give --family"));
            }
        }
    }

    /// Adds what is taken for granted of a node that does not tell: packets for a virtual server
    /// come to it by its address, which must be one of the node's.
    void reportAssumed(NodeSurvey survey, List<Finding> findings) {
        if (dumps().contains(Dump.IPVS) && !survey.knowsAddresses()) {
            findings.add(
                    new Finding(
                            Finding.Severity.WARNING,
                            "--rules",
                            "",
                            "",
                            "no file says which addresses the node has on " + IpvsTable.DEVICE,
                            "those of the virtual servers are assumed; give --addresses and"
                                    + " --routes"));
        }
    }

    /// The rules that packets of the graph's family meet on the node.
    Ruleset read(Mode mode, RuleGraph graph, NodeSurvey survey) {
        Ruleset rules = survey.on(files.isEmpty() ? rendered(mode, graph) : dumped(graph, survey));
        for (String assumption : assumptions) {
            rules = assuming(rules, assumption);
        }
        return rules;
    }

    private static Ruleset rendered(Mode mode, RuleGraph graph) {
        RuleGraph nothing = RuleGraph.nothing(graph.family());
        Step step = Step.of(mode, nothing, Delta.between(nothing, graph));
        String text = step.transaction().text();
        return parsed(
                "the rules of mode " + mode.name(),
                Dump.of(text),
                text,
                graph.family(),
                Ipsets.NONE);
    }

    private Ruleset dumped(RuleGraph graph, NodeSurvey survey) {
        SortedMap<String, Ipsets.Ipset> sets = new TreeMap<>();
        for (Path file : files) {
            if (Dump.of(text(file)) == Dump.IPSET) {
                sets.putAll(ipsets(file, text(file)).sets());
            }
        }
        Ruleset rules = NOTHING;
        for (Path file : files) {
            String text = text(file);
            Dump dump = Dump.of(text);
            Ruleset read = parsed(file.toString(), dump, text, graph.family(), new Ipsets(sets));
            rules =
                    rules.and(
                            dump == Dump.IPVS && !survey.knowsAddresses()
                                    ? read.with(AssumedAddresses.bearing(read.ipvs(), graph))
                                    : read);
        }
        return rules;
    }

    private static Ipsets ipsets(Path file, String text) {
        try {
            return IpsetSaveReader.read(text);
        } catch (SyntaxException e) {
            throw Complaint.ofInput(file + ":" + e.getMessage());
        }
    }

    private static Ruleset assuming(Ruleset rules, String assumption) {
        int equals = assumption.lastIndexOf('=');
        if (equals < 1 || !assumption.substring(equals).equals("=opaque")) {
            throw Complaint.ofInput(
                    "--assume: \"" + assumption + "\" is no assumption; give CHAIN=opaque");
        }
        try {
            return Opaque.assuming(rules, assumption.substring(0, equals));
        } catch (IllegalArgumentException e) {
            throw Complaint.ofInput("--assume: " + e.getMessage());
        }
    }

    /// Each file is read once, however often it is asked for: dumps of large nodes are large.
    private String text(Path file) {
        return texts.computeIfAbsent(file, RuleFiles::contents);
    }

    private static String contents(Path file) {
        try {
            String text = Files.readString(file);
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (IOException e) {
            throw Complaint.ofInput(
                    "--rules: " + file + " cannot be read: " + Unreadable.why(file, e));
        }
    }

    private static Ruleset parsed(
            String where, Dump dump, String text, Family family, Ipsets sets) {
        try {
            return switch (dump) {
                case NFT -> NftReader.read(text);
                case NFT_JSON -> NftJsonReader.read(text);
                case IPTABLES ->
                        family == Family.IPV4
                                ? IptablesSaveReader.read(new StringReader(text), family, sets)
                                : NOTHING;
                case IP6TABLES ->
                        family == Family.IPV6
                                ? IptablesSaveReader.read(new StringReader(text), family, sets)
                                : NOTHING;
                case EITHER_TABLES -> IptablesSaveReader.read(new StringReader(text), family, sets);
                case IPSET -> NOTHING;
                case IPVS ->
                        NOTHING.with(
                                IpvsTable.of(
                                        IpvsadmSaveReader.read(text),
                                        Collections.emptySortedSet()));
                case SCRIPT -> NodeScriptReader.read(text, family).ruleset();
            };
        } catch (SyntaxException e) {
            throw Complaint.ofInput(where + ":" + e.getMessage());
        }
    }
}
