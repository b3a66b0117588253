package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// What routing knows: interfaces, addresses and routes of the node.
///
/// @param interfaces in the order of their indexes, loopback among them
/// @param routes of the main table; the local one follows from the addresses
public record Node(
        List<Interface> interfaces, List<Route> routes, Forwarding forwarding, Localnet localnet) {

    /// A network interface.
    ///
    /// @param side who is behind it
    public record Interface(String name, Side side, List<Address> addresses) {
        public Interface {
            addresses = Addresses.of(addresses);
        }

        private Addresses indexed() {
            return Addresses.of(addresses);
        }

        boolean isLoopback() {
            return name.equals(LOOPBACK);
        }
    }

    /// Who is behind an interface.
    public enum Side {
        /// Only pods of this node, whose every packet comes through here.
        PODS,
        /// Others, who reach each other without this node.
        UPLINK,
        /// Nobody: a dummy, whose addresses mean this node to itself only. Others have them too, or
        /// send packets for them elsewhere.
        NOBODY
    }

    /// An address of an interface with the length of its network's prefix.
    public record Address(IpAddress address, int length) {
        Cidr network() {
            return new Cidr(address, length);
        }
    }

    public record Route(Cidr destination, NextHop hop) {}

    /// What a route says.
    public sealed interface NextHop {
        record Direct(String device) implements NextHop {}

        record Via(IpAddress gateway, String device) implements NextHop {}

        /// `unreachable`, `prohibit` or `blackhole`.
        record Nowhere(AddressType type) implements NextHop {}
    }

    /// The sysctl ip_forward, or ipv6 forwarding.
    public enum Forwarding {
        ON,
        OFF
    }

    /// The sysctl route_localnet: whether 127.0.0.0/8 may come from or go to other interfaces.
    public enum Localnet {
        CONFINED,
        ROUTED
    }

    /// How routing classes an address (rtnetlink.h, `RTN_*`).
    public enum AddressType {
        UNSPECIFIED(0),
        UNICAST(1),
        LOCAL(2),
        BROADCAST(3),
        ANYCAST(4),
        MULTICAST(5),
        BLACKHOLE(6),
        UNREACHABLE(7),
        PROHIBIT(8);

        private final long number;

        AddressType(long number) {
            this.number = number;
        }

        /// The kernel's number, which is what [Operand.AddressType] reads.
        public long number() {
            return number;
        }
    }

    /// Where a packet goes.
    sealed interface Decision {
        /// To a process of this node.
        record Here() implements Decision {}

        record Through(String device) implements Decision {}

        record Nowhere(AddressType type) implements Decision {}
    }

    public static final String LOOPBACK = "lo";
    private static final Cidr LOOPBACK_4 = Cidr.parse("127.0.0.0/8");
    private static final Cidr LOOPBACK_6 = Cidr.parse("::1/128");
    private static final Cidr MULTICAST_4 = Cidr.parse("224.0.0.0/4");
    private static final Cidr MULTICAST_6 = Cidr.parse("ff00::/8");
    private static final IpAddress BROADCAST = IpAddress.parse("255.255.255.255");

    public Node {
        interfaces = List.copyOf(interfaces);
        routes = Routes.of(routes);
    }

    public static boolean isLoopback(IpAddress address) {
        return LOOPBACK_4.contains(address) || LOOPBACK_6.contains(address);
    }

    Optional<Interface> device(String name) {
        for (Interface device : interfaces) {
            if (device.name().equals(name)) {
                return Optional.of(device);
            }
        }
        return Optional.empty();
    }

    /// Whether the address is one of the node's own, on whichever interface.
    public boolean owns(IpAddress address) {
        for (Interface device : interfaces) {
            if (owns(device, address)) {
                return true;
            }
        }
        return false;
    }

    /// Whether the interface called so has the address.
    public boolean owns(String device, IpAddress address) {
        return device(device).filter(found -> owns(found, address)).isPresent();
    }

    /// A whole network is local on loopback (fib_frontend.c, `fib_add_ifaddr`).
    private static boolean owns(Interface device, IpAddress address) {
        return device.indexed().has(address) || device.isLoopback() && prefix(device, address) >= 0;
    }

    /// Whether the address is the node's, but only on interfaces that nobody is behind.
    public boolean isHidden(IpAddress address) {
        boolean hidden = false;
        for (Interface device : interfaces) {
            if (owns(device, address)) {
                if (device.side() != Side.NOBODY) {
                    return false;
                }
                hidden = true;
            }
        }
        return hidden;
    }

    /// The same node, which has these addresses as well: on [IpvsTable#DEVICE] where it does not
    /// have them yet.
    public Node bearing(Collection<IpAddress> more) {
        List<Address> missing =
                more.stream()
                        .filter(address -> !owns(address))
                        .map(address -> new Address(address, address.family().bits()))
                        .toList();
        if (missing.isEmpty()) {
            return this;
        }
        List<Interface> all = new ArrayList<>(interfaces);
        all.removeIf(device -> device.name().equals(IpvsTable.DEVICE));
        List<Address> both = new ArrayList<>();
        device(IpvsTable.DEVICE).ifPresent(device -> both.addAll(device.addresses()));
        both.addAll(missing);
        all.add(new Interface(IpvsTable.DEVICE, Side.NOBODY, both));
        return new Node(all, routes, forwarding, localnet);
    }

    AddressType type(IpAddress address) {
        if (owns(address)) {
            return AddressType.LOCAL;
        }
        if (MULTICAST_4.contains(address) || MULTICAST_6.contains(address)) {
            return AddressType.MULTICAST;
        }
        if (isBroadcast(address)) {
            return AddressType.BROADCAST;
        }
        return switch (route(address)) {
            case Decision.Here _ -> AddressType.LOCAL;
            case Decision.Through _ -> AddressType.UNICAST;
            case Decision.Nowhere(var type) -> type;
        };
    }

    /// As above, LOCAL only on `device`: elsewhere the address is UNICAST (nft_fib_ipv4.c;
    /// xt_addrtype.c, `inet_dev_addr_type`).
    AddressType type(IpAddress address, String device) {
        AddressType type = type(address);
        return type == AddressType.LOCAL && !owns(device, address) ? AddressType.UNICAST : type;
    }

    private boolean isBroadcast(IpAddress address) {
        if (address.equals(BROADCAST)) {
            return true;
        }
        for (Interface device : interfaces) {
            for (Address own : device.indexed().networks()) {
                if (own.address().family() == Family.IPV4
                        && own.length() < 31
                        && !device.isLoopback()
                        && own.network().last().equals(address)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// The interface that packets to `destination` leave by; empty for those that stay.
    public Optional<String> deviceTo(IpAddress destination) {
        return route(destination) instanceof Decision.Through(String device)
                ? Optional.of(device)
                : Optional.empty();
    }

    /// Whether there is an interface called so with these behind it.
    public boolean has(String device, Side side) {
        return device(device).map(found -> found.side() == side).orElse(false);
    }

    Decision route(IpAddress destination) {
        if (owns(destination)) {
            return new Decision.Here();
        }
        Optional<Route> best = Routes.of(routes).best(destination);
        Optional<Interface> neighbour = neighbour(destination);
        int connected = neighbour.map(device -> prefix(device, destination)).orElse(-1);
        if (best.isPresent() && best.get().destination().length() >= connected) {
            return switch (best.get().hop()) {
                case NextHop.Direct(String device) -> new Decision.Through(device);
                case NextHop.Via(_, String device) -> new Decision.Through(device);
                case NextHop.Nowhere(var type) -> new Decision.Nowhere(type);
            };
        }
        return neighbour
                .<Decision>map(device -> new Decision.Through(device.name()))
                .orElse(new Decision.Nowhere(AddressType.UNREACHABLE));
    }

    /// The interface in whose network the address is.
    private Optional<Interface> neighbour(IpAddress address) {
        Optional<Interface> nearest = Optional.empty();
        int longest = -1;
        for (Interface device : interfaces) {
            int prefix = prefix(device, address);
            if (prefix > longest) {
                nearest = Optional.of(device);
                longest = prefix;
            }
        }
        return nearest;
    }

    private static int prefix(Interface device, IpAddress address) {
        int longest = device.indexed().has(address) ? address.family().bits() : -1;
        for (Address own : device.indexed().networks()) {
            if (own.network().contains(address)) {
                longest = Math.max(longest, own.length());
            }
        }
        return longest;
    }

    /// The address that a masqueraded packet to `destination` gets (nf_nat_masquerade.c; devinet.c,
    /// `inet_select_addr`): of the interface it leaves by one in the next hop's network, else its
    /// first; an interface without a global address takes that of another one.
    Optional<IpAddress> masqueradeAddress(String device, IpAddress destination) {
        IpAddress next = nextHop(destination);
        Optional<IpAddress> onDevice =
                device(device)
                        .flatMap(
                                out ->
                                        out.addresses().stream()
                                                .filter(own -> isGlobal(own, destination))
                                                .filter(own -> own.network().contains(next))
                                                .findFirst()
                                                .or(
                                                        () ->
                                                                out.addresses().stream()
                                                                        .filter(
                                                                                own ->
                                                                                        isGlobal(
                                                                                                own,
                                                                                                destination))
                                                                        .findFirst()))
                        .map(Address::address);
        return onDevice.or(
                () ->
                        interfaces.stream()
                                .flatMap(any -> any.addresses().stream())
                                .filter(own -> isGlobal(own, destination))
                                .map(Address::address)
                                .findFirst());
    }

    private static boolean isGlobal(Address own, IpAddress destination) {
        return own.address().family() == destination.family()
                && !isLoopback(own.address())
                && !LINK_LOCAL_6.contains(own.address());
    }

    private static final Cidr LINK_LOCAL_6 = Cidr.parse("fe80::/10");

    private IpAddress nextHop(IpAddress destination) {
        return Routes.of(routes)
                .best(destination)
                .flatMap(
                        route ->
                                route.hop() instanceof NextHop.Via(var gateway, _)
                                        ? Optional.of(gateway)
                                        : Optional.empty())
                .orElse(destination);
    }

    /// Whether a packet to `destination` sent by someone behind `side` has to come through here: it
    /// is for the node, or the sender has no other way.
    boolean isPassedBy(IpAddress destination, String sender) {
        return owns(destination) && !isHidden(destination)
                || device(sender).map(device -> device.side() == Side.PODS).orElse(false)
                || route(destination) instanceof Decision.Through(String device)
                        && !device.equals(sender)
                        && device(device).map(to -> to.side() == Side.PODS).orElse(false);
    }
}
