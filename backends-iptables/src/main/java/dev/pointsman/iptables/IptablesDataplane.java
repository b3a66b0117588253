package dev.pointsman.iptables;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Settings;
import dev.pointsman.netlink.NftOwnCommits;

/// Service rules as KUBE chains of one family in the network namespace of the thread that uses it.
final class IptablesDataplane implements Dataplane {
    private final Family family;
    private final KubeChains chains;

    /// @param commits those of this process in the network namespace
    IptablesDataplane(Family family, IptablesMode.Choice choice, NftOwnCommits commits) {
        this.family = family;
        chains = new KubeChains(family, choice, commits);
    }

    @Override
    public void prepare(Settings settings) {
        switch (NodeRules.loopback(family, settings)) {
            case ANSWERS -> Host.routeLoopback();
            case SILENT -> {}
        }
    }

    @Override
    public Transaction render(RuleGraph from, Delta delta) {
        return Renderer.render(from, delta, chains.capabilities());
    }

    @Override
    public Commit commit(Transaction transaction) {
        if (!(transaction instanceof IptablesTransaction(var target, var restores))
                || target.family() != family) {
            throw new IllegalArgumentException(
                    "a transaction of another dataplane: " + transaction.getClass());
        }
        routeLoopback(target);
        return chains.commit(
                restores,
                switch (target.node()) {
                    case NodeRules.None _ -> KubeChains.Wanted.NO_CHAINS;
                    case NodeRules.Programmed _ -> KubeChains.Wanted.CHAINS;
                });
    }

    private void routeLoopback(RuleGraph target) {
        if (target.node() instanceof NodeRules.Programmed rules
                && new NodePart(family, rules, chains.host().capabilities()).loopbackAnswers()) {
            Host.routeLoopback();
        }
    }

    @Override
    public Transaction repair(RuleGraph desired) {
        // What is in place needs no commit, and somebody may have set it back.
        routeLoopback(desired);
        Capabilities capabilities = chains.host().capabilities();
        return new IptablesTransaction(desired, chains.repair(Compiler.all(desired, capabilities)));
    }

    @Override
    public Condition condition() {
        return chains.condition();
    }

    /// The variant that is used here.
    Variant variant() {
        return chains.variant();
    }

    @Override
    public void close() {}
}
