package dev.pointsman.serve;

import java.util.SortedMap;
import java.util.function.Supplier;

/// What runs, as its pages say it.
///
/// @param version of Pointsman
/// @param runtime version of Java
/// @param configuration in force, as JSON
/// @param flags kube-proxy's, with the values in force
public record Program(
        String version,
        String runtime,
        Supplier<String> configuration,
        Supplier<SortedMap<String, String>> flags) {}
