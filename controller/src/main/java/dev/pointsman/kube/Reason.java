package dev.pointsman.kube;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.util.zip.ZipException;

/// Why a source cannot be read, in words for people who have never seen Java.
final class Reason {
    private Reason() {}

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
