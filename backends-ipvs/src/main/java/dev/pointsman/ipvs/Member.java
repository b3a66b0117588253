package dev.pointsman.ipvs;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import java.util.List;

/// A member of a set, of the kind that [ServiceSet#kind] says.
sealed interface Member {
    record Address(IpAddress address) implements Member {}

    record AddressPort(IpAddress address, Protocol protocol, int port) implements Member {
        static AddressPort of(Frontend.Address frontend) {
            return new AddressPort(frontend.address(), frontend.protocol(), frontend.port());
        }
    }

    record AddressPortNet(IpAddress address, Protocol protocol, int port, Cidr net)
            implements Member {}

    record NetPort(Cidr net, Protocol protocol, int port) implements Member {}

    record NetNet(Cidr one, Cidr other) implements Member {}

    /// As ipset(8) writes it.
    default String text() {
        return switch (this) {
            case Address(var address) -> address.toString();
            case AddressPort(var address, var protocol, int port) ->
                    address + "," + protocol.keyword() + ":" + port;
            case AddressPortNet(var address, var protocol, int port, var net) ->
                    address + "," + protocol.keyword() + ":" + port + "," + text(net);
            case NetPort(var net, var protocol, int port) ->
                    text(net) + "," + protocol.keyword() + ":" + port;
            case NetNet(var one, var other) -> text(one) + "," + text(other);
        };
    }

    private static String text(Cidr net) {
        return net.length() == net.family().bits() ? net.base().toString() : net.toString();
    }

    /// The same addresses in ranges that a set can have: none of them is everything.
    static List<Cidr> ranges(Cidr range) {
        if (range.length() > 0) {
            return List.of(range);
        }
        Cidr lower = new Cidr(range.base(), 1);
        return List.of(lower, new Cidr(range.last(), 1));
    }
}
