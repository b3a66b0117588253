package dev.pointsman.nftables;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.netlink.NftAnswer;
import java.util.SortedSet;
import java.util.TreeSet;

/// What the kernel refused, in nft's words, and whose it was.
final class Refusal {
    private Refusal() {}

    /// The subjects of our batches are their operations.
    static Commit.Refused of(NftAnswer.Refused refused, Family family) {
        SortedSet<ServiceName> services = new TreeSet<>();
        String what = refused.operation();
        boolean deserved = isOfOperation(refused.errnoName());
        for (Object each : refused.subjects()) {
            if (each instanceof Operation operation) {
                if (deserved && operation.subject() instanceof Subject.Port(var name)) {
                    services.add(name.service());
                }
                if (refused.exact()) {
                    what = Script.text(operation, family);
                }
            }
        }
        StringBuilder why = new StringBuilder(refused.errnoName());
        if (!refused.kernelText().isEmpty()) {
            why.append(" (").append(refused.kernelText()).append(")");
        }
        String advice = advice(refused.errnoName());
        if (!advice.isEmpty()) {
            why.append(": ").append(advice);
        }
        return new Commit.Refused(what, why.toString(), services);
    }

    /// Whether a refusal tells something of what was asked for. A Service that happens to be the
    /// one for which the machine lacks memory keeps the rules that it has.
    private static boolean isOfOperation(String errno) {
        return switch (errno) {
            case "EPERM", "EINTR", "EAGAIN", "ENOMEM", "ENOBUFS" -> false;
            default -> true;
        };
    }

    private static String advice(String errno) {
        return switch (errno) {
            case "EEXIST" ->
                    "table "
                            + NftablesDataplane.TABLE
                            + " holds something else there, which is not ours;"
                            + " a repair replaces it";
            case "ENOENT" ->
                    "somebody removed what it refers to, which a repair restores, or the kernel"
                            + " lacks a module (nft_numgen, nft_fib, nft_nat, nft_masq, nft_reject)";
            case "EBUSY" -> "something that is not ours still refers to it; a repair removes that";
            case "EOPNOTSUPP", "EINVAL" ->
                    "the kernel does not know it; Linux 5.13 or later is needed";
            case "ENOMEM", "ENOBUFS", "ENFILE", "ENOSPC" -> "the kernel has no room for it";
            default -> "";
        };
    }
}
