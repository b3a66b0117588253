package dev.pointsman.perf.bench;

import java.nio.file.Path;
import java.util.List;

/// A program that is measured.
///
/// @param name for tables
/// @param command starts it; the option that names its configuration follows
record Proxy(String name, List<String> command) {
    /// The name of ours.
    static final String POINTSMAN = "pointsman";

    static final String KUBE_PROXY = "kube-proxy";

    Proxy {
        command = List.copyOf(command);
    }

    /// @param launcher of a source tree or a distribution
    static Proxy pointsman(Path launcher) {
        return new Proxy(POINTSMAN, List.of(launcher.toString(), "run"));
    }

    static Proxy kubeProxy(Path program) {
        return new Proxy(KUBE_PROXY, List.of(program.toString()));
    }
}
