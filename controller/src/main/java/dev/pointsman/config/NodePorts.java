package dev.pointsman.config;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Settings;
import java.util.ArrayList;
import java.util.List;

/// Reads which addresses node ports answer on.
final class NodePorts {
    private static final String LOCALHOST = "iptables.localhostNodePorts";
    private static final Cidr EVERY_IPV4 = Cidr.parse("0.0.0.0/0");
    private static final Cidr EVERY_IPV6 = Cidr.parse("::/0");
    private static final Cidr IPV4_LOOPBACK = Cidr.parse("127.0.0.0/8");
    private static final Cidr IPV6_LOOPBACK = Cidr.parse("::1/128");

    private static final String NO_LOOPBACK =
            "in mode ipvs node ports do not answer on loopback addresses: dial another address of"
                    + " the node";

    private NodePorts() {}

    /// @param otherwise where the file has none
    static List<Settings.NodePortRange> read(
            Fields fields, String mode, List<Settings.NodePortRange> otherwise) {
        boolean asked = fields.gives(LOCALHOST);
        boolean localhost = fields.value(LOCALHOST, true, FieldType.SWITCH);
        List<Settings.NodePortRange> given =
                fields.list(
                        "nodePortAddresses",
                        NodePorts::nodePortRange,
                        "a range, primary, localhost or all");
        if (mode.equals("ipvs")) {
            if (asked && localhost) {
                fields.warning(LOCALHOST + " is true; " + NO_LOOPBACK);
            }
            given.stream()
                    .filter(NodePorts::isLoopback)
                    .findFirst()
                    .ifPresent(
                            _ -> fields.warning("nodePortAddresses has loopback; " + NO_LOOPBACK));
        }
        boolean canAnswer = mode.equals("iptables") && localhost;
        return loopbackDecided(
                given.isEmpty() ? otherwise : canAnswer ? ofBothFamilies(given) : given, canAnswer);
    }

    /// Whether it is for loopback addresses alone.
    private static boolean isLoopback(Settings.NodePortRange word) {
        return switch (word) {
            case Settings.NodePortRange.Localhost _ -> true;
            case Settings.NodePortRange.Range(Cidr range) ->
                    IPV4_LOOPBACK.contains(range) || IPV6_LOOPBACK.contains(range);
            case Settings.NodePortRange.All _, Settings.NodePortRange.Primary _ -> false;
        };
    }

    /// The same with all addresses of a family that no word is for (behaviour document 2.8): they
    /// hold loopback, and a word for loopback must not restrict the other family.
    private static List<Settings.NodePortRange> ofBothFamilies(List<Settings.NodePortRange> words) {
        List<Settings.NodePortRange> both = new ArrayList<>(words);
        for (Cidr all : List.of(EVERY_IPV4, EVERY_IPV6)) {
            if (words.stream()
                    .allMatch(
                            word ->
                                    word instanceof Settings.NodePortRange.Range(var range)
                                            && range.family() != all.family())) {
                both.add(new Settings.NodePortRange.Range(all));
            }
        }
        return both;
    }

    /// Loopback answers if the ranges hold it, the mode can do it and `localhostNodePorts` lets it
    /// (behaviour document 2.9); if it does not, `localhost` is a range like others.
    private static List<Settings.NodePortRange> loopbackDecided(
            List<Settings.NodePortRange> words, boolean canAnswer) {
        List<Settings.NodePortRange> decided = new ArrayList<>();
        boolean holdsLoopback = false;
        for (Settings.NodePortRange word : words) {
            switch (word) {
                case Settings.NodePortRange.Localhost _ -> {
                    holdsLoopback = true;
                    if (!canAnswer) {
                        decided.add(new Settings.NodePortRange.Range(IPV4_LOOPBACK));
                        decided.add(new Settings.NodePortRange.Range(IPV6_LOOPBACK));
                    }
                }
                case Settings.NodePortRange.All _ -> {
                    holdsLoopback = true;
                    decided.add(word);
                }
                case Settings.NodePortRange.Range(Cidr range) -> {
                    holdsLoopback |= range.contains(IPV4_LOOPBACK) || IPV4_LOOPBACK.contains(range);
                    decided.add(word);
                }
                case Settings.NodePortRange.Primary _ -> decided.add(word);
            }
        }
        if (holdsLoopback && canAnswer) {
            decided.add(new Settings.NodePortRange.Localhost());
        }
        return decided;
    }

    private static Settings.NodePortRange nodePortRange(String word) {
        return switch (word) {
            case "primary" -> new Settings.NodePortRange.Primary();
            case "localhost" -> new Settings.NodePortRange.Localhost();
            case "all" -> new Settings.NodePortRange.All();
            default -> new Settings.NodePortRange.Range(Cidr.parse(word));
        };
    }
}
