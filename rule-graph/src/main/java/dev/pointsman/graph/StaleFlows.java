package dev.pointsman.graph;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Function;

/// Tells the UDP flows that must go from all others of a node (behaviour document 4). Whoever sends
/// UDP does not notice that nobody answers, and keeps the flow alive: it stays where it is until it
/// is deleted.
///
/// A flow to a Frontend must go if somebody answers it who is no endpoint any more, or if it was
/// never translated although there are endpoints. One to a Frontend that is gone must go if it was
/// translated. All others are nobody's business here, whoever translated them.
public final class StaleFlows {
    private static final Cidr IPV4_LOOPBACK = Cidr.parse("127.0.0.0/8");
    private static final Cidr IPV6_LOOPBACK = Cidr.parse("::1/128");

    private record Socket(IpAddress address, int port) {}

    private final Set<IpAddress> own;
    private final NodeRules node;
    private final Map<Frontend, Set<Socket>> answering = new HashMap<>();
    private final Set<Frontend> gone;
    private final BitSet ports = new BitSet();

    StaleFlows(
            RuleGraph graph,
            Function<ServicePortName, SortedSet<Endpoint>> endpoints,
            Set<Frontend> gone,
            Set<IpAddress> own) {
        this.own = own;
        this.gone = new HashSet<>(gone);
        node = graph.node();
        Map<ServicePortName, Set<Socket>> ofPort = new HashMap<>();
        graph.frontends()
                .forEach(
                        (frontend, treatment) -> {
                            if (frontend.protocol() == Protocol.UDP) {
                                answering.put(
                                        frontend,
                                        ofPort.computeIfAbsent(
                                                treatment.owner(),
                                                owner -> sockets(endpoints.apply(owner))));
                            }
                        });
        answering.keySet().forEach(frontend -> ports.set(frontend.port()));
        gone.forEach(frontend -> ports.set(frontend.port()));
    }

    private static Set<Socket> sockets(Collection<Endpoint> endpoints) {
        Set<Socket> sockets = HashSet.newHashSet(endpoints.size());
        endpoints.forEach(each -> sockets.add(new Socket(each.address(), each.port())));
        return sockets;
    }

    /// Whether there is no such flow, whatever the kernel has.
    public boolean isEmpty() {
        return ports.isEmpty();
    }

    /// Whether a flow to this port can be stale: a question that is answered faster than
    /// [#contains].
    public boolean hasPort(int port) {
        return ports.get(port);
    }

    /// Whether a flow must go.
    ///
    /// @param destination what the client dials
    /// @param answerer who is to answer it: the same address where nobody translates
    public boolean contains(IpAddress destination, int port, IpAddress answerer, int answersFrom) {
        boolean untranslated = answersFrom == port && answerer.equals(destination);
        Frontend address = new Frontend.Address(destination, Protocol.UDP, port);
        Frontend nodePort = new Frontend.NodePort(Protocol.UDP, port);
        // A Service's own address goes before the same address as one of the node.
        Frontend frontend =
                answering.containsKey(address) || !answersNodePorts(destination)
                        ? address
                        : nodePort;
        Set<Socket> endpoints = answering.get(frontend);
        if (endpoints == null) {
            return !untranslated && (gone.contains(frontend) || gone.contains(address));
        }
        return !endpoints.contains(new Socket(answerer, answersFrom))
                && !(untranslated && endpoints.isEmpty());
    }

    private boolean answersNodePorts(IpAddress address) {
        if (!(node instanceof NodeRules.Programmed rules) || IPV6_LOOPBACK.contains(address)) {
            return false;
        }
        if (IPV4_LOOPBACK.contains(address)) {
            return switch (rules.loopback()) {
                case ANSWERS -> true;
                case SILENT -> false;
            };
        }
        return (rules.addresses().contains(address) || own.contains(address))
                && switch (rules.nodePorts()) {
                    case NodePortAddresses.All _ -> true;
                    case NodePortAddresses.Within(var ranges) ->
                            ranges.stream().anyMatch(range -> range.contains(address));
                };
    }
}
