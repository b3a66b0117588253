package dev.pointsman.packet.verify;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Sources;
import dev.pointsman.graph.Treatment;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Oracle;
import dev.pointsman.packet.Outcome;
import dev.pointsman.packet.netfilter.Chain;
import dev.pointsman.packet.netfilter.Fate;
import dev.pointsman.packet.netfilter.Hop;
import dev.pointsman.packet.netfilter.Path;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Table;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Says why flows do not get through.
public final class Diagnosis {
    private static final Cidr LOOPBACK_4 = Cidr.parse("127.0.0.0/8");
    private static final Cidr LOOPBACK_6 = Cidr.parse("::1/128");

    private final RuleGraph graph;
    private final NodeView node;
    private final List<ServiceState.Present> services;
    private final Ruleset rules;
    private final Oracle oracle;

    public Diagnosis(
            RuleGraph graph, NodeView node, List<ServiceState.Present> services, Ruleset rules) {
        this.graph = graph;
        this.node = node;
        this.services = List.copyOf(services);
        this.rules = rules;
        this.oracle = new Oracle(graph, node);
    }

    /// Empty when `flow` reaches an endpoint by `path` and is answered.
    public Optional<Reason> reason(Flow flow, Path path, Ending ending) {
        return switch (ending) {
            case Ending.Unanswered _ ->
                    Optional.of(
                            new Reason(
                                    Reason.Code.ANSWER_LOST,
                                    "the endpoint answers to an address that is reached past this"
                                            + " node, which alone could translate the answer",
                                    owner(flow)));
            case Ending.Of(Outcome.Delivered _) -> Optional.empty();
            case Ending.Of(var outcome) -> Optional.of(stopped(flow, path, outcome));
        };
    }

    private Reason stopped(Flow flow, Path path, Outcome outcome) {
        boolean intended = oracle.outcomes(flow).possible().contains(outcome);
        Optional<Reason> rule = byRule(path, intended);
        if (rule.isPresent()) {
            return rule.get();
        }
        if (path.fate() instanceof Fate.Dropped(var cause)
                && cause != Fate.Cause.RULE
                && cause != Fate.Cause.POLICY) {
            return new Reason(
                    Reason.Code.NO_ROUTE,
                    switch (cause) {
                        case MARTIAN -> "the source cannot be on the interface it came in by";
                        case NO_ROUTE -> "there is no route to the destination";
                        case FORWARDING_OFF -> "the node does not forward packets";
                        case NO_ADDRESS -> "there is no address to masquerade with";
                        case NOT_BALANCED ->
                                "IPVS cannot send it on: its real server is gone, or a loopback"
                                        + " address would have to leave the node";
                        case RULE, POLICY -> "a rule dropped it";
                    },
                    "routing of Node " + node.name());
        }
        return oracle.treatment(flow)
                .map(treatment -> ofService(flow, treatment))
                .orElseGet(() -> ofNoService(flow));
    }

    private static String object(Hop hop) {
        return switch (hop) {
            case Hop.ByRule(_, var table, var chain, var rule, _, _, _) ->
                    "line "
                            + rule.line()
                            + ", table "
                            + table
                            + ", chain "
                            + chain
                            + ": "
                            + rule.text();
            case Hop.ByPolicy(_, var table, var chain) ->
                    "policy of table " + table + ", chain " + chain;
            case Hop.ByVirtualServer(_, var server, _, _) ->
                    "line " + server.line() + ", virtual server of IPVS";
            case Hop.Routed _, Hop.Followed _, Hop.Carried _ -> "";
        };
    }

    /// The last rule or policy, if it is not what intent wants, or nobody's who serves Services.
    private static Optional<Reason> wrong(Hop hop, boolean proxys, boolean intended) {
        String object = object(hop);
        if (!proxys) {
            return Optional.of(
                    new Reason(
                            Reason.Code.FOREIGN_FIREWALL,
                            "a rule that no Service proxy wrote stopped it",
                            object));
        }
        return intended
                ? Optional.empty()
                : Optional.of(
                        new Reason(
                                Reason.Code.WRONG_RULE,
                                "a rule of the Service proxy stopped what it should let through",
                                object));
    }

    private Optional<Reason> byRule(Path path, boolean intended) {
        if (path.isUntouched() || path.hops().isEmpty()) {
            return Optional.empty();
        }
        Hop last = path.hops().getLast();
        return switch (last) {
            case Hop.ByRule(_, var table, var chain, _, _, _, _) ->
                    wrong(last, isProxys(table, chain), intended);
            case Hop.ByPolicy(_, var table, var chain) ->
                    wrong(last, isProxys(table, chain), intended);
            case Hop.ByVirtualServer _ when path.fate() instanceof Fate.Rejected && !intended ->
                    Optional.of(
                            new Reason(
                                    Reason.Code.WRONG_RULE,
                                    "its virtual server has no real server for it",
                                    object(last)));
            case Hop.ByVirtualServer _, Hop.Carried _, Hop.Routed _, Hop.Followed _ ->
                    Optional.empty();
        };
    }

    /// iptables proxies share tables with others and name their chains; nftables ones have a table.
    private boolean isProxys(String table, String chain) {
        return chain.startsWith("KUBE-")
                || rules.tables().stream()
                        .filter(t -> t.title().equals(table))
                        .anyMatch(Diagnosis::translatesByMap);
    }

    private static boolean translatesByMap(Table table) {
        return table.chains().values().stream()
                .map(Chain::rules)
                .flatMap(List::stream)
                .flatMap(rule -> rule.steps().stream())
                .anyMatch(Step.Choose.class::isInstance);
    }

    private Reason ofService(Flow flow, Treatment treatment) {
        if (treatment.sources() instanceof Sources.Only(var ranges)
                && ranges.stream().noneMatch(range -> range.contains(flow.source()))) {
            return new Reason(
                    Reason.Code.SOURCE_RANGE,
                    flow.source()
                            + " is in none of "
                            + ranges.stream().map(Cidr::toString).collect(Collectors.joining(", ")),
                    "Service " + treatment.owner().service() + " spec.loadBalancerSourceRanges");
        }
        return switch (oracle.disposition(flow, treatment)) {
            case Disposition.Reject _ -> noEndpoints(treatment.owner());
            case Disposition.Drop _ ->
                    new Reason(
                            Reason.Code.NO_LOCAL_ENDPOINT,
                            "policy Local, and no usable endpoint runs on "
                                    + node.name()
                                    + "; the Service has endpoints on "
                                    + nodes(treatment.owner()),
                            "Service "
                                    + treatment.owner().service()
                                    + (treatment.kind() == Treatment.Kind.CLUSTER_IP
                                            ? " spec.internalTrafficPolicy"
                                            : " spec.externalTrafficPolicy"));
            case Disposition.Balance _ ->
                    new Reason(
                            Reason.Code.WRONG_RULE,
                            "no rule translates it, though the Service has endpoints for it",
                            "Service " + treatment.owner());
        };
    }

    private List<EndpointSlice> slices(ServicePortName owner) {
        return services.stream()
                .filter(state -> state.name().equals(owner.service()))
                .flatMap(state -> state.slices().stream())
                .toList();
    }

    private Reason noEndpoints(ServicePortName owner) {
        SortedSet<String> offered = new TreeSet<>();
        boolean matches = false;
        for (EndpointSlice slice : slices(owner)) {
            for (EndpointSlice.Port port : slice.ports()) {
                matches |= port.name().equals(owner.port()) && port.protocol() == owner.protocol();
                offered.add("\"" + port.name() + "\" " + port.protocol());
            }
        }
        return matches || offered.isEmpty()
                ? new Reason(
                        Reason.Code.NO_ENDPOINTS,
                        "no endpoint of " + owner + " is ready, or serving while it terminates",
                        "Service " + owner)
                : new Reason(
                        Reason.Code.PORT_NAME_MISMATCH,
                        "port \""
                                + owner.port()
                                + "\" "
                                + owner.protocol()
                                + " has no counterpart in the slices, which have "
                                + String.join(", ", offered),
                        "Service " + owner.service() + " spec.ports");
    }

    private String nodes(ServicePortName owner) {
        SortedSet<String> nodes = new TreeSet<>();
        for (EndpointSlice slice : slices(owner)) {
            slice.entries().forEach(entry -> nodes.add(entry.node()));
        }
        nodes.remove("");
        return nodes.isEmpty() ? "no named Node" : String.join(", ", nodes);
    }

    private Reason ofNoService(Flow flow) {
        IpAddress address = flow.destination();
        Treatment nodePort =
                graph.frontends().get(new Frontend.NodePort(flow.protocol(), flow.port()));
        boolean loopback = LOOPBACK_4.contains(address) || LOOPBACK_6.contains(address);
        if (nodePort != null && loopback) {
            return new Reason(
                    Reason.Code.LOCALHOST_UNSUPPORTED,
                    "node ports do not answer on loopback addresses",
                    "Service " + nodePort.owner());
        }
        if (nodePort != null && node.addresses().contains(address)) {
            return new Reason(
                    Reason.Code.NODE_PORT_ADDRESS,
                    address + " is none of the node's addresses that answer on node ports",
                    "configuration nodePortAddresses");
        }
        for (Protocol protocol : Protocol.values()) {
            Treatment other =
                    graph.frontends().get(new Frontend.Address(address, protocol, flow.port()));
            if (other != null) {
                return new Reason(
                        Reason.Code.WRONG_PROTOCOL,
                        "the Service has port " + flow.port() + " over " + protocol + " only",
                        "Service " + other.owner());
            }
        }
        Optional<ServicePortName> owner = ownerOf(address);
        return owner.map(
                        name ->
                                new Reason(
                                        Reason.Code.UNKNOWN_PORT,
                                        "no Service has port "
                                                + flow.port()
                                                + "/"
                                                + flow.protocol().keyword()
                                                + " of this address",
                                        "Service " + name.service() + " spec.ports"))
                .orElseGet(
                        () ->
                                new Reason(
                                        Reason.Code.NO_SERVICE,
                                        node.addresses().contains(address)
                                                ? "no Service has node port "
                                                        + flow.port()
                                                        + "/"
                                                        + flow.protocol().keyword()
                                                : "no Service has " + address,
                                        "address " + address));
    }

    private Optional<ServicePortName> ownerOf(IpAddress address) {
        return graph
                .frontends()
                .subMap(
                        new Frontend.Address(address, Protocol.TCP, 0),
                        new Frontend.Address(address, Protocol.SCTP, 65536))
                .values()
                .stream()
                .map(Treatment::owner)
                .findFirst();
    }

    private String owner(Flow flow) {
        return oracle.treatment(flow)
                .map(treatment -> "Service " + treatment.owner())
                .orElse("address " + flow.destination());
    }
}
