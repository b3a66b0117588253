package dev.pointsman.config;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Settings;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/// Reads a `kubeproxy.config.k8s.io/v1alpha1` KubeProxyConfiguration, YAML or JSON. Reports every
/// problem and not only the first; a field that it does not know is worth a warning, as kube-proxy
/// has it for this version of the API.
public final class ConfigReader {
    private static final String API_VERSION = "kubeproxy.config.k8s.io/v1alpha1";
    private static final String KIND = "KubeProxyConfiguration";

    // What kube-proxy has and nothing here depends on. A name covers all fields below it.
    private static final Set<String> NOT_USED =
            Set.of(
                    "bindAddress",
                    "bindAddressHardFail",
                    "clientConnection",
                    "configSyncPeriod",
                    "conntrack",
                    "enableProfiling",
                    "featureGates",
                    "healthzBindAddress",
                    "iptables",
                    "ipvs",
                    "logging",
                    "metricsBindAddress",
                    "oomScoreAdj",
                    "portRange",
                    "showHiddenMetricsForVersion",
                    "windowsRunAsService",
                    "winkernel");

    private static final Set<String> SECTIONS =
            Set.of(
                    "clientConnection",
                    "conntrack",
                    "detectLocal",
                    "featureGates",
                    "iptables",
                    "ipvs",
                    "logging",
                    "nftables",
                    "winkernel");

    // How a ConfigMap spells that a field is not set.
    private static final Set<String> UNSET =
            Set.of("", "null", "~", "0", "0s", "false", "{}", "[]");

    private record Leaf(Node node) {
        int line() {
            return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
        }

        boolean isSet() {
            return !(node instanceof ScalarNode scalar && scalar.getValue().isEmpty())
                    && !UNSET.contains(text());
        }

        /// In words, for what it should not be.
        String kind() {
            return switch (node) {
                case ScalarNode scalar -> "\"" + scalar.getValue() + "\"";
                case SequenceNode _ -> "a list";
                case MappingNode _ -> "an object";
                default -> "no value";
            };
        }

        String text() {
            return switch (node) {
                case ScalarNode scalar -> scalar.getValue();
                case SequenceNode list when list.getValue().isEmpty() -> "[]";
                case MappingNode map when map.getValue().isEmpty() -> "{}";
                default -> node.getNodeType().toString();
            };
        }
    }

    private final String source;
    private final SortedMap<String, Leaf> leaves = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private ConfigReader(String source) {
        this.source = source;
    }

    /// Reads `file`.
    public static ConfigReading read(Path file) {
        try {
            return read(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return new ConfigReading.Invalid(
                    List.of(
                            file
                                    + ": cannot be read: "
                                    + reason(file, e)
                                    + "; give --config FILE"));
        }
    }

    private static String reason(Path file, IOException e) {
        if (Files.isDirectory(file)) {
            return "it is a folder";
        }
        return switch (e) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "permission denied";
            case CharacterCodingException _ -> "it is no text in UTF-8";
            default -> String.valueOf(e.getMessage());
        };
    }

    /// Reads `text`, which came from `source`.
    static ConfigReading read(String source, String text) {
        return new ConfigReader(source).read(text);
    }

    private ConfigReading read(String text) {
        try {
            LoadSettings settings = LoadSettings.builder().setAllowDuplicateKeys(true).build();
            new Compose(settings)
                    .composeString(text)
                    .ifPresentOrElse(
                            root -> flatten("", root),
                            () -> problems.add(source + ": is empty; expected kind " + KIND));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
            problems.add(source + ":" + line + ": is no YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            problems.add(source + ": is no YAML: " + firstLine(e));
        }
        if (!problems.isEmpty()) {
            return new ConfigReading.Invalid(problems);
        }
        expect("apiVersion", API_VERSION);
        expect("kind", KIND);
        ProxyConfiguration configuration = configuration();
        reportTheRest();
        return problems.isEmpty()
                ? new ConfigReading.Read(configuration, warnings)
                : new ConfigReading.Invalid(problems);
    }

    private void flatten(String path, Node node) {
        if (node instanceof MappingNode map && !map.getValue().isEmpty()) {
            for (NodeTuple tuple : map.getValue()) {
                String key =
                        tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
                flatten(path.isEmpty() ? key : path + "." + key, tuple.getValueNode());
            }
            return;
        }
        Leaf leaf = new Leaf(node);
        if (!path.isEmpty() && node.getTag().equals(Tag.NULL)) {
            return; // The API makes no difference between null and absent.
        }
        if (path.isEmpty()) {
            problems.add(at(leaf) + "is no object; expected kind " + KIND);
        } else if (leaves.put(path, leaf) != null) {
            warnings.add(at(leaf) + path + " is given twice; the last one counts");
        }
    }

    private void expect(String field, String value) {
        Leaf leaf = leaves.remove(field);
        if (leaf == null) {
            problems.add(source + ": " + field + " is missing; expected " + value);
        } else if (!leaf.text().equals(value)) {
            problems.add(at(leaf) + field + " is \"" + leaf.text() + "\"; expected " + value);
        }
    }

    private ProxyConfiguration configuration() {
        Settings defaults = Settings.nftablesDefaults();
        String mode = oneOf("mode", "", "iptables", "ipvs", "nftables");
        Settings.DetectLocal detector = detector();
        int bit = value("nftables.masqueradeBit", defaults.masqueradeBit(), this::masqueradeBit);
        boolean all = value("nftables.masqueradeAll", false, ConfigReader::flag);
        boolean external = value("featureGates.AllowServiceExternalIPs", true, ConfigReader::flag);
        List<Settings.NodePortRange> nodePorts = nodePorts();
        Settings settings =
                new Settings(
                        detector,
                        bit,
                        all ? Settings.MasqueradeScope.ALL : Settings.MasqueradeScope.NOT_FROM_PODS,
                        nodePorts.isEmpty() ? defaults.nodePortAddresses() : nodePorts,
                        defaults.clusterIpGuard(),
                        external ? Settings.ExternalIps.ALLOWED : Settings.ExternalIps.IGNORED,
                        List.of());
        check("bindAddress", IpAddress::parse);
        // Zero stands for the default there.
        check("configSyncPeriod", ConfigReader::period);
        Duration min = value("nftables.minSyncPeriod", Duration.ZERO, ConfigReader::period);
        Duration sync = value("nftables.syncPeriod", Duration.ZERO, ConfigReader::period);
        if (!sync.isZero() && min.compareTo(sync) > 0) {
            problems.add(
                    source
                            + ": nftables.minSyncPeriod is longer than nftables.syncPeriod; make it"
                            + " the shorter one");
        }
        return new ProxyConfiguration(
                mode,
                settings,
                min,
                sync,
                value("hostnameOverride", "", Function.identity()).strip().toLowerCase(Locale.ROOT),
                value("clientConnection.kubeconfig", "", Function.identity()));
    }

    private Settings.DetectLocal detector() {
        List<Cidr> ranges = value("clusterCIDR", List.of(), ConfigReader::ranges);
        Optional<Settings.DetectLocal> bridge =
                detector("detectLocal.bridgeInterface", Settings.DetectLocal.BridgeInterface::new);
        Optional<Settings.DetectLocal> prefix =
                detector(
                        "detectLocal.interfaceNamePrefix",
                        Settings.DetectLocal.InterfacePrefix::new);
        Settings.DetectLocal byRange = new Settings.DetectLocal.ClusterRanges(ranges);
        return switch (oneOf(
                "detectLocalMode",
                "",
                "ClusterCIDR",
                "NodeCIDR",
                "BridgeInterface",
                "InterfaceNamePrefix")) {
            case "NodeCIDR" -> new Settings.DetectLocal.NodeRanges();
            case "BridgeInterface" ->
                    bridge.orElseGet(
                            () ->
                                    missing(
                                            "detectLocal.bridgeInterface",
                                            "BridgeInterface",
                                            byRange));
            case "InterfaceNamePrefix" ->
                    prefix.orElseGet(
                            () ->
                                    missing(
                                            "detectLocal.interfaceNamePrefix",
                                            "InterfaceNamePrefix",
                                            byRange));
            default -> byRange;
        };
    }

    /// Empty when the field is not set, or wrong.
    private Optional<Settings.DetectLocal> detector(
            String field, Function<String, Settings.DetectLocal> parse) {
        return value(field, Optional.empty(), text -> Optional.of(parse.apply(text)));
    }

    private Settings.DetectLocal missing(
            String field, String mode, Settings.DetectLocal otherwise) {
        if (problems.stream().noneMatch(problem -> problem.contains(": " + field + ": "))) {
            problems.add(
                    source + ": " + field + " is empty; detectLocalMode " + mode + " needs it");
        }
        return otherwise;
    }

    /// Reads `one`, `one,other`: at most one range of each family, as kube-proxy takes them.
    ///
    /// @throws IllegalArgumentException when they are not; the message says why
    public static List<Cidr> ranges(String text) {
        List<Cidr> ranges = Stream.of(text.split(",")).map(String::strip).map(Cidr::parse).toList();
        if (ranges.size() > 2
                || ranges.size() == 2 && ranges.get(0).family() == ranges.get(1).family()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is more than one range of one family");
        }
        return ranges;
    }

    private List<Settings.NodePortRange> nodePorts() {
        refuseMembers("nodePortAddresses");
        Leaf leaf = leaves.remove("nodePortAddresses");
        List<Settings.NodePortRange> words = new ArrayList<>();
        if (leaf == null || !leaf.isSet()) {
            return words;
        }
        if (!(leaf.node() instanceof SequenceNode list)) {
            problems.add(
                    at(leaf) + "nodePortAddresses is " + leaf.kind() + " and should be a list");
            return words;
        }
        for (int i = 0; i < list.getValue().size(); i++) {
            Leaf item = new Leaf(list.getValue().get(i));
            try {
                words.add(
                        switch (item.text()) {
                            case "primary" -> new Settings.NodePortRange.Primary();
                            case "localhost" -> new Settings.NodePortRange.Localhost();
                            case "all" -> new Settings.NodePortRange.All();
                            default -> new Settings.NodePortRange.Range(Cidr.parse(item.text()));
                        });
            } catch (IllegalArgumentException e) {
                problems.add(
                        at(item)
                                + "nodePortAddresses["
                                + i
                                + "]: "
                                + e.getMessage()
                                + "; give a range, primary, localhost or all");
            }
        }
        return words;
    }

    private int masqueradeBit(String text) {
        int bit = Integer.parseInt(text);
        if (bit < 0 || bit > 31) {
            throw new IllegalArgumentException("\"" + text + "\" is not within 0..31");
        }
        return bit;
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new IllegalArgumentException(
                            "\"" + text + "\" is neither true nor false");
        };
    }

    private static Duration period(String text) {
        Duration period = GoDuration.parse(text);
        if (period.isNegative()) {
            throw new IllegalArgumentException("\"" + text + "\" is negative");
        }
        return period;
    }

    private String oneOf(String field, String... allowed) {
        return value(
                field,
                "",
                text -> {
                    if (!List.of(allowed).contains(text)) {
                        throw new IllegalArgumentException(
                                "\""
                                        + text
                                        + "\" is none of "
                                        + String.join(", ", allowed).substring(2));
                    }
                    return text;
                });
    }

    private <T> T value(String field, T otherwise, Function<String, T> parse) {
        refuseMembers(field);
        Leaf leaf = leaves.remove(field);
        if (leaf == null || isNothing(leaf)) {
            return otherwise;
        }
        if (!(leaf.node() instanceof ScalarNode scalar)) {
            problems.add(at(leaf) + field + " is " + leaf.kind() + " and should be a single value");
            return otherwise;
        }
        try {
            return parse.apply(scalar.getValue());
        } catch (NumberFormatException e) {
            problems.add(at(leaf) + field + ": \"" + scalar.getValue() + "\" is no number");
        } catch (IllegalArgumentException e) {
            problems.add(at(leaf) + field + ": " + e.getMessage());
        }
        return otherwise;
    }

    /// A field that has no fields below it was given some.
    private void refuseMembers(String field) {
        SortedMap<String, Leaf> members = leaves.subMap(field + ".", field + "/");
        if (!members.isEmpty()) {
            Leaf first = members.get(members.firstKey());
            problems.add(
                    source
                            + ":"
                            + (first == null ? 0 : first.line())
                            + ": "
                            + field
                            + " is an object and should not be one");
            members.clear();
        }
    }

    /// Checks a field of which nothing but a warning comes.
    private void check(String field, Function<String, ?> parse) {
        Leaf leaf = leaves.get(field);
        if (leaf == null) {
            refuseMembers(field);
            return;
        }
        int before = problems.size();
        value(field, "", text -> String.valueOf(parse.apply(text)));
        if (problems.size() == before) {
            leaves.put(field, leaf);
        }
    }

    private static boolean isNothing(Leaf leaf) {
        return leaf.text().isEmpty() || leaf.text().equals("null") || leaf.text().equals("~");
    }

    private void reportTheRest() {
        List<String> notUsed = new ArrayList<>();
        leaves.forEach(
                (path, leaf) -> {
                    if (SECTIONS.contains(path)) {
                        if (leaf.isSet()) {
                            problems.add(
                                    at(leaf)
                                            + path
                                            + " is "
                                            + leaf.kind()
                                            + " and should be an object");
                        }
                    } else if (!NOT_USED.contains(path.split("\\.", 2)[0])) {
                        warnings.add(at(leaf) + path + " is no field of " + KIND + "; ignored");
                    } else if (leaf.isSet()) {
                        notUsed.add(path);
                    }
                });
        if (!notUsed.isEmpty()) {
            warnings.add(source + ": accepted and not used yet: " + String.join(", ", notUsed));
        }
    }

    private String at(Leaf leaf) {
        return source + ":" + leaf.line() + ": ";
    }

    private static String firstLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
