package dev.pointsman;

import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Treatment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/// What is dialled, as `--to` says it.
record Receiver(IpAddress address, Protocol protocol, int port) {

    /// Reads `svc/NS/NAME[:PORT]`, a name or number, or `IP:PORT[/PROTO]`. A Service is dialled at
    /// the cluster IP of the first of `planners` that has one.
    static Receiver parse(String text, List<Planner> planners) {
        return text.startsWith("svc/")
                ? service(text.substring("svc/".length()), planners)
                : socket(text);
    }

    private static Receiver socket(String text) {
        int slash = text.indexOf('/');
        Socket socket = Socket.parse("--to", slash < 0 ? text : text.substring(0, slash));
        return new Receiver(
                socket.address(),
                slash < 0 ? Protocol.TCP : protocol(text.substring(slash + 1)),
                socket.port()
                        .orElseThrow(
                                () ->
                                        Complaint.ofInput(
                                                "--to: \""
                                                        + text
                                                        + "\" has no port; give"
                                                        + " IP:PORT or [IP]:PORT")));
    }

    private static Protocol protocol(String text) {
        for (Protocol protocol : Protocol.values()) {
            if (protocol.keyword().equals(text.toLowerCase(Locale.ROOT))) {
                return protocol;
            }
        }
        throw Complaint.ofInput("--to: \"" + text + "\" is none of tcp, udp, sctp");
    }

    private static Receiver service(String text, List<Planner> planners) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        String port = colon < 0 ? "" : text.substring(colon + 1);
        SortedSet<String> ports = new TreeSet<>();
        SortedSet<String> matching = new TreeSet<>();
        List<Receiver> found = new ArrayList<>();
        for (Planner planner : planners) {
            planner.graph()
                    .frontends()
                    .forEach(
                            (frontend, treatment) -> {
                                if (frontend instanceof Frontend.Address(var ip, var proto, int at)
                                        && treatment.kind() == Treatment.Kind.CLUSTER_IP
                                        && treatment.owner().service().toString().equals(name)) {
                                    String spelt = at + "/" + proto.keyword() + named(treatment);
                                    ports.add(spelt);
                                    if (matches(port, at, treatment)) {
                                        matching.add(spelt);
                                        found.add(new Receiver(ip, proto, at));
                                    }
                                }
                            });
        }
        if (ports.isEmpty()) {
            throw Complaint.ofInput(
                    "--to: no Service "
                            + name
                            + " with a cluster IP has rules; pointsman get services -A lists those"
                            + " that have");
        }
        if (matching.size() != 1) {
            throw Complaint.ofInput(
                    "--to: "
                            + (port.isEmpty() || !matching.isEmpty()
                                    ? "say which port of "
                                    : "there is no port " + port + " of ")
                            + name
                            + ", which has "
                            + String.join(", ", ports));
        }
        return found.getFirst();
    }

    private static String named(Treatment treatment) {
        return treatment.owner().port().isEmpty() ? "" : " (" + treatment.owner().port() + ")";
    }

    private static boolean matches(String port, int number, Treatment treatment) {
        return port.isEmpty()
                || port.equals(Integer.toString(number))
                || port.equals(treatment.owner().port())
                || port.equals(number + "/" + treatment.owner().protocol().keyword());
    }
}
