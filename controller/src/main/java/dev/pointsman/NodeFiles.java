package dev.pointsman;

import dev.pointsman.config.Unreadable;
import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.read.AddressReader;
import dev.pointsman.packet.read.RouteReader;
import dev.pointsman.packet.read.Routes;
import dev.pointsman.packet.read.SyntaxException;
import dev.pointsman.packet.read.SysctlReader;
import dev.pointsman.packet.read.Sysctls;
import dev.pointsman.store.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/// What a node printed about itself, rules and connections apart.
final class NodeFiles {
    /// `default` alone does not tell whose it is.
    private static final Pattern IPV6 =
            Pattern.compile("\"(dst|gateway|prefsrc)\"\\s*:\\s*\"[0-9a-f]*:");

    @Option(
            names = "--addresses",
            paramLabel = "FILE",
            description =
                    "What ip -j addr printed on the node; needs --routes. Without both: the Node's"
                            + " addresses on one uplink, its pods behind one interface.")
    Optional<Path> addresses = Optional.empty();

    @Option(
            names = "--routes",
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "What ip -j route and ip -j -6 route printed, a file each; needs --addresses.")
    List<Path> routes = new ArrayList<>();

    @Option(
            names = "--sysctls",
            paramLabel = "FILE",
            description = "What sysctl -a printed. Without it: the node forwards packets.")
    Optional<Path> sysctls = Optional.empty();

    /// Reads them all. Whatever routing is not modelled goes to `findings`.
    NodeSurvey read(List<Family> families, List<Finding> findings) {
        if (addresses.isPresent() == routes.isEmpty()) {
            throw Complaint.ofInput(
                    "--addresses and --routes: give both, or none; routes go through interfaces");
        }
        Map<Family, List<Node.Route>> known = new EnumMap<>(Family.class);
        for (Path path : routes) {
            String text = text("--routes", path);
            Family family = IPV6.matcher(text).find() ? Family.IPV6 : Family.IPV4;
            Routes read = parsed(path, text, t -> RouteReader.read(t, family));
            known.computeIfAbsent(family, _ -> new ArrayList<>()).addAll(read.routes());
            read.unread().forEach(unread -> findings.add(leftOut(path, unread)));
        }
        for (Family family : families) {
            if (!routes.isEmpty() && !known.containsKey(family)) {
                findings.add(
                        new Finding(
                                Finding.Severity.WARNING,
                                "--routes",
                                "",
                                "",
                                "no file has routes of " + family.title(),
                                "pods are assumed behind one interface, all others behind the"
                                        + " uplink; add what ip -j -6 route printed, or give"
                                        + " --family"));
            }
        }
        return new NodeSurvey(
                addresses
                        .map(path -> parsed(path, text("--addresses", path), AddressReader::read))
                        .orElse(List.of()),
                known,
                sysctls.map(path -> parsed(path, text("--sysctls", path), SysctlReader::read))
                        .orElse(new Sysctls(new TreeMap<>())));
    }

    private static Finding leftOut(Path path, Ruleset.Unread unread) {
        return new Finding(
                Finding.Severity.WARNING,
                "--routes",
                path + ":" + unread.line(),
                "",
                unread.text(),
                "packets that it concerns may go another way");
    }

    private static <T> T parsed(Path path, String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (SyntaxException e) {
            throw Complaint.ofInput(path + ":" + e.getMessage());
        }
    }

    private static String text(String option, Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw Complaint.ofInput(
                    option + ": " + path + " cannot be read: " + Unreadable.why(path, e));
        }
    }
}
