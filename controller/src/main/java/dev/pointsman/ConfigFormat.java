package dev.pointsman;

/// How configurations are printed.
enum ConfigFormat {
    yaml,
    json
}
