package dev.pointsman;

import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.kube.Pod;
import dev.pointsman.kube.Snapshot;
import dev.pointsman.kube.SnapshotReader;
import dev.pointsman.store.ClusterState;
import dev.pointsman.store.Finding;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// A cluster from files, as one node sees it.
///
/// @param services in the order of their names
/// @param settings with the service ranges of the cluster
/// @param findings what reading and a look over the whole brought up
record Situation(
        NodeView node,
        List<ServiceState.Present> services,
        List<Pod> pods,
        Settings settings,
        List<Finding> findings) {
    private static final int MOST_NAMES = 8;

    Situation {
        services = List.copyOf(services);
        pods = List.copyOf(pods);
        findings = List.copyOf(findings);
    }

    /// Reads `files` for the Node that `options` name.
    static Situation read(
            List<String> files,
            InputStream in,
            RuleOptions options,
            ProxyConfiguration configuration) {
        Snapshot snapshot = SnapshotReader.read(files, in);
        if (snapshot.counts().isEmpty()) {
            List<String> lines = new ArrayList<>();
            snapshot.findings().forEach(finding -> lines.add(finding.toString()));
            lines.add("error: there is no object in " + String.join(", ", files));
            throw new Complaint(Exit.INPUT, lines);
        }
        String name =
                options.nodeName(configuration)
                        .orElseThrow(
                                () ->
                                        Complaint.ofInput(
                                                "--node: give the Node to act as; the snapshot"
                                                        + " has "
                                                        + names(
                                                                new TreeSet<>(
                                                                        snapshot.nodes()
                                                                                .keySet()))));
        NodeView node =
                switch (snapshot.node(name)) {
                    case Snapshot.NodeLookup.Found(var found) -> found;
                    case Snapshot.NodeLookup.Unknown(var message) ->
                            throw Complaint.ofInput("--node: " + message);
                };
        ClusterState state = new ClusterState(name);
        snapshot.events().forEach(state::take);
        List<ServiceState.Present> services = state.all();
        List<Finding> findings = new ArrayList<>(snapshot.findings());
        portsWithoutCounterpart(services, findings);
        nothingRunsHere(name, services, findings);
        return new Situation(
                node,
                services,
                snapshot.pods(),
                configuration.settings().withServiceRanges(state.serviceRanges()),
                findings);
    }

    /// The same cluster, seen by a node that knows more of itself.
    Situation with(NodeView other) {
        return new Situation(other, services, pods, settings, findings);
    }

    /// A planner that holds the graph of this situation.
    Planner planner(Family family) {
        Planner planner = new Planner(family, node, settings);
        planner.plan(List.copyOf(services));
        return planner;
    }

    /// Frontends that several Services claim in one of `planners`.
    static List<Finding> conflicts(List<Planner> planners) {
        List<Finding> findings = new ArrayList<>();
        for (Planner planner : planners) {
            planner.conflicts()
                    .forEach(
                            (frontend, owners) -> {
                                for (ServicePortName loser : owners.subList(1, owners.size())) {
                                    findings.add(
                                            new Finding(
                                                    Finding.Severity.WARNING,
                                                    "Service " + loser.service(),
                                                    "",
                                                    "",
                                                    "its "
                                                            + frontend
                                                            + " ("
                                                            + planner.graph().family().title()
                                                            + ") belongs to "
                                                            + owners.getFirst(),
                                                    "it is not served there until "
                                                            + owners.getFirst().service()
                                                            + " gives it up"));
                                }
                            });
        }
        return findings;
    }

    private static void portsWithoutCounterpart(
            List<ServiceState.Present> services, List<Finding> findings) {
        for (ServiceState.Present state : services) {
            SortedSet<String> offered = new TreeSet<>();
            for (EndpointSlice slice : state.slices()) {
                slice.ports()
                        .forEach(port -> offered.add(spelt(port.name(), port.protocol().name())));
            }
            if (offered.isEmpty()) {
                continue;
            }
            for (Service.Port port : state.service().ports()) {
                String wanted = spelt(port.name(), port.protocol().name());
                if (!offered.contains(wanted)) {
                    findings.add(
                            new Finding(
                                    Finding.Severity.WARNING,
                                    "Service " + state.name(),
                                    "",
                                    "spec.ports",
                                    "port "
                                            + wanted
                                            + " has no counterpart in its slices, which have "
                                            + String.join(", ", offered),
                                    "it has no endpoints and is refused; names and protocols must"
                                            + " be equal"));
                }
            }
        }
    }

    private static String spelt(String port, String protocol) {
        return "\"" + port + "\" " + protocol;
    }

    /// A wrong node name makes every endpoint look remote, and nothing else tells.
    private static void nothingRunsHere(
            String node, List<ServiceState.Present> services, List<Finding> findings) {
        SortedSet<String> nodes = new TreeSet<>();
        for (ServiceState.Present state : services) {
            for (EndpointSlice slice : state.slices()) {
                for (EndpointSlice.Entry entry : slice.entries()) {
                    nodes.add(entry.node());
                }
            }
        }
        nodes.remove("");
        if (!nodes.isEmpty() && !nodes.contains(node)) {
            findings.add(
                    new Finding(
                            Finding.Severity.WARNING,
                            "Node " + node,
                            "",
                            "",
                            "no endpoint has nodeName \""
                                    + node
                                    + "\"; those there are have "
                                    + names(nodes),
                            "every endpoint counts as remote, and policy Local drops; if pods run"
                                    + " here, the node's name is wrong"));
        }
    }

    private static String names(SortedSet<String> names) {
        if (names.isEmpty()) {
            return "none";
        }
        String some = String.join(", ", names.stream().limit(MOST_NAMES).toList());
        return names.size() > MOST_NAMES
                ? some + " and " + (names.size() - MOST_NAMES) + " more"
                : some;
    }
}
