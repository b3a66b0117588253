package dev.pointsman.packet.netfilter;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Takes packets through one base chain and the chains it calls.
final class ChainWalk {

    /// How a base chain leaves a packet.
    sealed interface End {
        Situation situation();

        /// The next one sees it.
        record Passed(Situation situation) implements End {}

        record Stopped(Situation situation, Fate fate) implements End {}
    }

    /// How a chain leaves a packet.
    private sealed interface Exit {
        /// By its end or by `return`.
        record Fell(Situation situation) implements Exit {}

        record Final(End end) implements Exit {}
    }

    /// The kernel takes 16 levels of jumps in nftables; legacy iptables as many as there are
    /// chains.
    private static final int DEPTH = 200;

    /// Chains that call each other many times over would keep a reader of mangled rules for ever.
    private static final int VISITS = 1_000_000;

    private final Node node;
    private final Table table;
    private final Chain base;
    private final Chain.Attachment.Hooked hooked;
    private final int unindexed;
    private final Map<String, RuleWalk> walks = new ConcurrentHashMap<>();

    /// @param unindexed longer chains get a [RuleIndex]
    ChainWalk(Node node, Table table, Chain base, Chain.Attachment.Hooked hooked, int unindexed) {
        this.node = node;
        this.table = table;
        this.base = base;
        this.hooked = hooked;
        this.unindexed = unindexed;
    }

    int priority() {
        return hooked.priority();
    }

    List<End> walk(Situation situation) {
        List<End> ends = new ArrayList<>(1);
        for (Exit exit : new Visit().through(base, situation, 0)) {
            switch (exit) {
                case Exit.Final(var end) -> ends.add(end);
                case Exit.Fell(var fallen) -> ends.add(policy(fallen));
            }
        }
        return ends;
    }

    private End policy(Situation situation) {
        return switch (hooked.policy()) {
            case ACCEPT -> new End.Passed(situation);
            case DROP ->
                    new End.Stopped(
                            situation.after(
                                    new Hop.ByPolicy(hooked.hook(), table.title(), base.name())),
                            new Fate.Dropped(Fate.Cause.POLICY));
        };
    }

    /// One packet's way, which counts the chains it enters.
    private final class Visit {
        private int entered;

        List<Exit> through(Chain chain, Situation start, int depth) {
            entered++;
            if (depth > DEPTH || entered > VISITS) {
                return List.of(
                        new Exit.Fell(start.doubting(0, "chains call each other without end")));
            }
            RuleWalk walk =
                    walks.computeIfAbsent(
                            chain.name(), _ -> new RuleWalk(node, hooked, table, chain, unindexed));
            List<Exit> exits = new ArrayList<>(1);
            List<Situation> live = List.of(start);
            BitSet asked = walk.asked(start);
            for (int at = asked.nextSetBit(0); at >= 0; at = asked.nextSetBit(at + 1)) {
                Rule rule = chain.rules().get(at);
                List<Situation> next = new ArrayList<>(live.size());
                for (Situation situation : live) {
                    for (Turn turn : walk.walk(rule, situation)) {
                        switch (turn) {
                            case Turn.On(var on) -> next.add(on);
                            case Turn.Judged(var judged, var verdict) ->
                                    follow(verdict, judged, rule, depth, next, exits);
                            case Turn.Addressless(var lost) ->
                                    exits.add(
                                            stopped(lost, new Fate.Dropped(Fate.Cause.NO_ADDRESS)));
                        }
                    }
                }
                live = next;
                if (live.isEmpty()) {
                    return exits;
                }
            }
            live.forEach(situation -> exits.add(new Exit.Fell(situation)));
            return exits;
        }

        private void follow(
                Verdict verdict,
                Situation at,
                Rule rule,
                int depth,
                List<Situation> next,
                List<Exit> exits) {
            switch (verdict) {
                case Verdict.Accept _ -> exits.add(new Exit.Final(new End.Passed(at)));
                case Verdict.Drop _ -> exits.add(stopped(at, new Fate.Dropped(Fate.Cause.RULE)));
                case Verdict.Reject(var refusal) ->
                        exits.add(stopped(at, new Fate.Rejected(refusal)));
                case Verdict.Return _ -> exits.add(new Exit.Fell(at));
                case Verdict.Continue _ -> next.add(at);
                case Verdict.Jump(String name) -> {
                    for (Exit exit : called(name, at, rule, depth)) {
                        switch (exit) {
                            case Exit.Fell(var back) -> next.add(back);
                            case Exit.Final end -> exits.add(end);
                        }
                    }
                }
                case Verdict.Goto(String name) -> exits.addAll(called(name, at, rule, depth));
            }
        }

        private List<Exit> called(String name, Situation at, Rule rule, int depth) {
            Chain chain = table.chains().get(name);
            return chain == null
                    ? List.of(new Exit.Fell(at.doubting(rule.line(), "there is no chain " + name)))
                    : through(chain, at, depth + 1);
        }

        private static Exit stopped(Situation situation, Fate fate) {
            return new Exit.Final(new End.Stopped(situation, fate));
        }
    }
}
