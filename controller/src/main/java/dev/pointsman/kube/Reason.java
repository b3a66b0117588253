package dev.pointsman.kube;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import tools.jackson.core.JacksonException;

/// Why a source cannot be read, in words for people who have never seen Java.
final class Reason {
    // What Jackson adds for programmers: where its settings are, and where an object began.
    private static final Pattern PARSER_TALK =
            Pattern.compile(" \\(start marker at \\[.*?\\]\\)|, from `[^`]*`", Pattern.DOTALL);

    private Reason() {}

    static String of(JacksonException e) {
        return PARSER_TALK.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
    }

    static String of(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemLoopException _ -> "its folders contain one another";
            case EOFException _ -> "it is cut off";
            case ZipException _ -> "what is packed in it is damaged";
            default -> e.getMessage() == null ? "reading failed" : e.getMessage();
        };
    }
}
