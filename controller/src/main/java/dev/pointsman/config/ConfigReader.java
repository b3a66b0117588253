package dev.pointsman.config;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/// Reads a `kubeproxy.config.k8s.io/v1alpha1` KubeProxyConfiguration, YAML or JSON. Reports every
/// problem and not only the first; a field that it does not know is worth a warning, as kube-proxy
/// has it for this version of the API.
public final class ConfigReader {
    private static final String API_VERSION = "kubeproxy.config.k8s.io/v1alpha1";
    private static final String KIND = "KubeProxyConfiguration";
    private static final Cidr EVERY_IPV4 = Cidr.parse("0.0.0.0/0");
    private static final Cidr EVERY_IPV6 = Cidr.parse("::/0");
    private static final Cidr IPV4_LOOPBACK = Cidr.parse("127.0.0.0/8");
    private static final Cidr IPV6_LOOPBACK = Cidr.parse("::1/128");

    private static final String NO_LOOPBACK =
            "in mode ipvs node ports do not answer on loopback addresses: dial another address of"
                    + " the node";

    // What kube-proxy has and nothing here depends on. A name covers all fields below it.
    private static final Set<String> NOT_USED =
            Set.of(
                    "clientConnection",
                    "configSyncPeriod",
                    "conntrack",
                    "featureGates",
                    "logging",
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

    private record Masquerade(int bit, Settings.MasqueradeScope scope) {}

    private record Periods(Duration min, Duration sync) {}

    private final Fields fields;

    private ConfigReader(Fields fields) {
        this.fields = fields;
    }

    /// Reads `file`.
    ///
    /// @param mode goes before the one that the file names; empty for none
    /// @param unnamed the mode where neither is there
    public static ConfigReading read(Path file, String mode, String unnamed) {
        try {
            return read(
                    file.toString(), Files.readString(file, StandardCharsets.UTF_8), mode, unnamed);
        } catch (IOException e) {
            return new ConfigReading.Invalid(
                    List.of(
                            file
                                    + ": cannot be read: "
                                    + Unreadable.why(file, e)
                                    + "; give --config FILE"));
        }
    }

    /// Reads `text`, which came from `source`, for the mode `asked`, or if that is empty the one
    /// that it names, or `unnamed`.
    static ConfigReading read(String source, String text, String asked, String unnamed) {
        Fields fields = Fields.of(source, KIND, text);
        if (!fields.problems().isEmpty()) {
            return new ConfigReading.Invalid(fields.problems());
        }
        fields.expect("apiVersion", API_VERSION);
        fields.expect("kind", KIND);
        ProxyConfiguration configuration = new ConfigReader(fields).configuration(asked, unnamed);
        fields.reportTheRest(SECTIONS, NOT_USED);
        return fields.problems().isEmpty()
                ? new ConfigReading.Read(configuration, fields.warnings())
                : new ConfigReading.Invalid(fields.problems());
    }

    private ProxyConfiguration configuration(String asked, String unnamed) {
        String named = fields.oneOf("mode", "", "iptables", "ipvs", "nftables");
        String mode = !asked.isEmpty() ? asked : named.isEmpty() ? unnamed : named;
        Periods periods = periods(mode);
        // Zero stands for the default there.
        fields.check("configSyncPeriod", ConfigReader::period);
        return new ProxyConfiguration(
                mode,
                settings(mode),
                periods.min(),
                periods.sync(),
                fields.value("hostnameOverride", "", Function.identity())
                        .strip()
                        .toLowerCase(Locale.ROOT),
                fields.value("clientConnection.kubeconfig", "", Function.identity()),
                serving());
    }

    private Serving serving() {
        String bindAddress =
                fields.value("bindAddress", "0.0.0.0", text -> IpAddress.parse(text).toString());
        return new Serving(
                address(
                        "healthzBindAddress",
                        Serving.defaultHealthz(bindAddress),
                        Serving.HEALTHZ_PORT),
                address(
                        "metricsBindAddress",
                        Serving.defaultMetrics(bindAddress),
                        Serving.METRICS_PORT),
                fields.value("bindAddressHardFail", false, ConfigReader::flag)
                        ? Serving.WhenTaken.EXIT
                        : Serving.WhenTaken.TRY_AGAIN,
                fields.value("enableProfiling", false, ConfigReader::flag)
                        ? Serving.DebugPages.WITH_METRICS
                        : Serving.DebugPages.ON_LOOPBACK);
    }

    /// Empty stands for the default there.
    private BindAddress address(String field, BindAddress otherwise, int port) {
        return fields.value(
                field,
                otherwise,
                text -> text.isEmpty() ? otherwise : BindAddress.parse(text, port));
    }

    private Settings settings(String mode) {
        Settings defaults = ProxyConfiguration.defaultSettings(mode);
        Masquerade masquerade = masquerade(mode, defaults);
        Settings.ExternalIps external =
                fields.value("featureGates.AllowServiceExternalIPs", true, ConfigReader::flag)
                        ? Settings.ExternalIps.ALLOWED
                        : Settings.ExternalIps.IGNORED;
        return new Settings(
                detector(),
                masquerade.bit(),
                masquerade.scope(),
                nodePorts(mode, defaults),
                defaults.clusterIpGuard(),
                external,
                List.of(),
                ipvs(mode));
    }

    /// Other modes only check it.
    private IpvsSettings ipvs(String mode) {
        IpvsSettings read = ipvs();
        return mode.equals("ipvs") ? read : IpvsSettings.DEFAULTS;
    }

    private IpvsSettings ipvs() {
        return new IpvsSettings(
                fields.value(
                        "ipvs.scheduler",
                        IpvsSettings.DEFAULTS.scheduler(),
                        text ->
                                text.isEmpty()
                                        ? IpvsSettings.DEFAULTS.scheduler()
                                        : IpvsSettings.schedulerName(text)),
                new TreeSet<>(fields.list("ipvs.excludeCIDRs", Cidr::parse, "a range")),
                fields.value("ipvs.strictARP", false, ConfigReader::flag)
                        ? IpvsSettings.Arp.STRICT
                        : IpvsSettings.Arp.AS_FOUND,
                new IpvsSettings.Timeouts(
                        timeout("ipvs.tcpTimeout"),
                        timeout("ipvs.tcpFinTimeout"),
                        timeout("ipvs.udpTimeout")));
    }

    /// In seconds, as IPVS counts.
    private int timeout(String field) {
        return fields.value(field, 0, ConfigReader::seconds);
    }

    private static int seconds(String text) {
        long seconds = period(text).toSeconds();
        if (seconds > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("\"" + text + "\" is longer than IPVS can count");
        }
        return (int) seconds;
    }

    /// The two sections are both checked; IPVS mode has its bit from the one for iptables
    /// (behaviour document 7.1).
    private Masquerade masquerade(String mode, Settings defaults) {
        Masquerade nftables = masqueradeIn("nftables", defaults);
        Masquerade iptables = masqueradeIn("iptables", defaults);
        return mode.equals("nftables") ? nftables : iptables;
    }

    private Masquerade masqueradeIn(String section, Settings defaults) {
        int bit =
                fields.value(
                        section + ".masqueradeBit",
                        defaults.masqueradeBit(),
                        ConfigReader::masqueradeBit);
        return new Masquerade(
                bit,
                fields.value(section + ".masqueradeAll", false, ConfigReader::flag)
                        ? Settings.MasqueradeScope.ALL
                        : Settings.MasqueradeScope.NOT_FROM_PODS);
    }

    /// Those of the mode; those of the others are only checked.
    private Periods periods(String mode) {
        Map<String, Periods> all = new HashMap<>();
        for (String section : List.of("iptables", "ipvs", "nftables")) {
            Duration min =
                    fields.value(section + ".minSyncPeriod", Duration.ZERO, ConfigReader::period);
            Duration sync =
                    fields.value(section + ".syncPeriod", Duration.ZERO, ConfigReader::period);
            if (!sync.isZero() && min.compareTo(sync) > 0) {
                fields.problem(
                        section
                                + ".minSyncPeriod is longer than "
                                + section
                                + ".syncPeriod; make it the shorter one");
            }
            all.put(section, new Periods(min, sync));
        }
        return all.getOrDefault(mode, new Periods(Duration.ZERO, Duration.ZERO));
    }

    private Settings.DetectLocal detector() {
        List<Cidr> ranges = fields.value("clusterCIDR", List.of(), ConfigReader::ranges);
        Optional<Settings.DetectLocal> bridge =
                detector("detectLocal.bridgeInterface", Settings.DetectLocal.BridgeInterface::new);
        Optional<Settings.DetectLocal> prefix =
                detector(
                        "detectLocal.interfaceNamePrefix",
                        Settings.DetectLocal.InterfacePrefix::new);
        Settings.DetectLocal byRange = new Settings.DetectLocal.ClusterRanges(ranges);
        return switch (fields.oneOf(
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
        return fields.value(field, Optional.empty(), text -> Optional.of(parse.apply(text)));
    }

    private Settings.DetectLocal missing(
            String field, String mode, Settings.DetectLocal otherwise) {
        if (fields.problems().stream()
                .noneMatch(problem -> problem.contains(": " + field + ": "))) {
            fields.problem(field + " is empty; detectLocalMode " + mode + " needs it");
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

    private List<Settings.NodePortRange> nodePorts(String mode, Settings defaults) {
        Optional<Boolean> asked =
                fields.value(
                        "iptables.localhostNodePorts",
                        Optional.empty(),
                        text -> Optional.of(flag(text)));
        boolean localhost = asked.orElse(true);
        List<Settings.NodePortRange> given =
                fields.list(
                        "nodePortAddresses",
                        ConfigReader::nodePortRange,
                        "a range, primary, localhost or all");
        if (mode.equals("ipvs")) {
            if (asked.orElse(false)) {
                fields.warning("iptables.localhostNodePorts is true; " + NO_LOOPBACK);
            }
            given.stream()
                    .filter(ConfigReader::isLoopback)
                    .findFirst()
                    .ifPresent(
                            _ -> fields.warning("nodePortAddresses has loopback; " + NO_LOOPBACK));
        }
        boolean canAnswer = mode.equals("iptables") && localhost;
        return loopbackDecided(
                given.isEmpty()
                        ? defaults.nodePortAddresses()
                        : canAnswer ? ofBothFamilies(given) : given,
                canAnswer);
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

    private static int masqueradeBit(String text) {
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
}
