package dev.pointsman.config;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Settings;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reads how traffic of local pods is told from other traffic.
final class LocalDetection {
    private static final FieldType<List<Cidr>> RANGES =
            FieldType.printed(
                    LocalDetection::ranges,
                    ranges -> ranges.stream().map(Cidr::toString).collect(Collectors.joining(",")));

    private final Fields fields;

    private LocalDetection(Fields fields) {
        this.fields = fields;
    }

    static Settings.DetectLocal read(Fields fields) {
        return new LocalDetection(fields).detector();
    }

    private Settings.DetectLocal detector() {
        Settings.DetectLocal byRange =
                new Settings.DetectLocal.ClusterRanges(
                        fields.value("clusterCIDR", List.of(), RANGES));
        String bridge =
                name(
                        "bridgeInterface",
                        text -> new Settings.DetectLocal.BridgeInterface(text).name());
        String prefix =
                name(
                        "interfaceNamePrefix",
                        text -> new Settings.DetectLocal.InterfacePrefix(text).prefix());
        String mode =
                fields.oneOf(
                        "detectLocalMode",
                        "ClusterCIDR",
                        "NodeCIDR",
                        "BridgeInterface",
                        "InterfaceNamePrefix");
        return switch (mode) {
            case "NodeCIDR" -> new Settings.DetectLocal.NodeRanges();
            case "BridgeInterface" ->
                    bridge.isEmpty()
                            ? missing("bridgeInterface", mode, byRange)
                            : new Settings.DetectLocal.BridgeInterface(bridge);
            case "InterfaceNamePrefix" ->
                    prefix.isEmpty()
                            ? missing("interfaceNamePrefix", mode, byRange)
                            : new Settings.DetectLocal.InterfacePrefix(prefix);
            default -> byRange;
        };
    }

    /// Empty when the field is not set, or wrong.
    private String name(String field, UnaryOperator<String> check) {
        return fields.value("detectLocal." + field, "", FieldType.text(check));
    }

    private Settings.DetectLocal missing(
            String field, String mode, Settings.DetectLocal otherwise) {
        // A name that is wrong has been told already.
        if (fields.problems().stream().noneMatch(problem -> problem.contains(field + ": "))) {
            fields.problem(
                    "detectLocal." + field + " is empty; detectLocalMode " + mode + " needs it");
        }
        return otherwise;
    }

    /// Reads `one`, `one,other`: at most one range of each family, as kube-proxy takes them.
    private static List<Cidr> ranges(String text) {
        List<Cidr> ranges = Stream.of(text.split(",")).map(String::strip).map(Cidr::parse).toList();
        if (ranges.size() > 2
                || ranges.size() == 2 && ranges.get(0).family() == ranges.get(1).family()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is more than one range of one family");
        }
        return ranges;
    }
}
