package dev.pointsman.iptables;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// One rule: conditions in the order in which they are printed, and what follows from them.
public record Rule(List<Match> matches, Target target) {
    public Rule {
        // iptables takes a range of everything for no condition, and prints none.
        matches = matches.stream().filter(match -> !isOfEveryAddress(match)).toList();
    }

    private static boolean isOfEveryAddress(Match match) {
        return match instanceof Match.Source(var sense, var range)
                        && sense == Match.Sense.IS
                        && range.length() == 0
                || match instanceof Match.Destination(var side, var to)
                        && side == Match.Sense.IS
                        && to.length() == 0;
    }

    /// A rule that needs all of `matches`.
    public static Rule of(Target target, Match... matches) {
        return new Rule(List.of(matches), target);
    }

    /// The rule with `more` in front of its conditions.
    public Rule under(List<Match> more) {
        List<Match> all = new ArrayList<>(more);
        all.addAll(matches);
        return new Rule(all, target);
    }

    String text() {
        return text(Match::text);
    }

    /// Whether `printed`, by `iptables-save` of some version, is this rule.
    boolean isPrintedAs(String printed) {
        return printed.equals(text(Match::savedText))
                || RuleForm.of(printed).equals(RuleForm.of(text()));
    }

    private String text(Function<Match, String> match) {
        StringBuilder text = new StringBuilder(160);
        for (Match each : matches) {
            text.append(match.apply(each)).append(' ');
        }
        return text.append(target.text()).toString();
    }
}
