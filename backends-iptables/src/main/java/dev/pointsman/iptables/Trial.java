package dev.pointsman.iptables;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Tries rules out in a chain of our own that nothing leads to.
final class Trial {
    private static final Subject NODE = new Subject.Node();

    private final Tool tool;

    Trial(Tool tool) {
        this.tool = tool;
    }

    /// Whether programs and kernel can do it: a rule that stands is proof, so that a restart writes
    /// nothing. When nobody can be asked it is taken for granted, and the commit will tell.
    Capabilities.RandomFully randomFully() {
        Target target = new Target.Masquerade(Capabilities.RandomFully.AVAILABLE);
        return stands(target) || accepts(Table.NAT, List.of(Rule.of(target)))
                ? Capabilities.RandomFully.AVAILABLE
                : Capabilities.RandomFully.MISSING;
    }

    private boolean stands(Target target) {
        return tool.list(Table.NAT, ChainNames.POSTROUTING)
                .output()
                .lines()
                .anyMatch(line -> line.endsWith(target.text()));
    }

    /// The first rule of `restore` that the kernel refuses, found by halving; none when it takes
    /// all of them one by one. Jumps are taken for granted, since their chains may not be there
    /// yet.
    List<Line> culprit(Restore restore) {
        for (Map.Entry<Table, Restore.Part> entry : restore.parts().entrySet()) {
            List<Rule> rules = new ArrayList<>();
            List<Line> lines = new ArrayList<>();
            for (Chain chain : entry.getValue().filled()) {
                for (Rule rule : chain.rules()) {
                    lines.add(new Line("-A " + chain.name() + " " + rule.text(), chain.subject()));
                    rules.add(
                            rule.target() instanceof Target.Jump
                                    ? new Rule(rule.matches(), new Target.Return())
                                    : rule);
                }
            }
            if (accepts(entry.getKey(), rules)) {
                continue;
            }
            int good = 0;
            int bad = rules.size();
            while (bad - good > 1) {
                int middle = (good + bad) / 2;
                if (accepts(entry.getKey(), rules.subList(good, middle))) {
                    good = middle;
                } else {
                    bad = middle;
                }
            }
            // One that goes in by itself is not to blame: the machine may have been short of
            // memory.
            return accepts(entry.getKey(), rules.subList(good, bad))
                    ? List.of()
                    : List.of(lines.get(good));
        }
        return List.of();
    }

    private boolean accepts(Table table, List<Rule> rules) {
        Chain chain = Chain.of(table, ChainNames.TRIAL, rules, NODE);
        Programs.Answer answer = tool.restore(trial(chain, List.of()));
        if (answer.isSuccess()) {
            Chain empty = Chain.of(table, ChainNames.TRIAL, List.of(), NODE);
            tool.restore(trial(empty, List.of(empty)));
        }
        return answer.isSuccess() || answer.isBusy();
    }

    private static List<Restore> trial(Chain chain, List<Chain> deleted) {
        return List.of(
                new Restore(
                        Map.of(
                                chain.table(),
                                new Restore.Part(
                                        List.of(chain), List.of(chain), List.of(), deleted))));
    }
}
