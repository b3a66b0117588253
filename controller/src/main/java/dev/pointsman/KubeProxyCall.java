package dev.pointsman;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// A command line as kube-proxy takes it: no verb, and flags as Go's parsers read them.
final class KubeProxyCall {
    private static final String RUN = "run";

    // What Pointsman answers without a verb.
    private static final Set<String> OWN =
            Set.of("-h", "--help", "-V", "--version", "-v", "--verbose");

    private static final Pattern COUNT = Pattern.compile("\\d+");

    private KubeProxyCall() {}

    /// The command line with the verb that it means.
    static List<String> translated(List<String> arguments) {
        List<String> line = new ArrayList<>(spelt(arguments));
        boolean bare =
                line.stream()
                        .filter(word -> !OWN.contains(word))
                        .findFirst()
                        .orElse("")
                        .startsWith("-");
        if (bare) {
            line.addFirst(RUN);
        }
        return line.stream().findFirst().orElse("").equals(RUN) ? line : arguments;
    }

    /// The same with `-v 2` and `-v=2` as `--v=2`, and dashes for underscores in names.
    static List<String> spelt(List<String> arguments) {
        List<String> line = new ArrayList<>();
        for (String word : arguments) {
            if (!line.isEmpty() && line.getLast().equals("-v") && COUNT.matcher(word).matches()) {
                line.set(line.size() - 1, "--v=" + word);
            } else if (word.startsWith("-v=")) {
                line.add("-" + word);
            } else if (word.startsWith("--")) {
                String name = word.split("=", 2)[0];
                line.add(name.replace('_', '-') + word.substring(name.length()));
            } else {
                line.add(word);
            }
        }
        return line;
    }
}
