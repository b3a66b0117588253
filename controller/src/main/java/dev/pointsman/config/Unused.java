package dev.pointsman.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Fields that are read, checked and shown, and of which nothing comes here.
final class Unused {
    private static final Duration CONFIG_SYNC_PERIOD = Duration.ofMinutes(15);

    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+");

    private static final Pattern PORT_RANGE =
            Pattern.compile("(?<first>\\d{1,5})((?<sign>[-+])(?<second>\\d{1,5}))?");

    // A name covers all fields below it.
    private static final List<String> NAMES =
            List.of(
                    "clientConnection.acceptContentTypes",
                    "clientConnection.contentType",
                    "configSyncPeriod",
                    "logging.flushFrequency",
                    "logging.options",
                    "logging.vmodule",
                    "portRange",
                    "showHiddenMetricsForVersion",
                    "windowsRunAsService",
                    "winkernel");

    /// Limits of requests, which the way that the API server is read makes moot.
    private static final List<String> LIMITS =
            List.of("clientConnection.burst", "clientConnection.qps");

    private Unused() {}

    /// Reads those that no section has.
    static void read(Fields fields) {
        fields.value(
                "configSyncPeriod",
                CONFIG_SYNC_PERIOD,
                FieldType.PERIOD.withZero(Duration.ZERO, CONFIG_SYNC_PERIOD));
        fields.value("portRange", "", FieldType.text(Unused::portRange));
        fields.value("showHiddenMetricsForVersion", "", FieldType.text(Unused::version));
        fields.value("windowsRunAsService", false, FieldType.SWITCH);
        fields.value("winkernel.enableDSR", false, FieldType.SWITCH);
        fields.value("winkernel.forwardHealthCheckVip", false, FieldType.SWITCH);
        for (String name : new String[] {"networkName", "rootHnsEndpointName", "sourceVip"}) {
            fields.value("winkernel." + name, "", FieldType.TEXT);
        }
    }

    /// Says once which fields, and which of `flags`, ask for what is not there.
    static void report(Fields fields, List<String> flags) {
        List<String> asked = new ArrayList<>();
        for (String field : fields.differing()) {
            if (NAMES.stream().anyMatch(n -> field.equals(n) || field.startsWith(n + "."))) {
                asked.add(field);
            }
        }
        asked.addAll(flags);
        if (!asked.isEmpty()) {
            fields.warning("accepted and not used: " + String.join(", ", asked));
        }
        if (fields.differing().stream().anyMatch(LIMITS::contains)) {
            fields.warning(
                    String.join(" and ", LIMITS)
                            + " have no effect: each of the four kinds of object is read by one"
                            + " request after the other, page by page, and after a failure with a"
                            + " pause that grows to 30 s; a limit would only put off the start");
        }
    }

    private static String version(String text) {
        if (!VERSION.matcher(text).matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is no version such as 1.36");
        }
        return text;
    }

    /// `first-last`, `first+count` or one port.
    private static String portRange(String text) {
        Matcher range = PORT_RANGE.matcher(text);
        if (range.matches()) {
            int first = Integer.parseInt(range.group("first"));
            int last =
                    range.group("sign") == null
                            ? first
                            : Integer.parseInt(range.group("second"))
                                    + (range.group("sign").equals("+") ? first : 0);
            if (first <= last && last <= 65535) {
                return text;
            }
        }
        throw new IllegalArgumentException(
                "\"" + text + "\" is no range of ports such as 30000-32767");
    }
}
