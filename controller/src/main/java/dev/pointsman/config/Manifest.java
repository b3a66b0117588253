package dev.pointsman.config;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The command line of kube-proxy in the manifest of a Pod, or of what makes Pods.
public final class Manifest {
    private static final String[] POD = {"spec", "containers"};
    private static final String[] TEMPLATE = {"spec", "template", "spec", "containers"};
    private static final String NAME = "kube-proxy";

    // A shell takes these for the end of a command.
    private static final Set<String> ENDS = Set.of("|", "||", "&", "&&", ";", ">", ">>", "2>&1");

    private Manifest() {}

    /// What a file holds, for a conversion.
    public sealed interface Holding {
        /// A configuration, alone or in a ConfigMap.
        record Configuration() implements Holding {}

        /// Flags.
        record Arguments(List<String> arguments) implements Holding {
            public Arguments {
                arguments = List.copyOf(arguments);
            }
        }

        /// Nothing that is understood, and why.
        record Nothing(String why) implements Holding {}
    }

    /// What `text`, which came from `source`, holds.
    public static Holding of(String source, String text) {
        try {
            YamlDocument document =
                    YamlDocument.of(
                            new Leaf.Origin(source, 0),
                            ConfigReader.KIND + ", ConfigMap, DaemonSet or Pod",
                            text);
            return switch (document.kind()) {
                case ConfigReader.KIND, "ConfigMap" -> new Holding.Configuration();
                case "Pod" -> arguments(source, document.objects(POD));
                case "DaemonSet", "Deployment" -> arguments(source, document.objects(TEMPLATE));
                default ->
                        new Holding.Nothing(
                                source
                                        + ": kind is \""
                                        + document.kind()
                                        + "\"; give a KubeProxyConfiguration, a ConfigMap with one"
                                        + " in it, or the DaemonSet or Pod of kube-proxy");
            };
        } catch (YamlDocument.NoObject e) {
            return new Holding.Nothing(String.valueOf(e.getMessage()));
        }
    }

    private static Holding arguments(String source, List<YamlDocument> containers) {
        for (YamlDocument container : containers) {
            List<String> words =
                    Stream.of("command", "args")
                            .flatMap(part -> container.texts(part).stream())
                            .flatMap(Manifest::words)
                            .toList();
            List<String> flags =
                    words.stream()
                            .dropWhile(word -> !word.endsWith("/" + NAME) && !word.equals(NAME))
                            .skip(1)
                            .takeWhile(word -> !ENDS.contains(word))
                            .toList();
            if (!flags.isEmpty()) {
                return new Holding.Arguments(flags);
            }
            if (container.text("name").equals(NAME)
                    && words.stream().allMatch(word -> word.startsWith("-"))) {
                return new Holding.Arguments(words);
            }
        }
        return new Holding.Nothing(source + ": no container in it runs kube-proxy with flags");
    }

    /// A script for `sh -c` is one word with many in it; a flag is one word whatever is in it.
    private static Stream<String> words(String word) {
        return word.startsWith("-")
                ? Stream.of(word)
                : Stream.of(word.strip().split("\\s+"))
                        .map(w -> w.endsWith(";") ? w.substring(0, w.length() - 1) : w);
    }
}
