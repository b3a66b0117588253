package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Situation.Device;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A node's way for packets: hooks with their chains in the order the kernel runs them, routing in
/// between, conntrack and translation at their places.
///
/// Chains of type nat run where the kernel's translation is hooked, whatever their own priority,
/// which only orders them among themselves (nf_nat_core.c, `nf_nat_register_fn`). Of chains with
/// one priority the younger runs first (net/netfilter/core.c, `nf_hook_entries_grow`).
public final class PacketPath {

    /// What runs at a hook.
    private sealed interface Stage {
        int priority();

        /// nf_conntrack_in.
        record Track(int priority) implements Stage {}

        record Nat(int priority, List<ChainWalk> chains) implements Stage {}

        /// Where IPVS looks for answers of its real servers.
        record Answers(int priority) implements Stage {}

        /// Where IPVS looks for packets for its virtual servers.
        record Requests(int priority) implements Stage {}

        record Filter(ChainWalk chain) implements Stage {
            @Override
            public int priority() {
                return chain.priority();
            }
        }
    }

    private static final int CONNTRACK = -200;
    private static final int DESTINATION_NAT = -100;
    private static final int SOURCE_NAT = 100;

    /// To find the rules of so short a chain takes longer than to ask them.
    private static final int UNINDEXED = 8;

    private final Node node;
    private final Ruleset ruleset;
    private final Balancer balancer;
    private final Map<Family, Map<Hook, List<Stage>>> stages = new EnumMap<>(Family.class);

    public PacketPath(Node node, Ruleset ruleset) {
        this(node, ruleset, UNINDEXED);
    }

    /// As above; shorter chains have all their rules asked one after the other.
    PacketPath(Node node, Ruleset ruleset, int unindexed) {
        this.node = node.bearing(ruleset.ipvs().addresses());
        this.ruleset = ruleset;
        balancer = new Balancer(this.node, ruleset.ipvs());
        for (Family family : Family.values()) {
            Map<Hook, List<Stage>> byHook = new EnumMap<>(Hook.class);
            for (Hook hook : Hook.values()) {
                byHook.put(hook, stages(family, hook, unindexed));
            }
            stages.put(family, byHook);
        }
    }

    /// All ways that `packet` can take when it enters as `entry` says and the node remembers
    /// `memory`.
    ///
    /// @throws IllegalArgumentException when it comes in by an interface that the node does not
    ///   have
    public Paths follow(Packet packet, Entry entry, Memory memory) {
        return new Journey().follow(packet, entry, memory);
    }

    private List<Stage> stages(Family family, Hook hook, int unindexed) {
        List<Stage> stages = new ArrayList<>();
        List<ChainWalk> nat = new ArrayList<>();
        switch (hook) {
            case PREROUTING, OUTPUT -> {
                stages.add(new Stage.Track(CONNTRACK));
                stages.add(new Stage.Nat(DESTINATION_NAT, nat));
            }
            case INPUT, POSTROUTING -> stages.add(new Stage.Nat(SOURCE_NAT, nat));
            case FORWARD -> {}
        }
        if (!balancer.isIdle()) {
            balance(hook, stages);
        }
        for (Table table : ruleset.tables()) {
            if (!table.scope().covers(family)) {
                continue;
            }
            for (Chain chain : table.chains().values()) {
                if (chain.attachment() instanceof Chain.Attachment.Hooked hooked
                        && hooked.hook() == hook) {
                    ChainWalk walk = new ChainWalk(node, table, chain, hooked, unindexed);
                    switch (hooked.type()) {
                        case NAT -> insert(nat, walk);
                        case FILTER, ROUTE -> insert(stages, new Stage.Filter(walk));
                    }
                }
            }
        }
        return stages;
    }

    /// ip_vs_core.c, `ip_vs_ops4` and `ip_vs_ops6`.
    private static void balance(Hook hook, List<Stage> stages) {
        switch (hook) {
            case INPUT -> {
                insert(stages, new Stage.Answers(SOURCE_NAT - 2));
                insert(stages, new Stage.Requests(SOURCE_NAT - 1));
            }
            case OUTPUT -> {
                insert(stages, new Stage.Answers(DESTINATION_NAT + 1));
                insert(stages, new Stage.Requests(DESTINATION_NAT + 2));
            }
            case FORWARD -> insert(stages, new Stage.Answers(SOURCE_NAT));
            case PREROUTING, POSTROUTING -> {}
        }
    }

    private static void insert(List<Stage> stages, Stage stage) {
        int at = 0;
        while (at < stages.size() && stages.get(at).priority() < stage.priority()) {
            at++;
        }
        stages.add(at, stage);
    }

    private static void insert(List<ChainWalk> chains, ChainWalk chain) {
        int at = 0;
        while (at < chains.size() && chains.get(at).priority() < chain.priority()) {
            at++;
        }
        chains.add(at, chain);
    }

    /// One packet on all its ways.
    private final class Journey {
        private final List<Path> paths = new ArrayList<>();

        Paths follow(Packet packet, Entry entry, Memory memory) {
            Trail<Path.Note> notes = new Trail.Start<>();
            for (Ruleset.Unread unread : ruleset.unread()) {
                notes = notes.and(new Path.Note(unread.line(), unread.text()));
            }
            Situation start =
                    new Situation(
                            Fraction.ONE,
                            packet,
                            0,
                            Device.NONE,
                            Device.NONE,
                            new Tracking.Unseen(),
                            new Balanced.Not(),
                            memory,
                            new Trail.Start<>(),
                            notes);
            switch (entry) {
                case Entry.Arriving(String device, String port) -> {
                    if (node.device(device).isEmpty()) {
                        throw new IllegalArgumentException("the node has no interface " + device);
                    }
                    arrive(start.between(new Device(device, port), Device.NONE));
                }
                case Entry.Sent _ -> send(start);
            }
            return new Paths(paths);
        }

        private void arrive(Situation arriving) {
            for (Situation situation : through(Hook.PREROUTING, arriving)) {
                Packet packet = situation.packet();
                if (isMartian(packet, situation.in())) {
                    stop(situation, new Fate.Dropped(Fate.Cause.MARTIAN));
                    continue;
                }
                switch (node.route(packet.destination())) {
                    case Node.Decision.Here _ ->
                            receive(situation.after(new Hop.Routed(packet, "here")));
                    case Node.Decision.Through(String device) ->
                            forward(situation.after(new Hop.Routed(packet, device)), device);
                    case Node.Decision.Nowhere(var type) -> strand(situation, type);
                }
            }
        }

        /// ip_route_input_slow and fib_validate_source (net/ipv4); ip6_rcv_core (net/ipv6).
        private boolean isMartian(Packet packet, Device in) {
            if (in.name().equals(Node.LOOPBACK)) {
                return false;
            }
            boolean loopback =
                    Node.isLoopback(packet.source()) || Node.isLoopback(packet.destination());
            return switch (packet.family()) {
                case IPV4 ->
                        loopback && node.localnet() == Node.Localnet.CONFINED
                                || !Node.isLoopback(packet.source()) && node.owns(packet.source());
                case IPV6 -> loopback;
            };
        }

        private void strand(Situation situation, Node.AddressType type) {
            stop(
                    situation,
                    switch (type) {
                        case PROHIBIT -> new Fate.Rejected(Verdict.Refusal.ADMIN_PROHIBITED);
                        case UNREACHABLE -> new Fate.Rejected(Verdict.Refusal.NET_UNREACHABLE);
                        case UNSPECIFIED,
                                UNICAST,
                                LOCAL,
                                BROADCAST,
                                ANYCAST,
                                MULTICAST,
                                BLACKHOLE ->
                                new Fate.Dropped(Fate.Cause.NO_ROUTE);
                    });
        }

        private void receive(Situation arrived) {
            Situation incoming = arrived.between(arrived.in(), Device.NONE);
            for (Situation situation : through(Hook.INPUT, incoming)) {
                Situation confirmed = confirmed(situation);
                end(confirmed, new Fate.Received(confirmed.packet()), Path.Reply.FINDS_BACK);
            }
        }

        private void forward(Situation arrived, String device) {
            if (node.forwarding() == Node.Forwarding.OFF) {
                stop(arrived, new Fate.Dropped(Fate.Cause.FORWARDING_OFF));
                return;
            }
            Situation outgoing = arrived.between(arrived.in(), Device.of(device));
            for (Situation situation : through(Hook.FORWARD, outgoing)) {
                leave(situation);
            }
        }

        private void leave(Situation outgoing) {
            for (Situation situation : through(Hook.POSTROUTING, outgoing)) {
                Situation confirmed = confirmed(situation);
                String device = confirmed.out().name();
                end(confirmed, new Fate.Left(device, confirmed.packet()), reply(confirmed));
            }
        }

        /// The interface that rules of the output hook see is the one of before translation; only
        /// postrouting sees where the packet goes since (nf_nat_proto.c, `nf_nat_ipv4_local_fn`).
        private void send(Situation start) {
            Optional<String> before = device(start);
            if (before.isEmpty()) {
                return;
            }
            Situation outgoing = start.between(Device.NONE, Device.of(before.get()));
            for (Situation situation : through(Hook.OUTPUT, outgoing)) {
                Optional<String> device = device(situation);
                if (device.isEmpty()) {
                    continue;
                }
                Situation routed =
                        situation
                                .after(new Hop.Routed(situation.packet(), device.get()))
                                .between(Device.NONE, Device.of(device.get()));
                if (device.get().equals(Node.LOOPBACK)) {
                    loop(routed);
                } else {
                    leave(routed);
                }
            }
        }

        private Optional<String> device(Situation situation) {
            return switch (node.route(situation.packet().destination())) {
                case Node.Decision.Here _ -> Optional.of(Node.LOOPBACK);
                case Node.Decision.Through(String device) -> Optional.of(device);
                case Node.Decision.Nowhere(var type) -> {
                    strand(situation, type);
                    yield Optional.empty();
                }
            };
        }

        /// From the node to itself: out by loopback and in again, with mark and connection.
        private void loop(Situation outgoing) {
            for (Situation sent : through(Hook.POSTROUTING, outgoing)) {
                Situation back = confirmed(sent).between(Device.of(Node.LOOPBACK), Device.NONE);
                for (Situation arrived : through(Hook.PREROUTING, back)) {
                    receive(arrived);
                }
            }
        }

        private List<Situation> through(Hook hook, Situation start) {
            List<Situation> live = List.of(start);
            List<Stage> all = stages.getOrDefault(start.packet().family(), Map.of()).get(hook);
            if (all == null) {
                return live;
            }
            for (Stage stage : all) {
                List<Situation> next = new ArrayList<>(live.size());
                for (Situation situation : live) {
                    switch (stage) {
                        case Stage.Track _ -> next.add(tracked(situation));
                        case Stage.Nat(_, var chains) -> translate(hook, chains, situation, next);
                        case Stage.Filter(var chain) -> pass(chain, situation, next);
                        case Stage.Answers _ -> take(balancer.answer(hook, situation), next);
                        case Stage.Requests _ -> take(balancer.request(hook, situation), next);
                    }
                }
                live = next;
            }
            return live;
        }

        private void take(List<Balancer.Turn> turns, List<Situation> next) {
            for (Balancer.Turn turn : turns) {
                switch (turn) {
                    case Balancer.Turn.On(var on) -> next.add(on);
                    case Balancer.Turn.Stopped(var stopped, var fate) -> stop(stopped, fate);
                    case Balancer.Turn.Out(var out, String device) -> balanced(out, device);
                }
            }
        }

        /// To a real server elsewhere: through the output hook from its beginning, without an
        /// interface that it came in by, though postrouting knows that again (ip_vs_xmit.c,
        /// `ip_vs_nat_send_or_cont`; ip_output.c, `ip_output`).
        private void balanced(Situation chosen, String device) {
            Situation outgoing =
                    chosen.after(new Hop.Routed(chosen.packet(), device))
                            .between(Device.NONE, Device.of(device));
            for (Situation situation : through(Hook.OUTPUT, outgoing)) {
                leave(situation.between(chosen.in(), Device.of(device)));
            }
        }

        private void pass(ChainWalk chain, Situation situation, List<Situation> next) {
            for (ChainWalk.End end : chain.walk(situation)) {
                switch (end) {
                    case ChainWalk.End.Passed(var passed) -> next.add(passed);
                    case ChainWalk.End.Stopped(var stopped, var fate) -> stop(stopped, fate);
                }
            }
        }

        private void translate(
                Hook hook, List<ChainWalk> chains, Situation start, List<Situation> next) {
            List<Situation> open = List.of(start);
            for (ChainWalk chain : chains) {
                List<Situation> passed = new ArrayList<>();
                for (Situation situation : open) {
                    if (isOpen(hook, situation)) {
                        pass(chain, situation, passed);
                    } else {
                        passed.add(situation);
                    }
                }
                open = passed;
            }
            for (Situation situation : open) {
                next.add(
                        isOpen(hook, situation)
                                ? Translation.closed(hook, situation)
                                : Translation.applied(hook, situation));
            }
        }

        private static boolean isOpen(Hook hook, Situation situation) {
            return situation.tracking() instanceof Tracking.Tracked tracked
                    && Translation.isOpen(hook, tracked);
        }

        private static Situation tracked(Situation situation) {
            if (!(situation.tracking() instanceof Tracking.Unseen)) {
                return situation;
            }
            Packet packet = situation.packet();
            Optional<Connection> known = situation.memory().connection(packet);
            if (known.isPresent()) {
                return situation.with(
                        packet.equals(known.get().original())
                                ? new Tracking.Tracked(known.get(), Tracking.Direction.ORIGINAL)
                                : new Tracking.Tracked(
                                        known.get().with(Connection.SEEN_REPLY),
                                        Tracking.Direction.REPLY));
            }
            if (packet.transport() instanceof Transport.Icmp icmp && !icmp.isRequest()) {
                return situation.with(
                        icmp.isUntracked() ? new Tracking.Untracked() : new Tracking.Invalid());
            }
            return situation.with(
                    new Tracking.Tracked(Connection.begunBy(packet), Tracking.Direction.ORIGINAL));
        }

        /// A packet that came through makes its connection one that is remembered.
        private static Situation confirmed(Situation situation) {
            if (!(situation.tracking() instanceof Tracking.Tracked tracked)) {
                return situation;
            }
            Connection seen = tracked.connection().seen(situation.memory().now());
            return situation.with(tracked.with(seen)).with(situation.memory().with(seen));
        }

        private Path.Reply reply(Situation situation) {
            Packet packet = situation.packet();
            boolean translated =
                    situation.tracking() instanceof Tracking.Tracked(var connection, _)
                            && (connection.has(Connection.SOURCE_TRANSLATED)
                                    || connection.has(Connection.DESTINATION_TRANSLATED));
            if (situation.balanced() instanceof Balanced.Request(var connection)) {
                // IPVS forwards requests, but answers are forwarded by routing.
                if (node.forwarding() == Node.Forwarding.OFF
                        && !node.owns(connection.request().source())) {
                    return Path.Reply.LOST;
                }
            } else if (!translated) {
                return Path.Reply.FINDS_BACK;
            }
            // Nobody answers a packet that claims to come from himself.
            return !packet.source().equals(packet.destination())
                            && node.isPassedBy(packet.source(), situation.out().name())
                    ? Path.Reply.FINDS_BACK
                    : Path.Reply.LOST;
        }

        private void stop(Situation situation, Fate fate) {
            end(situation, fate, Path.Reply.NONE);
        }

        private void end(Situation situation, Fate fate, Path.Reply reply) {
            paths.add(
                    new Path(
                            situation.probability(),
                            fate,
                            situation.tracking(),
                            reply,
                            situation.hops().list(),
                            situation.notes().list(),
                            situation.memory()));
        }
    }
}
