package dev.pointsman;

import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.dataplane.Mode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `pointsman cleanup`.
@Command(
        name = "cleanup",
        description = {
            "Removes the rules that Pointsman wrote into the kernel of this network namespace,"
                    + " and nothing else.",
            "With --kube-proxy it also removes what kube-proxy left: chains and jumps of iptables"
                    + " in both its variants, ipsets, kube-ipvs0 with the virtual servers on its"
                    + " addresses, and the nft tables kube-proxy. Stop kube-proxy first: while it"
                    + " runs, it writes its rules again. kubelet's chains, KUBE-FIREWALL among"
                    + " them, stay, and so do all other virtual servers."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything that was to go is gone, or was never there; with --dry-run: is listed",
            "2:bad usage",
            "3:the kernel cannot be reached or refused something, which is named; all else is gone",
        })
final class CleanupCommand implements Callable<Integer> {
    private static final String ALL = "all";

    private final Surroundings around;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            defaultValue = ALL,
            description =
                    "Whose rules: a mode, or ${DEFAULT-VALUE} (the default). ipvs includes the"
                            + " chains of iptables, which refer to its ipsets.")
    String mode = ALL;

    @Option(names = "--kube-proxy", description = "Remove what kube-proxy left as well.")
    boolean kubeProxy;

    @Option(names = "--dry-run", description = "List what would go, and write nothing.")
    boolean dryRun;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
    TextFormat output = TextFormat.text;

    CleanupCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        List<Mode> available = RuleOptions.sorted(around.modes().get());
        CleanupReport report =
                new Clearing(available, (_, maker) -> isToGo(maker), dryRun).of(asked(available));
        switch (output) {
            case text -> report.print(dryRun, around.out());
            case json -> report.json(dryRun).print(around.out());
        }
        report.remarks().forEach(around.err()::println);
        if (!report.failures().isEmpty()) {
            throw new Complaint(Exit.UNREACHABLE, report.failures());
        }
        return Exit.OK;
    }

    private boolean isToGo(Leftovers.Maker maker) {
        return switch (maker) {
            case POINTSMAN -> true;
            case KUBE_PROXY, EITHER -> kubeProxy;
        };
    }

    private List<Mode> asked(List<Mode> available) {
        if (mode.equals(ALL)) {
            return available;
        }
        List<Mode> named = available.stream().filter(m -> m.name().equals(mode)).toList();
        if (named.isEmpty()) {
            throw Complaint.ofInput(
                    "--mode: this Pointsman has no mode \""
                            + mode
                            + "\"; give all or one of "
                            + String.join(", ", available.stream().map(Mode::name).toList()));
        }
        return named;
    }
}
