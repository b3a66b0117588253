package dev.pointsman;

/// `-o` of commands that print a script.
enum TextFormat {
    text,
    json
}
