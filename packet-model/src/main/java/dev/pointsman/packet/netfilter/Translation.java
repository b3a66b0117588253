package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import java.util.List;
import java.util.Optional;

/// Makes and applies NAT bindings at one hook (nf_nat_core.c).
final class Translation {

    /// What came of a rule that translates.
    sealed interface Binding {}

    record Bound(Situation situation, Hop.Change change) implements Binding {}

    /// There is no address to translate to.
    record Addressless() implements Binding {}

    /// The kernel would not have taken such a rule here.
    record Misplaced(String why) implements Binding {}

    private static final IpAddress LOOPBACK_4 = IpAddress.parse("127.0.0.1");
    private static final IpAddress LOOPBACK_6 = IpAddress.parse("::1");

    private final Node node;
    private final Hook hook;
    private final Chain.Type type;

    Translation(Node node, Hook hook, Chain.Type type) {
        this.node = node;
        this.hook = hook;
        this.type = type;
    }

    Binding bind(Situation situation, Step.Translate translate, List<Value> values) {
        boolean destination =
                switch (translate.kind()) {
                    case DNAT, REDIRECT -> true;
                    case SNAT, MASQUERADE -> false;
                };
        if (type != Chain.Type.NAT
                || hook.rewritesDestinations() != destination
                || !(situation.tracking() instanceof Tracking.Tracked tracked)) {
            return new Misplaced(translate.kind() + " in a " + type + " chain at " + hook);
        }
        Optional<IpAddress> address = address(situation, translate, values);
        if (address.isEmpty()) {
            return new Addressless();
        }
        Packet packet = situation.packet();
        int oldPort = destination ? packet.destinationPort() : packet.sourcePort();
        int place = translate.parts().indexOf(Step.Part.PORT);
        int port = place < 0 ? oldPort : (int) values.get(place).number();
        return destination
                ? toDestination(situation, tracked, address.get(), port)
                : fromSource(situation, tracked, address.get(), port, translate.ports());
    }

    private static Binding toDestination(
            Situation situation, Tracking.Tracked tracked, IpAddress address, int port) {
        Packet packet = situation.packet().to(address, port);
        Connection connection = tracked.connection();
        Connection bound =
                connection
                        .answeredAs(connection.reply().from(address, port))
                        .with(Connection.DESTINATION_DECIDED);
        // A binding to the same address is none (nf_nat_setup_info compares the tuples).
        if (!packet.equals(situation.packet())) {
            bound = bound.with(Connection.DESTINATION_TRANSLATED);
        }
        return new Bound(
                situation.with(packet).with(tracked.with(bound)),
                new Hop.Change.Destination(address, port));
    }

    private static Binding fromSource(
            Situation situation,
            Tracking.Tracked tracked,
            IpAddress address,
            int port,
            Step.Ports ports) {
        Packet packet = situation.packet().from(address, port);
        Connection connection = tracked.connection();
        Connection bound =
                connection
                        .answeredAs(connection.reply().to(address, port))
                        .with(Connection.SOURCE_DECIDED);
        boolean otherPort =
                ports == Step.Ports.RANDOM && packet.transport() instanceof Transport.Ported;
        if (otherPort || !packet.equals(situation.packet())) {
            bound = bound.with(Connection.SOURCE_TRANSLATED);
        }
        return new Bound(
                situation.with(packet).with(tracked.with(bound)),
                new Hop.Change.Source(address, port));
    }

    private Optional<IpAddress> address(
            Situation situation, Step.Translate translate, List<Value> values) {
        Packet packet = situation.packet();
        Family family = packet.family();
        int place = translate.parts().indexOf(Step.Part.ADDRESS);
        return switch (translate.kind()) {
            case DNAT ->
                    Optional.of(
                            place < 0 ? packet.destination() : values.get(place).address(family));
            case SNAT ->
                    Optional.of(place < 0 ? packet.source() : values.get(place).address(family));
            case MASQUERADE -> node.masqueradeAddress(situation.out().name(), packet.destination());
            case REDIRECT -> redirectAddress(situation, family);
        };
    }

    /// nf_nat_redirect.c: loopback for what the node itself sends, else the first address of the
    /// interface it came in by.
    private Optional<IpAddress> redirectAddress(Situation situation, Family family) {
        if (hook == Hook.OUTPUT) {
            return Optional.of(
                    switch (family) {
                        case IPV4 -> LOOPBACK_4;
                        case IPV6 -> LOOPBACK_6;
                    });
        }
        return node.device(situation.in().name()).stream()
                .flatMap(device -> device.addresses().stream())
                .map(Node.Address::address)
                .filter(address -> address.family() == family)
                .findFirst();
    }

    /// Whether nothing was decided yet for this side of the connection.
    static boolean isOpen(Hook hook, Tracking.Tracked tracked) {
        return tracked.direction() == Tracking.Direction.ORIGINAL
                && !tracked.connection().has(Connection.SEEN_REPLY)
                && !tracked.connection().has(decided(hook));
    }

    /// No chain translated it, and so none will.
    static Situation closed(Hook hook, Situation situation) {
        return situation.tracking() instanceof Tracking.Tracked tracked
                ? situation.with(tracked.with(tracked.connection().with(decided(hook))))
                : situation;
    }

    private static int decided(Hook hook) {
        return hook.rewritesDestinations()
                ? Connection.DESTINATION_DECIDED
                : Connection.SOURCE_DECIDED;
    }

    /// A packet of a connection with a binding, rewritten by it (nf_nat_core.c, `nf_nat_packet`):
    /// what is done to the source of packets is undone to the destination of answers.
    static Situation applied(Hook hook, Situation situation) {
        if (!(situation.tracking() instanceof Tracking.Tracked(var connection, var direction))) {
            return situation;
        }
        Packet target =
                switch (direction) {
                    case ORIGINAL -> connection.reply().answer();
                    case REPLY -> connection.original().answer();
                };
        boolean answer = direction == Tracking.Direction.REPLY;
        boolean destination = hook.rewritesDestinations();
        int bit =
                destination == answer
                        ? Connection.SOURCE_TRANSLATED
                        : Connection.DESTINATION_TRANSLATED;
        if (!connection.has(bit)) {
            return situation;
        }
        Packet before = situation.packet();
        Packet after =
                destination
                        ? before.to(target.destination(), target.destinationPort())
                        : before.from(target.source(), target.sourcePort());
        return after.equals(before)
                ? situation
                : situation.with(after).after(new Hop.Followed(hook, before, after));
    }
}
