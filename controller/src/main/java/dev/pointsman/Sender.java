package dev.pointsman;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.kube.Pod;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.verify.AssumedNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Who sends, as `--from` says it.
sealed interface Sender {
    /// Somebody with addresses of his own.
    record Somebody(Flow.Origin origin, List<IpAddress> addresses) implements Sender {
        public Somebody {
            addresses = List.copyOf(addresses);
        }
    }

    /// Whoever has this address.
    record Anybody(IpAddress address, OptionalInt port) implements Sender {}

    /// Reads `pod/NS/NAME`, `host`, `outside:IP` or `IP[:PORT]`.
    static Sender parse(String text, Situation situation) {
        if (text.equals("host")) {
            return new Somebody(Flow.Origin.HOST, situation.node().addresses());
        }
        if (text.startsWith("pod/")) {
            return pod(text, situation);
        }
        if (text.startsWith("outside:")) {
            IpAddress address = Socket.address("--from", text.substring("outside:".length()));
            if (situation.node().addresses().contains(address)) {
                throw Complaint.ofInput(
                        "--from: " + address + " is the node's own; give host, or " + address);
            }
            return new Somebody(Flow.Origin.OUTSIDE, List.of(address));
        }
        Socket socket = Socket.parse("--from", text);
        return new Anybody(socket.address(), socket.port());
    }

    private static Sender pod(String text, Situation situation) {
        String name = text.substring("pod/".length());
        Pod pod =
                situation.pods().stream()
                        .filter(p -> (p.namespace() + "/" + p.name()).equals(name))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        Complaint.ofInput(
                                                "--from: there is no Pod "
                                                        + name
                                                        + " in the snapshot, which has "
                                                        + situation.pods().size()
                                                        + " Pods; print them into it with kubectl"
                                                        + " get pods -A -o yaml, or give its"
                                                        + " address"));
        if (pod.addresses().isEmpty()) {
            throw Complaint.ofInput(
                    "--from: Pod "
                            + name
                            + " has no address: it has not got one yet, or it is finished; give"
                            + " the address");
        }
        boolean here = pod.node().equals(situation.node().name());
        return new Somebody(
                switch (pod.network()) {
                    case HOST -> here ? Flow.Origin.HOST : Flow.Origin.OUTSIDE;
                    case POD -> here ? Flow.Origin.POD : Flow.Origin.OUTSIDE;
                },
                pod.addresses());
    }

    /// Whether there can be a flow of `family` from it.
    default boolean isOf(Family family) {
        return switch (this) {
            case Somebody(_, var addresses) ->
                    addresses.stream().anyMatch(address -> address.family() == family);
            case Anybody(var address, _) -> address.family() == family;
        };
    }

    /// The port it sends from, where one was given.
    default OptionalInt port() {
        return switch (this) {
            case Somebody _ -> OptionalInt.empty();
            case Anybody(_, var port) -> port;
        };
    }

    /// The flow to `receiver`.
    default Flow to(Receiver receiver, RuleGraph graph, Situation situation) {
        IpAddress destination = receiver.address();
        return switch (this) {
            case Somebody(var origin, var addresses) ->
                    new Flow(
                            origin,
                            receiver.protocol(),
                            source(origin, addresses, destination),
                            destination,
                            receiver.port());
            case Anybody(var address, _) -> {
                if (address.family() != destination.family()) {
                    throw Complaint.ofInput(
                            "--from and --to: " + address + " cannot reach " + destination);
                }
                Optional<Flow.Origin> origin =
                        AssumedNode.of(graph, situation.node()).origin(address);
                yield new Flow(
                        origin.orElseThrow(
                                () -> Complaint.ofInput("--from: nobody sends from " + address)),
                        receiver.protocol(),
                        address,
                        destination,
                        receiver.port());
            }
        };
    }

    /// The address that the kernel chooses for a process of the node or a pod.
    private static IpAddress source(
            Flow.Origin origin, List<IpAddress> addresses, IpAddress destination) {
        if (Node.isLoopback(destination)) {
            if (origin != Flow.Origin.HOST) {
                throw Complaint.ofInput(
                        "--to: "
                                + destination
                                + " is the sender's own loopback, which no packet leaves; only"
                                + " --from host has the node's");
            }
            return destination;
        }
        return addresses.stream()
                .filter(address -> address.family() == destination.family())
                .findFirst()
                .orElseThrow(
                        () ->
                                Complaint.ofInput(
                                        "--from: it has no "
                                                + destination.family().title()
                                                + " address, which "
                                                + destination
                                                + " needs"));
    }
}
