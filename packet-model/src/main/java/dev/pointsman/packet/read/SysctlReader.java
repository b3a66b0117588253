package dev.pointsman.packet.read;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.SortedMap;
import java.util.TreeMap;

/// Reads what `sysctl -a` prints: `name = value`, one line each.
public final class SysctlReader {
    private SysctlReader() {}

    /// The settings of a node.
    ///
    /// @throws SyntaxException for a line that is none of sysctl's
    /// @throws UncheckedIOException when `text` cannot be read
    public static Sysctls read(Reader text) {
        SortedMap<String, String> values = new TreeMap<>();
        try (BufferedReader lines = new BufferedReader(text)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank() && !isComplaint(line)) {
                    setting(number, line, values);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Sysctls(values);
    }

    public static Sysctls read(String text) {
        return read(new StringReader(text));
    }

    /// What sysctl says of settings that it may not read.
    private static boolean isComplaint(String line) {
        return line.startsWith("sysctl: ");
    }

    private static void setting(int number, String line, SortedMap<String, String> values) {
        int sign = line.indexOf('=');
        String name = sign < 0 ? line.strip() : line.substring(0, sign).strip();
        int space = name.indexOf(' ');
        if (sign < 0 || space >= 0 || name.isEmpty()) {
            int column = space >= 0 ? line.indexOf(name) + space + 2 : Math.max(1, name.length());
            throw new SyntaxException(number, column, "expected NAME = VALUE, found " + line);
        }
        values.put(name, line.substring(sign + 1).strip());
    }
}
