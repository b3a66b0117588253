package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.IpvsTable.Switch;
import dev.pointsman.packet.netfilter.VirtualServer.RealServer;
import dev.pointsman.packet.netfilter.VirtualServer.Traffic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Takes packets through IPVS (ip_vs_core.c): requests go from the virtual server that they were
/// sent to to a real server, answers come from the virtual server again.
final class Balancer {

    /// How IPVS leaves a packet.
    sealed interface Turn {
        /// The rest of the hook sees it.
        record On(Situation situation) implements Turn {}

        /// It leaves by `device`, and sees all of the output hook first.
        record Out(Situation situation, String device) implements Turn {}

        record Stopped(Situation situation, Fate fate) implements Turn {}
    }

    private static final int FTP = 21;
    private static final int FTP_DATA = 20;

    /// The sysctl ip_unprivileged_port_start.
    private static final int UNPRIVILEGED = 1024;

    private final Node node;
    private final IpvsTable table;
    private final Map<Traffic, VirtualServer> servers = new HashMap<>();

    Balancer(Node node, IpvsTable table) {
        this.node = node;
        this.table = table;
        for (VirtualServer server : table.servers()) {
            servers.put(server.traffic(), server);
        }
    }

    boolean isIdle() {
        return servers.isEmpty();
    }

    /// `ip_vs_in_hook`.
    List<Turn> request(Hook hook, Situation situation) {
        if (!(situation.balanced() instanceof Balanced.Not) || !isBalanced(situation.packet())) {
            return on(situation);
        }
        Optional<ServerConnection> known =
                situation.memory().balancing().requested(situation.packet(), now(situation));
        if (known.isPresent()) {
            Optional<RealServer> real = realServer(known.get());
            boolean expires = table.isOn(Switch.EXPIRE_NODEST_CONN);
            if (real.isPresent()
                    && (real.get().weight() > 0 || !expires || !beginsAnew(situation))) {
                return List.of(carried(hook, situation, known.get()));
            }
            if (!expires || isOldToConntrack(situation)) {
                return lost(situation);
            }
        }
        Optional<VirtualServer> server = find(situation);
        return server.isEmpty() || !beginsAnew(situation) && isTcp(situation.packet())
                ? on(situation)
                : new Scheduling(hook, server.get(), situation).turns();
    }

    /// `ip_vs_out_hook`.
    List<Turn> answer(Hook hook, Situation situation) {
        if (!(situation.balanced() instanceof Balanced.Not)) {
            return on(situation);
        }
        Packet packet = situation.packet();
        Optional<ServerConnection> known =
                situation.memory().balancing().answered(packet, now(situation));
        if (known.isEmpty()) {
            return on(situation);
        }
        ServerConnection connection = known.get();
        Packet after =
                packet.from(
                        connection.request().destination(), connection.request().destinationPort());
        return on(
                tracked(situation)
                        .with(after)
                        .with(new Balanced.Answer(connection))
                        .with(remembering(situation, connection))
                        .after(new Hop.Carried(hook, connection, packet, after)));
    }

    private static List<Turn> on(Situation situation) {
        return List.of(new Turn.On(situation));
    }

    private static List<Turn> lost(Situation situation) {
        return List.of(new Turn.Stopped(situation, new Fate.Dropped(Fate.Cause.NOT_BALANCED)));
    }

    private static long now(Situation situation) {
        return situation.memory().now();
    }

    /// ip_vs_proto.c registers these; what else it has opens no connection.
    private static boolean isBalanced(Packet packet) {
        return packet.transport() instanceof Transport.Ported(int protocol, _, _)
                && (protocol == Transport.TCP
                        || protocol == Transport.UDP
                        || protocol == Transport.SCTP);
    }

    private static boolean isTcp(Packet packet) {
        return packet.transport().protocol() == Transport.TCP;
    }

    /// `is_new_conn`: datagrams never do.
    private static boolean beginsAnew(Situation situation) {
        return situation.packet().transport().protocol() != Transport.UDP && situation.opens();
    }

    private static boolean isOldToConntrack(Situation situation) {
        return situation.tracking() instanceof Tracking.Tracked(var connection, _)
                && connection.has(Connection.CONFIRMED);
    }

    /// The real server of a connection, if it still is one.
    private Optional<RealServer> realServer(ServerConnection connection) {
        Packet forwarded = connection.forwarded();
        return server(connection.server())
                .flatMap(
                        server ->
                                server.servers().stream()
                                        .filter(
                                                real ->
                                                        real.address()
                                                                .equals(forwarded.destination()))
                                        .filter(
                                                real ->
                                                        port(server, real, connection.request())
                                                                == forwarded.destinationPort())
                                        .findFirst());
    }

    /// `ip_vs_service_find`: the whole mark goes before the address, the port before none.
    private Optional<VirtualServer> find(Situation situation) {
        Packet packet = situation.packet();
        int port = packet.destinationPort();
        Optional<VirtualServer> found =
                situation.mark() == 0
                        ? Optional.empty()
                        : server(new Traffic.Marked(situation.mark(), packet.family()));
        return found.or(() -> to(packet, port))
                .or(() -> isTcp(packet) && isForFtp(port) ? to(packet, FTP) : Optional.empty())
                .or(() -> to(packet, 0));
    }

    private static boolean isForFtp(int port) {
        return port == FTP_DATA || port >= UNPRIVILEGED;
    }

    private Optional<VirtualServer> to(Packet packet, int port) {
        return server(new Traffic.To(packet.transport().protocol(), packet.destination(), port));
    }

    private Optional<VirtualServer> server(Traffic traffic) {
        return Optional.ofNullable(servers.get(traffic));
    }

    /// `ip_vs_sched_persist` leaves the port alone unless it is the virtual server's own, as that
    /// of a mark never is.
    private static int port(VirtualServer server, RealServer real, Packet request) {
        boolean keeps =
                real.port() == 0
                        || server.persistence().isOn()
                                && !(server.traffic() instanceof Traffic.To(_, _, int port)
                                        && port == request.destinationPort());
        return keeps ? request.destinationPort() : real.port();
    }

    private Turn carried(Hook hook, Situation situation, ServerConnection connection) {
        Packet before = situation.packet();
        Packet after = connection.forwarded();
        return sent(
                hook,
                tracked(situation)
                        .with(remembering(situation, connection))
                        .after(new Hop.Carried(hook, connection, before, after)),
                connection);
    }

    private static Memory remembering(Situation situation, ServerConnection connection) {
        Memory memory = situation.memory();
        return memory.with(memory.balancing().with(connection.seen(memory.now())));
    }

    /// Without the switch conntrack loses sight of the packet (ip_vs_xmit.c, `ip_vs_notrack`).
    private Situation tracked(Situation situation) {
        return table.isOn(Switch.CONNTRACK) ? situation : situation.with(new Tracking.Untracked());
    }

    /// ip_vs_xmit.c, `ip_vs_nat_xmit`: what stays here goes on as it came, anything else leaves.
    private Turn sent(Hook hook, Situation situation, ServerConnection connection) {
        Packet packet = connection.forwarded();
        IpAddress real = packet.destination();
        boolean stays = node.owns(real);
        if (!stays && Node.isLoopback(packet.source())
                || stays && Node.isLoopback(real) && hook == Hook.INPUT) {
            return new Turn.Stopped(situation, new Fate.Dropped(Fate.Cause.NOT_BALANCED));
        }
        Situation changed =
                situation
                        .with(packet)
                        .with(bound(situation.tracking(), packet))
                        .with(new Balanced.Request(connection));
        if (stays) {
            return new Turn.On(changed);
        }
        return switch (node.route(real)) {
            case Node.Decision.Through(String device) -> new Turn.Out(changed, device);
            case Node.Decision.Here _ -> new Turn.On(changed);
            case Node.Decision.Nowhere _ ->
                    new Turn.Stopped(situation, new Fate.Dropped(Fate.Cause.NO_ROUTE));
        };
    }

    /// ip_vs_nfct.c, `ip_vs_update_conntrack`: the entry expects answers of the real server. Its
    /// status does not tell.
    private static Tracking bound(Tracking tracking, Packet forwarded) {
        return tracking instanceof Tracking.Tracked tracked
                        && !tracked.connection().has(Connection.CONFIRMED)
                ? tracked.with(
                        tracked.connection()
                                .answeredAs(
                                        tracked.connection()
                                                .reply()
                                                .from(
                                                        forwarded.destination(),
                                                        forwarded.destinationPort())))
                : tracking;
    }

    /// One packet that a virtual server takes and that belongs to no connection yet.
    private final class Scheduling {
        private final Hook hook;
        private final VirtualServer server;
        private final Packet packet;
        private final Situation start;
        private final List<Turn> turns = new ArrayList<>();

        Scheduling(Hook hook, VirtualServer server, Situation situation) {
            this.hook = hook;
            this.server = server;
            packet = situation.packet();
            start = doubting(server, situation);
        }

        /// `ip_vs_schedule`.
        List<Turn> turns() {
            boolean own =
                    !(server.traffic() instanceof Traffic.To(_, _, int port))
                            || port == packet.destinationPort();
            if (packet.sourcePort() == FTP_DATA && isTcp(packet)) {
                return on(start);
            }
            if (server.persistence().isOn()) {
                persist();
            } else if (own) {
                schedule();
            } else if (server.traffic() instanceof Traffic.To(_, _, int port) && port == FTP) {
                return on(start);
            } else {
                refuse(start);
            }
            return turns;
        }

        private void persist() {
            Balancing.Client client =
                    new Balancing.Client(
                            server.traffic(), server.persistence().client(packet.source()));
            Optional<RealServer> kept =
                    start.memory().balancing().template(client, now(start)).flatMap(this::kept);
            if (kept.isPresent()) {
                RealServer real = kept.get();
                serve(start, real, new Hop.Choice.Kept(real, port(server, real, packet)));
            } else {
                schedule();
            }
        }

        /// `ip_vs_check_template`.
        private Optional<RealServer> kept(Balancing.Template template) {
            return server.servers().stream()
                    .filter(real -> real.address().equals(template.address()))
                    .filter(real -> real.port() == template.port())
                    .filter(
                            real ->
                                    real.weight() > 0
                                            || !table.isOn(Switch.EXPIRE_QUIESCENT_TEMPLATE))
                    .findFirst();
        }

        private void schedule() {
            List<Scheduler.Chance> chances = server.scheduler().chances(server.servers());
            for (Scheduler.Chance chance : chances) {
                Situation at = start.less(chance.share());
                switch (chance) {
                    case Scheduler.Chance.Nobody _ -> refuse(at);
                    case Scheduler.Chance.Of(var real, _) ->
                            serve(
                                    at,
                                    real,
                                    new Hop.Choice.Scheduled(
                                            real, port(server, real, packet), chances.size()));
                }
            }
        }

        /// `ip_vs_leave`: whatever the protocol, the answer is an ICMP message.
        private void refuse(Situation at) {
            turns.add(
                    new Turn.Stopped(
                            at.after(chosen(new Hop.Choice.Nobody())),
                            new Fate.Rejected(Verdict.Refusal.PORT_UNREACHABLE)));
        }

        private Hop chosen(Hop.Choice choice) {
            return new Hop.ByVirtualServer(hook, server, packet, choice);
        }

        private void serve(Situation at, RealServer real, Hop.Choice choice) {
            switch (real.forwarding()) {
                case MASQUERADING -> turns.add(translate(at, real, choice));
                case DIRECT_ROUTING, TUNNELLING ->
                        turns.add(
                                new Turn.On(
                                        at.doubting(
                                                real.line(),
                                                "not understood: a real server that is not"
                                                        + " reached by translation")));
            }
        }

        private Turn translate(Situation at, RealServer real, Hop.Choice choice) {
            long now = now(at);
            ServerConnection connection =
                    ServerConnection.begunBy(
                            server.traffic(),
                            packet,
                            packet.to(real.address(), port(server, real, packet)),
                            now);
            Balancing balancing = at.memory().balancing().with(connection);
            VirtualServer.Persistence persistence = server.persistence();
            if (persistence.isOn()) {
                balancing =
                        balancing.with(
                                new Balancing.Client(
                                        server.traffic(), persistence.client(packet.source())),
                                new Balancing.Template(
                                        real.address(),
                                        real.port(),
                                        now + persistence.seconds() * 1000L));
            }
            return sent(
                    hook,
                    tracked(at).with(at.memory().with(balancing)).after(chosen(choice)),
                    connection);
        }
    }

    private static Situation doubting(VirtualServer server, Situation situation) {
        Situation doubtful = situation;
        if (!server.scheduler().isKnown()) {
            doubtful =
                    doubtful.doubting(
                            server.line(), "not understood: scheduler " + server.scheduler());
        }
        for (String text : server.unread()) {
            doubtful = doubtful.doubting(server.line(), "not understood: " + text);
        }
        return doubtful;
    }
}
