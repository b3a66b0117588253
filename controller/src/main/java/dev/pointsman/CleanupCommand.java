package dev.pointsman;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.RuleGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `pointsman cleanup`.
@Command(
        name = "cleanup",
        description =
                "Removes the rules that Pointsman wrote into the kernel of this network namespace,"
                        + " and nothing else.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing of Pointsman is left, or nothing was there",
            "2:bad usage",
            "3:the kernel cannot be reached or refused",
        })
final class CleanupCommand implements Callable<Integer> {
    private static final String ALL = "all";

    private final Surroundings around;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            defaultValue = ALL,
            description = "Whose rules: a mode, or ${DEFAULT-VALUE} (the default).")
    String mode = ALL;

    CleanupCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        List<String> failures = new ArrayList<>();
        for (Mode each : modes()) {
            for (Family family : Family.values()) {
                try (Dataplane dataplane = each.dataplane(family)) {
                    cleanUp(
                            each.name() + " " + family.title(),
                            dataplane,
                            RuleGraph.nothing(family),
                            failures);
                } catch (DataplaneUnavailable e) {
                    failures.add(each.name() + " " + family.title() + ": " + e.getMessage());
                }
            }
        }
        if (!failures.isEmpty()) {
            throw new Complaint(Exit.UNREACHABLE, failures);
        }
        return Exit.OK;
    }

    private void cleanUp(
            String what, Dataplane dataplane, RuleGraph nothing, List<String> failures) {
        Transaction transaction = dataplane.repair(nothing);
        if (transaction.size().isEmpty()) {
            around.out().println(what + ": nothing was there");
            return;
        }
        switch (dataplane.commit(transaction)) {
            case Commit.Applied _ -> around.out().println(what + ": removed");
            case Commit.Busy(var who) ->
                    failures.add(what + ": nothing was removed, busy: " + who + "; try again");
            case Commit.Refused(var object, var why, _) ->
                    failures.add(
                            what
                                    + ": nothing was removed, the kernel refused "
                                    + object
                                    + ": "
                                    + why);
            case Commit.Torn(var applied, var refused) ->
                    failures.add(
                            what
                                    + ": only a part was removed ("
                                    + applied
                                    + "), the kernel refused "
                                    + refused.what()
                                    + ": "
                                    + refused.why());
        }
    }

    private List<Mode> modes() {
        List<Mode> available = RuleOptions.sorted(around.modes().get());
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
