package dev.pointsman.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Why a file that an option names cannot be read, in words for people who have never seen Java.
public final class Unreadable {
    private Unreadable() {}

    /// What stopped reading `file` with `e`.
    public static String why(Path file, IOException e) {
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
}
