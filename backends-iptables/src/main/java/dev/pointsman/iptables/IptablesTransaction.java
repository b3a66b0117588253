package dev.pointsman.iptables;

import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.RuleGraph;
import java.io.IOException;
import java.util.List;

/// Restores that are run one after the other: chains that nothing leads to yet, then what makes
/// them live and all that changes.
record IptablesTransaction(RuleGraph target, List<Restore> restores) implements Transaction {
    IptablesTransaction {
        restores = restores.stream().filter(restore -> !restore.isEmpty()).toList();
    }

    @Override
    public Size size() {
        return new Size(restores.stream().mapToInt(Restore::size).sum(), 0);
    }

    @Override
    public void print(Appendable out) throws IOException {
        for (Restore restore : restores) {
            restore.print(out);
        }
    }
}
