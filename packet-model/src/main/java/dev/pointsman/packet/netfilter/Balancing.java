package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.VirtualServer.Traffic;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What IPVS remembers.
///
/// @param connections by their packets of either direction, as they come to IPVS
/// @param templates which real server clients of persistent virtual servers keep
public record Balancing(
        Map<Packet, ServerConnection> connections, Map<Client, Template> templates) {
    static final Balancing NONE = new Balancing(Map.of(), Map.of());

    /// Who keeps a real server.
    ///
    /// @param network the client's address, as far as the virtual server looks at it
    public record Client(Traffic server, IpAddress network) {}

    /// A real server that is kept.
    ///
    /// @param until on the clock of [Memory]
    public record Template(IpAddress address, int port, long until) {}

    public Balancing {
        connections = Map.copyOf(connections);
        templates = Map.copyOf(templates);
    }

    Balancing with(ServerConnection connection) {
        Map<Packet, ServerConnection> more = new HashMap<>(connections);
        more.put(connection.request(), connection);
        more.put(connection.forwarded().answer(), connection);
        return new Balancing(more, templates);
    }

    Balancing with(Client client, Template template) {
        Map<Client, Template> more = new HashMap<>(templates);
        more.put(client, template);
        return new Balancing(connections, more);
    }

    Balancing withoutConnections() {
        return new Balancing(Map.of(), templates);
    }

    /// The connection that `packet` opened or belongs to.
    Optional<ServerConnection> requested(Packet packet, long now) {
        return connection(packet, now).filter(known -> known.request().equals(packet));
    }

    /// The connection that `packet` answers.
    Optional<ServerConnection> answered(Packet packet, long now) {
        return connection(packet, now).filter(known -> known.forwarded().answer().equals(packet));
    }

    private Optional<ServerConnection> connection(Packet packet, long now) {
        return connections.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(connections.get(packet)).filter(known -> now < known.until());
    }

    Optional<Template> template(Client client, long now) {
        return Optional.ofNullable(templates.get(client)).filter(kept -> now < kept.until());
    }
}
