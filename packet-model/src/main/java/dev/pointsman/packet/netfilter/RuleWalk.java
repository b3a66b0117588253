package dev.pointsman.packet.netfilter;

import dev.pointsman.packet.netfilter.Loads.Loaded;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Takes packets through single rules of one chain.
final class RuleWalk {
    private final Hook hook;
    private final Table table;
    private final String title;
    private final String chain;
    private final RuleIndex index;
    private final Loads loads;
    private final Translation translation;

    RuleWalk(Node node, Chain.Attachment.Hooked base, Table table, Chain chain, int unindexed) {
        hook = base.hook();
        this.table = table;
        title = table.title();
        this.chain = chain.name();
        index = new RuleIndex(chain.rules(), unindexed);
        loads = new Loads(node, table);
        translation = new Translation(node, hook, base.type());
    }

    /// One packet's ways through one rule, each followed to its end before the next.
    private final class Progress {
        private final Rule rule;
        private final List<Turn> turns = new ArrayList<>(1);

        /// The step that is being taken.
        private int at = -1;

        Progress(Rule rule) {
            this.rule = rule;
        }

        List<Turn> run(Situation situation) {
            go(Attempt.at(situation));
            return turns;
        }

        private void go(Attempt attempt) {
            at++;
            if (at == rule.steps().size()) {
                end(attempt);
            } else {
                take(rule.steps().get(at), attempt);
            }
            at--;
        }

        /// The rule ends for this packet, by a match that failed or because there is no more of it.
        private void end(Attempt attempt) {
            turns.add(new Turn.On(recorded(attempt)));
        }

        private Situation recorded(Attempt attempt) {
            return attempt.changes().isEmpty()
                    ? attempt.situation()
                    : attempt.situation()
                            .after(
                                    new Hop.ByRule(
                                            hook,
                                            title,
                                            chain,
                                            rule,
                                            attempt.before(),
                                            attempt.found(),
                                            attempt.changes()));
        }

        private void doubt(Attempt attempt, String text) {
            Situation doubtful =
                    attempt.situation().doubting(rule.line(), "not understood: " + text);
            end(attempt.at(doubtful, List.of()));
        }

        private void judge(Attempt attempt, Verdict verdict) {
            switch (verdict) {
                case Verdict.Continue _ -> go(attempt);
                case Verdict.Accept _,
                        Verdict.Drop _,
                        Verdict.Reject _,
                        Verdict.Return _,
                        Verdict.Jump _,
                        Verdict.Goto _ -> {
                    Attempt judged =
                            attempt.after(attempt.situation(), new Hop.Change.Judged(verdict));
                    turns.add(new Turn.Judged(recorded(judged), verdict));
                }
            }
        }

        private void take(Step step, Attempt attempt) {
            switch (step) {
                case Step.Unknown(String text) -> doubt(attempt, text);
                case Step.In(var operand, var sense, var set) ->
                        match(attempt, operand, sense, set);
                case Step.AnyBit(var operand, var sense, long bits) ->
                        match(attempt, operand, sense, bits);
                case Step.Chance(var share) -> chance(attempt, share);
                case Step.Recent recent -> recall(attempt, recent);
                case Step.Take(var verdict) -> judge(attempt, verdict);
                case Step.Choose(var key, var map) -> choose(attempt, key, map);
                case Step.Assign(var mark, var value) -> assign(attempt, mark, value);
                case Step.Translate translate -> translate(attempt, translate);
                case Step.Update update -> update(attempt, update);
                case Step.Untrack _ ->
                        go(
                                attempt.after(
                                        attempt.situation().with(new Tracking.Untracked()),
                                        new Hop.Change.Untracked()));
            }
        }

        private void match(Attempt attempt, Operand operand, Step.Sense sense, SetReference set) {
            if (!loads.knows(set)) {
                doubt(attempt, "a set that is not there, " + set);
                return;
            }
            List<Loaded> all = loads.load(operand, attempt.situation());
            if (all.size() == 1) {
                Loaded only = all.getFirst();
                match(attempt, only, sense, set)
                        .ifPresentOrElse(
                                this::go, () -> end(attempt.at(only.situation(), List.of())));
                return;
            }
            // A draw matters only by what is found for it.
            Map<Attempt, Fraction> matching = new LinkedHashMap<>();
            Map<Situation, Fraction> failing = new LinkedHashMap<>();
            for (Loaded loaded : all) {
                Optional<Attempt> match = match(attempt, loaded, sense, set);
                Situation after = loaded.situation();
                if (match.isPresent()) {
                    Attempt same = match.get().at(after.asLikelyAs(Fraction.ONE), List.of());
                    matching.merge(same, after.probability(), Fraction::plus);
                } else {
                    failing.merge(
                            after.asLikelyAs(Fraction.ONE), after.probability(), Fraction::plus);
                }
            }
            matching.forEach(
                    (same, share) -> go(same.at(same.situation().asLikelyAs(share), List.of())));
            failing.forEach((same, share) -> end(attempt.at(same.asLikelyAs(share), List.of())));
        }

        private Optional<Attempt> match(
                Attempt attempt, Loaded loaded, Step.Sense sense, SetReference set) {
            if (!(loaded instanceof Loaded.Got(var after, var values, var found))) {
                return Optional.empty();
            }
            Optional<Element> element = loads.find(set, values, after);
            return switch (sense) {
                case IS -> element.map(e -> attempt.at(after, Loads.found(set, e, found)));
                case IS_NOT ->
                        element.isPresent()
                                ? Optional.empty()
                                : Optional.of(attempt.at(after, found));
            };
        }

        private void match(Attempt attempt, Operand operand, Step.Sense sense, long bits) {
            for (Loaded loaded : loads.load(operand, attempt.situation())) {
                boolean holds =
                        loaded instanceof Loaded.Got(_, var values, _)
                                && (values.getFirst().number() & bits)
                                        != 0
                                        == (sense == Step.Sense.IS);
                Attempt after = attempt.at(loaded.situation(), List.of());
                if (holds) {
                    go(after);
                } else {
                    end(after);
                }
            }
        }

        private void chance(Attempt attempt, Fraction share) {
            if (!share.isZero()) {
                go(attempt.at(attempt.situation().less(share), List.of()));
            }
            Fraction rest = share.complement();
            if (!rest.isZero()) {
                end(attempt.at(attempt.situation().less(rest), List.of()));
            }
        }

        private void recall(Attempt attempt, Step.Recent recent) {
            for (Loaded loaded : loads.load(recent.key(), attempt.situation())) {
                if (!(loaded instanceof Loaded.Got(var after, var values, _))) {
                    end(attempt.at(loaded.situation(), List.of()));
                    continue;
                }
                var place = new Memory.Place("recent", recent.list(), values);
                Memory memory = after.memory();
                boolean holds =
                        switch (recent.recall()) {
                            case SET -> true;
                            case REMOVE -> memory.recalls(place);
                            case CHECK, UPDATE ->
                                    memory.stamps(place, recent.seconds()) >= recent.hits();
                        };
                boolean matches = holds == (recent.sense() == Step.Sense.IS);
                Attempt written = recalled(attempt.at(after, List.of()), recent, place, matches);
                if (matches) {
                    go(written);
                } else {
                    end(written);
                }
            }
        }

        /// What xt_recent.c, `recent_mt`, writes.
        private Attempt recalled(
                Attempt attempt, Step.Recent recent, Memory.Place place, boolean matches) {
            Situation situation = attempt.situation();
            Memory memory = situation.memory();
            Memory after =
                    switch (recent.recall()) {
                        case SET -> memory.stamped(place);
                        case CHECK -> memory;
                        case UPDATE ->
                                matches && memory.recalls(place) ? memory.stamped(place) : memory;
                        case REMOVE -> memory.forgetting(place);
                    };
            return after.equals(memory)
                    ? attempt
                    : attempt.after(
                            situation.with(after),
                            new Hop.Change.Wrote(recent.list(), place.key()));
        }

        private void choose(Attempt attempt, Operand key, SetReference map) {
            if (!loads.knows(map)) {
                doubt(attempt, "a map that is not there, " + map);
                return;
            }
            for (Loaded loaded : loads.load(key, attempt.situation())) {
                Optional<Element> element =
                        loaded instanceof Loaded.Got(var after, var values, _)
                                ? loads.find(map, values, after)
                                : Optional.empty();
                if (element.isPresent()
                        && element.get().data() instanceof Element.Data.Judgement(var verdict)) {
                    judge(
                            attempt.at(
                                    loaded.situation(), Loads.found(map, element.get(), List.of())),
                            verdict);
                } else {
                    end(attempt.at(loaded.situation(), List.of()));
                }
            }
        }

        private void assign(Attempt attempt, Step.Mark mark, Operand value) {
            for (Loaded loaded : loads.load(value, attempt.situation())) {
                if (!(loaded instanceof Loaded.Got(var after, var values, var found))) {
                    end(attempt.at(loaded.situation(), List.of()));
                    continue;
                }
                int number = (int) values.getFirst().number();
                Attempt at = attempt.at(after, found);
                switch (mark) {
                    case PACKET ->
                            go(
                                    at.after(
                                            after.marked(number),
                                            new Hop.Change.Marked(after.mark(), number)));
                    case CONNECTION -> {
                        if (after.tracking() instanceof Tracking.Tracked tracked) {
                            Connection connection = tracked.connection();
                            go(
                                    at.after(
                                            after.with(tracked.with(connection.marked(number))),
                                            new Hop.Change.ConnectionMarked(
                                                    connection.mark(), number)));
                        } else {
                            go(at);
                        }
                    }
                }
            }
        }

        private void translate(Attempt attempt, Step.Translate translate) {
            for (Loaded loaded : loads.load(translate.to(), attempt.situation())) {
                if (!(loaded instanceof Loaded.Got(var after, var values, var found))) {
                    end(attempt.at(loaded.situation(), List.of()));
                    continue;
                }
                Attempt at = attempt.at(after, found);
                switch (translation.bind(after, translate, values)) {
                    case Translation.Bound(var bound, var change) ->
                            turns.add(
                                    new Turn.Judged(
                                            recorded(at.after(bound, change)),
                                            new Verdict.Accept()));
                    case Translation.Addressless _ -> turns.add(new Turn.Addressless(recorded(at)));
                    case Translation.Misplaced(String why) -> doubt(at, why);
                }
            }
        }

        private void update(Attempt attempt, Step.Update update) {
            NamedSet set = table.sets().get(update.set());
            if (set == null) {
                doubt(attempt, "a set that is not there, " + update.set());
                return;
            }
            for (Loaded key : loads.load(update.key(), attempt.situation())) {
                if (!(key instanceof Loaded.Got(var at, var keys, _))) {
                    end(attempt.at(key.situation(), List.of()));
                    continue;
                }
                for (Loaded value : loads.load(update.value(), at)) {
                    if (value instanceof Loaded.Got(var after, var values, _)) {
                        Memory memory = written(after.memory(), set, update, keys, values);
                        go(
                                attempt.after(
                                        after.with(memory),
                                        new Hop.Change.Wrote(set.name(), keys)));
                    } else {
                        end(attempt.at(value.situation(), List.of()));
                    }
                }
            }
        }

        /// An element that is there keeps its value (nft_dynset.c, `nft_dynset_eval`).
        private Memory written(
                Memory memory,
                NamedSet set,
                Step.Update update,
                List<Value> key,
                List<Value> values) {
            var place = new Memory.Place(title, set.name(), List.copyOf(key));
            long timeout = update.timeout() > 0 ? update.timeout() : set.timeout();
            long until = timeout == Element.FOREVER ? timeout : memory.now() + timeout;
            Optional<Element> present = memory.find(title, set, key);
            return switch (update.change()) {
                case DELETE -> memory.with(place, new Memory.Written.Gone());
                case ADD ->
                        present.isPresent()
                                ? memory
                                : memory.with(place, present(key, values, until));
                case REFRESH -> {
                    if (present.isEmpty()) {
                        yield memory.with(place, present(key, values, until));
                    }
                    Element old = present.get();
                    yield old.until() == Element.FOREVER
                            ? memory
                            : memory.with(
                                    place,
                                    new Memory.Written.Present(
                                            new Element(old.key(), old.data(), until, old.line())));
                }
            };
        }

        private static Memory.Written present(List<Value> key, List<Value> values, long until) {
            Element.Data data =
                    values.isEmpty() ? new Element.Data.None() : new Element.Data.Values(values);
            return new Memory.Written.Present(
                    new Element(key.stream().map(Range::of).toList(), data, until, 0));
        }
    }

    /// The places of the rules to walk; the others do not match and leave nothing behind.
    BitSet asked(Situation situation) {
        return index.asked(situation, loads);
    }

    List<Turn> walk(Rule rule, Situation situation) {
        return new Progress(rule).run(situation);
    }
}
