package dev.pointsman.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.Generated;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// `docs/configuration-fields.md` has every field, with what the program is seen to do with it:
/// each one is given another value, in every mode, and what becomes different is written down.
final class ConfigurationReferenceTest {
    private static final Path FILE = Path.of("../docs/configuration-fields.md");
    private static final List<String> MODES = List.of("nftables", "iptables", "ipvs");
    private static final String HEAD =
            """
            # Fields of a KubeProxyConfiguration

            As a test of the program writes it down (`ConfigurationReferenceTest`, `-Dgolden=update`). What they mean here: [configuration](configuration.md).

            - *default*: what counts where the field is not given. A default of kube-proxy that is another one is named in [configuration](configuration.md#what-counts).
            - *in mode*: where another value makes a difference; – where it makes none, in any mode.
            - *changed while it runs*: taken over at once, or with the restart that Pointsman asks for by exit code 75.

            | field | default | flag | in mode | changed while it runs |
            |---|---|---|---|---|
            """;

    /// Other values where the kind of the default does not tell one.
    private static final Map<String, String> OTHERS =
            Map.ofEntries(
                    Map.entry("bindAddress", "192.0.2.1"),
                    Map.entry("clusterCIDR", "10.9.0.0/16"),
                    Map.entry("detectLocalMode", "NodeCIDR"),
                    Map.entry("healthzBindAddress", "192.0.2.1:1024"),
                    Map.entry("logging.format", "json"),
                    Map.entry("metricsBindAddress", "192.0.2.1:1025"),
                    Map.entry("portRange", "30000-32767"),
                    Map.entry("showHiddenMetricsForVersion", "1.36"));

    /// Some fields count beside a certain value of another one.
    private static final List<Map<String, Value>> COMPANIONS =
            List.of(
                    Map.of(),
                    Map.of(
                            "detectLocalMode", new Value.Text("BridgeInterface"),
                            "detectLocal.bridgeInterface", new Value.Text("br0")),
                    Map.of(
                            "detectLocalMode", new Value.Text("InterfaceNamePrefix"),
                            "detectLocal.interfaceNamePrefix", new Value.Text("veth")));

    private enum Uptake {
        AT_ONCE("at once"),
        RESTART("restart");

        private final String words;

        Uptake(String words) {
            this.words = words;
        }
    }

    @Test
    void every_field_is_listed() throws Exception {
        SortedMap<String, Value> fields = read(Map.of(), "nftables").effective().values();
        StringBuilder text = new StringBuilder(HEAD);
        fields.forEach((field, value) -> text.append(row(field, value)));
        Generated.check(FILE, text.toString());
    }

    private static String row(String field, Value value) {
        List<String> modes = new ArrayList<>();
        Set<Uptake> uptakes = EnumSet.noneOf(Uptake.class);
        for (String mode : MODES) {
            Set<Uptake> found = uptakes(field, value, mode);
            if (!found.isEmpty()) {
                modes.add(mode);
            }
            uptakes.addAll(found);
        }
        return "| `%s` | %s | %s | %s | %s |\n"
                .formatted(
                        field,
                        code(value.printed()),
                        Flag.ALL.stream()
                                .filter(flag -> flag.fields().contains(field))
                                .map(flag -> "`--" + flag.name() + "`")
                                .collect(Collectors.joining(", ")),
                        modes.isEmpty()
                                ? "–"
                                : modes.equals(MODES) ? "every" : String.join(", ", modes),
                        uptakes.stream().map(each -> each.words).collect(Collectors.joining(", ")));
    }

    private static String code(String words) {
        return words.isEmpty() || words.equals("[]") ? "" : "`" + words + "`";
    }

    /// How another value is taken up, wherever it makes a difference.
    private static Set<Uptake> uptakes(String field, Value value, String mode) {
        Set<Uptake> uptakes = EnumSet.noneOf(Uptake.class);
        for (Map<String, Value> companions : COMPANIONS) {
            Map<String, Value> given = new TreeMap<>(companions);
            ProxyConfiguration before = read(given, mode).configuration();
            String unlike = field.equals("mode") && mode.equals("ipvs") ? "iptables" : "ipvs";
            given.put(field, field.equals("mode") ? new Value.Text(unlike) : other(field, value));
            ProxyConfiguration after = read(given, mode).configuration();
            if (!after.equals(before)) {
                uptakes.add(
                        after.equals(before.withRulesOf(after)) ? Uptake.AT_ONCE : Uptake.RESTART);
            }
        }
        return uptakes;
    }

    private static Value other(String field, Value value) {
        if (OTHERS.containsKey(field)) {
            return new Value.Text(String.valueOf(OTHERS.get(field)));
        }
        return switch (value) {
            case Value.Truth(boolean truth) -> new Value.Truth(!truth);
            case Value.Count(long count) -> new Value.Count(count == 0 ? 1 : count - 1);
            case Value.Rate(var rate) -> new Value.Rate(rate.add(rate));
            case Value.Words _ -> new Value.Words(List.of("192.0.2.0/24"));
            case Value.Text(var text) when text.matches("[0-9hms.]+s") -> new Value.Text("7s");
            case Value.Text(var text) -> new Value.Text(text + "x");
            case Value.Section _ -> throw new AssertionError(field + " is a section");
        };
    }

    private static ConfigReading.Read read(Map<String, Value> given, String mode) {
        SortedMap<String, Value> fields = new TreeMap<>(given);
        fields.put("apiVersion", new Value.Text(ConfigReader.API_VERSION));
        fields.put("kind", new Value.Text(ConfigReader.KIND));
        String text = ConfigYaml.of(Value.tree(fields));
        ConfigReading reading =
                ConfigReader.read("config", text, List.of(), new ModeChoice("", mode));
        assertThat(reading).as(text).isInstanceOf(ConfigReading.Read.class);
        return (ConfigReading.Read) reading;
    }
}
