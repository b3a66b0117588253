package dev.pointsman;

/// `-o` of commands that list.
enum TableFormat {
    table,
    json
}
