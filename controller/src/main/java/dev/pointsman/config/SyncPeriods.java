package dev.pointsman.config;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// How often one mode writes.
///
/// @param min from one commit of changes to the next
/// @param sync from one complete comparison with the kernel to the next
record SyncPeriods(Duration min, Duration sync) {
    /// Changes at once; a comparison as often as `Pace` has it.
    static final SyncPeriods DEFAULTS = new SyncPeriods(Duration.ZERO, Duration.ofMinutes(10));

    // What kube-proxy has where the file says nothing: a file must be good for both.
    static final Duration UNSAID = Duration.ofSeconds(30);

    /// Those of `mode`; those of the others are only checked.
    static SyncPeriods read(Fields fields, String mode) {
        Map<String, SyncPeriods> all = new TreeMap<>();
        for (String section : new String[] {"iptables", "ipvs", "nftables"}) {
            all.put(section, section(fields, section));
        }
        return Objects.requireNonNullElse(all.get(mode), DEFAULTS);
    }

    private static SyncPeriods section(Fields fields, String section) {
        Duration min = fields.value(section + ".minSyncPeriod", DEFAULTS.min(), FieldType.PERIOD);
        String field = section + ".syncPeriod";
        boolean said = fields.gives(field);
        Duration sync =
                fields.value(
                        field,
                        DEFAULTS.sync(),
                        FieldType.PERIOD.withZero(Duration.ZERO, DEFAULTS.sync()));
        if (min.compareTo(said ? sync : UNSAID) > 0) {
            fields.problem(
                    section
                            + ".minSyncPeriod is longer than "
                            + field
                            + (said ? "" : ", which is 30s unless it is set")
                            + "; make it the shorter one");
        }
        return new SyncPeriods(min, sync);
    }
}
