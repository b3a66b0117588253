package dev.pointsman.packet.verify;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Sources;
import dev.pointsman.graph.Treatment;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Oracle;
import dev.pointsman.packet.Outcome;
import dev.pointsman.packet.netfilter.Fraction;
import dev.pointsman.packet.netfilter.Hop;
import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Path;
import dev.pointsman.packet.netfilter.Paths;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Value;
import dev.pointsman.packet.netfilter.Verdict;
import dev.pointsman.packet.netfilter.VirtualServer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/// Holds the rules of one family against intent, for every class of flows.
public final class Verifier {
    /// A second within which a client must still be remembered, or must not be any more.
    private static final long MARGIN = 1000;

    private record Checked(long classes, List<Disagreement> disagreements, Set<Path.Note> doubts) {}

    private final RuleGraph graph;
    private final AssumedNode node;
    private final Oracle oracle;
    private final Tracer tracer;
    private final Constants constants;
    private final SourceClasses sources;
    private final List<Target> targets;
    private final Siblings siblings;
    private final Set<VirtualServer.Traffic> virtual = new HashSet<>();

    /// On a node of which nothing is known but what the cluster tells.
    public Verifier(RuleGraph graph, NodeView view, Ruleset rules) {
        this(graph, view, AssumedNode.of(graph, view), rules);
    }

    /// @param view the node as the cluster knows it, with every address that it has
    /// @param node the same node as routing sees it
    /// @param loaded rules as a dump has them: whom they remember says nothing about them
    public Verifier(RuleGraph graph, NodeView view, AssumedNode node, Ruleset loaded) {
        Ruleset rules = loaded.lasting();
        this.graph = graph;
        this.node = node.bearing(rules.ipvs().addresses());
        this.oracle = new Oracle(graph, view, this.node::meetsItsInterface);
        this.tracer = new Tracer(this.node, rules);
        this.constants = Constants.of(rules, graph.family());
        this.sources = new SourceClasses(graph, this.node, constants);
        this.targets = TargetClasses.of(graph, this.node, constants);
        this.siblings = new Siblings(graph, view, oracle);
        rules.ipvs().servers().forEach(server -> virtual.add(server.traffic()));
    }

    /// How many destinations there are to look at.
    public int size() {
        return targets.size();
    }

    /// Looks at them all, in parallel.
    ///
    /// @param progress is told, by any thread, how many are done
    public Proof verify(IntConsumer progress) {
        AtomicInteger done = new AtomicInteger();
        List<Checked> all =
                targets.parallelStream()
                        .map(
                                target -> {
                                    Checked checked = new Check(target).run();
                                    progress.accept(done.incrementAndGet());
                                    return checked;
                                })
                        .toList();
        return new Proof(
                targets.size(),
                all.stream().mapToLong(Checked::classes).sum(),
                all.stream().flatMap(c -> c.disagreements().stream()).sorted().toList(),
                all.stream()
                        .flatMap(c -> c.doubts().stream())
                        .distinct()
                        .sorted(
                                Comparator.comparingInt(Path.Note::line)
                                        .thenComparing(Path.Note::text))
                        .toList());
    }

    /// One destination and everybody who dials it.
    private final class Check {
        private final Target target;
        private final Set<Atom> questions = new LinkedHashSet<>();
        private final Set<Constants.Place> visited = new HashSet<>();
        private final Set<SourceClasses.Sender> senders = new LinkedHashSet<>();
        private final List<Disagreement> disagreements = new ArrayList<>();
        private final Set<Path.Note> doubts = new HashSet<>();
        private long classes;

        Check(Target target) {
            this.target = target;
        }

        Checked run() {
            if (isLoopback(target.destination())) {
                check(
                        target.from(
                                new SourceClasses.Sender(Flow.Origin.HOST, target.destination())));
            } else {
                treatment().ifPresent(this::askIntent);
                askFor(target.destination());
                if (node.node().isHidden(target.destination())) {
                    // What the kernel takes for the source of whatever the node sends there.
                    check(
                            target.from(
                                    new SourceClasses.Sender(
                                            Flow.Origin.HOST, target.destination())));
                }
                int before = -1;
                while (before != questions.size()) {
                    before = questions.size();
                    for (SourceClasses.Sender sender : sources.cutBy(questions, senders)) {
                        senders.add(sender);
                        if (sends(sender)) {
                            check(target.from(sender));
                        }
                    }
                }
            }
            return new Checked(classes, disagreements, doubts);
        }

        /// Nobody but the node itself sends to his own address what comes by here.
        private boolean sends(SourceClasses.Sender sender) {
            return sender.origin() == Flow.Origin.HOST
                    || !sender.source().equals(target.destination());
        }

        /// What `found` is held to be. Whoever dials a cluster IP from elsewhere and is to keep his
        /// address is taken for a pod: that one's own node translates, so nobody comes here with
        /// such a flow, and the way of its answer says nothing about our rules.
        private Shares judged(Flow flow, Shares expected, Shares found) {
            if (isShut(flow, found)) {
                return expected;
            }
            if (flow.origin() != Flow.Origin.OUTSIDE
                    || oracle.treatment(flow).filter(t -> keeps(flow, t)).isEmpty()) {
                return found;
            }
            SortedMap<Ending, Fraction> chances = new TreeMap<>();
            found.chances()
                    .forEach(
                            (ending, chance) ->
                                    chances.merge(
                                            answered(ending, expected), chance, Fraction::plus));
            return new Shares(chances);
        }

        /// What must become of `flow`. For an address that the node has for IPVS alone, and a port
        /// that no Service has, that is a refusal, whatever intent is: IPVS needs the address on a
        /// device, so that the packet does not leave the node, and what listens on all addresses of
        /// the node must not be reached there. [Proof#LIMITS] says so.
        private Shares expected(Flow flow) {
            Shares expected = Shares.of(oracle.outcomes(flow));
            return isUnserved(flow) && !delivers(expected)
                    ? Shares.certain(new Ending.Of(new Outcome.Rejected()))
                    : expected;
        }

        private boolean isUnserved(Flow flow) {
            return node.node().isHidden(flow.destination()) && oracle.treatment(flow).isEmpty();
        }

        private static boolean delivers(Shares shares) {
            return shares.chances().keySet().stream()
                    .anyMatch(ending -> ending.outcome() instanceof Outcome.Delivered);
        }

        /// Whether `flow` ends in another way than by a refusal for a good reason: dropped where
        /// only translated packets may come, or let through to a health check.
        private boolean isShut(Flow flow, Shares found) {
            return isUnserved(flow)
                    && (is(found, new Outcome.Dropped()) && isReserved(flow)
                            || is(found, new Outcome.Untouched()) && isHealthCheck(flow));
        }

        private static boolean is(Shares shares, Outcome outcome) {
            return shares.equals(Shares.certain(new Ending.Of(outcome)));
        }

        /// Whether there is a virtual server that belongs to no Service, or could be: the address
        /// is no Service's.
        private boolean isReserved(Flow flow) {
            return virtual.contains(
                            new VirtualServer.Traffic.To(
                                    flow.protocol().number(), flow.destination(), flow.port()))
                    || !graph.hasAddress(flow.destination());
        }

        private boolean isHealthCheck(Flow flow) {
            return flow.protocol() == Protocol.TCP
                    && graph.healthChecks().values().stream()
                            .anyMatch(check -> check.port() == flow.port());
        }

        private boolean keeps(Flow flow, Treatment treatment) {
            return treatment.kind() == Treatment.Kind.CLUSTER_IP
                    && oracle.disposition(flow, treatment)
                            instanceof Disposition.Balance(_, Disposition.SourceAddress source)
                    && source == Disposition.SourceAddress.KEEP;
        }

        private static Ending answered(Ending ending, Shares expected) {
            if (ending instanceof Ending.Unanswered(Outcome.Delivered found)
                    && found.source() == Outcome.Source.KEPT) {
                for (Ending other : expected.chances().keySet()) {
                    if (other.outcome() instanceof Outcome.Delivered wanted
                            && wanted.endpoint().equals(found.endpoint())
                            && wanted.port() == found.port()) {
                        return other;
                    }
                }
            }
            return ending;
        }

        private Optional<Treatment> treatment() {
            return oracle.treatment(
                    new Flow(
                            Flow.Origin.OUTSIDE,
                            target.protocol(),
                            target.destination(),
                            target.destination(),
                            target.port()));
        }

        private void askIntent(Treatment treatment) {
            switch (treatment.sources()) {
                case Sources.Only(var ranges) ->
                        ranges.forEach(range -> questions.add(new Atom.Within(Range.of(range))));
                case Sources.Everyone _ -> {}
            }
            for (Pool pool : treatment.pools()) {
                for (Endpoint endpoint : pool.endpoints()) {
                    questions.add(new Atom.Within(Range.of(Value.of(endpoint.address()))));
                    askFor(endpoint.address());
                }
            }
        }

        private void askFor(IpAddress destination) {
            Collection<Range> ranges =
                    constants.sourcesOfDestinations.getOrDefault(Value.of(destination), Set.of());
            ranges.forEach(range -> questions.add(new Atom.Within(range)));
        }

        private void check(Flow flow) {
            classes++;
            Shares expected = expected(flow);
            Paths paths = tracer.follow(flow, Memory.blank());
            note(paths);
            Shares found = judged(flow, expected, Shares.of(tracer, paths, flow));
            if (!found.equals(expected)) {
                disagreements.add(new Disagreement(flow, object(flow), "", expected, found));
            } else if (expected.chances().size() > 1) {
                oracle.treatment(flow)
                        .ifPresent(
                                treatment -> {
                                    if (treatment.affinity()
                                            instanceof Affinity.ClientIp(int seconds)) {
                                        checkAffinity(flow, treatment, paths, expected, seconds);
                                    }
                                });
            }
        }

        private void checkAffinity(
                Flow flow, Treatment treatment, Paths first, Shares free, int seconds) {
            Optional<Flow> elsewhere =
                    isLoopback(flow.source())
                            ? Optional.empty()
                            : siblings.after(target, treatment.owner())
                                    .map(
                                            other ->
                                                    other.from(
                                                            new SourceClasses.Sender(
                                                                    flow.origin(), flow.source())));
            for (Path path : first.paths()) {
                Memory left = path.memory().withoutConnections();
                Ending same = tracer.ending(path, flow);
                elsewhere
                        .filter(_ -> !isKeptByIpvs(path))
                        .ifPresent(
                                other ->
                                        again(
                                                other,
                                                left.later(MARGIN),
                                                "after "
                                                        + flow.destination()
                                                        + " port "
                                                        + flow.port()
                                                        + " has led the client to "
                                                        + same,
                                                Shares.of(oracle.outcomes(other)).boundTo(same)));
                again(
                        flow,
                        left.later(seconds * 1000L - MARGIN),
                        "shortly before the affinity to " + same + " ends",
                        Shares.certain(same));
                again(
                        flow,
                        left.later(seconds * 1000L + MARGIN),
                        "after the affinity to " + same + " has ended",
                        free);
            }
        }

        /// Persistent virtual servers know nothing of each other: a client that is bound at one
        /// address of a Service is not bound at the others. [Proof#LIMITS] says so.
        private static boolean isKeptByIpvs(Path path) {
            return path.hops().stream().anyMatch(Hop.ByVirtualServer.class::isInstance);
        }

        private void again(Flow flow, Memory memory, String when, Shares expected) {
            Paths paths = tracer.follow(flow, memory);
            note(paths);
            Shares found = judged(flow, expected, Shares.of(tracer, paths, flow));
            if (!found.equals(expected)) {
                disagreements.add(new Disagreement(flow, object(flow), when, expected, found));
            }
        }

        /// Takes in what was not understood, and what the chains that were entered ask of sources.
        private void note(Paths paths) {
            for (Path path : paths.paths()) {
                doubts.addAll(path.notes());
                for (Hop hop : path.hops()) {
                    if (hop instanceof Hop.ByRule byRule) {
                        byRule.changes().forEach(change -> enter(byRule.table(), change));
                    }
                }
            }
        }

        private void enter(String table, Hop.Change change) {
            if (change instanceof Hop.Change.Judged(var verdict)) {
                switch (verdict) {
                    case Verdict.Jump(String chain) -> enter(new Constants.Place(table, chain));
                    case Verdict.Goto(String chain) -> enter(new Constants.Place(table, chain));
                    case Verdict.Accept _,
                            Verdict.Drop _,
                            Verdict.Reject _,
                            Verdict.Return _,
                            Verdict.Continue _ -> {}
                }
            }
        }

        private void enter(Constants.Place place) {
            if (visited.add(place)) {
                questions.addAll(constants.sourcesOfChains.getOrDefault(place, Set.of()));
            }
        }

        private String object(Flow flow) {
            return oracle.treatment(flow)
                    .map(treatment -> "Service " + treatment.owner())
                    .orElse(
                            graph.hasClusterIp(flow.destination())
                                    ? "no Service has this port of the cluster IP"
                                    : "no Service");
        }
    }

    private static boolean isLoopback(IpAddress address) {
        return AssumedNode.UNUSABLE.stream().anyMatch(range -> range.contains(address));
    }
}
