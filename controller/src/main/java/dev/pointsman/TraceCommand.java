package dev.pointsman;

import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Oracle;
import dev.pointsman.packet.netfilter.Fate;
import dev.pointsman.packet.netfilter.Fraction;
import dev.pointsman.packet.netfilter.Hop;
import dev.pointsman.packet.netfilter.Path;
import dev.pointsman.packet.netfilter.Paths;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.verify.AssumedNode;
import dev.pointsman.packet.verify.Diagnosis;
import dev.pointsman.packet.verify.Ending;
import dev.pointsman.packet.verify.Reason;
import dev.pointsman.packet.verify.Tracer;
import dev.pointsman.store.Finding;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `pointsman trace`.
@Command(
        name = "trace",
        description = {
            "Follows the first packet of a connection through one node's rules, hop by hop, on"
                    + " every way it can take, and says why where it does not get through.",
            "No packet is sent. Without --rules the rules are those that Pointsman would write."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:traced, whatever becomes of the packet",
            "2:bad usage, nothing could be read, the Node is unknown; with --strict also when an"
                    + " object could not be used",
            "3:the packet meets what is not understood, which is listed",
        })
final class TraceCommand implements Callable<Integer> {
    /// One way with what comes of it.
    private record Way(Path path, Ending ending, Optional<Reason> reason) {}

    private final Surroundings around;

    @Mixin FileOptions input = new FileOptions();
    @Mixin RuleOptions rules = new RuleOptions();
    @Mixin RuleFiles ruleFiles = new RuleFiles();
    @Mixin NodeFiles nodeFiles = new NodeFiles();
    @Mixin FlowFile flowFile = new FlowFile();

    @Option(
            names = "--from",
            paramLabel = "SENDER",
            required = true,
            description = "pod/NAMESPACE/NAME, host, outside:IP, or IP[:PORT].")
    String from = "";

    @Option(
            names = "--to",
            paramLabel = "DESTINATION",
            required = true,
            description =
                    "svc/NAMESPACE/NAME[:PORT], a port's name or number, or IP:PORT[/tcp|udp|sctp].")
    String to = "";

    @Option(
            names = {"-o", "--output"},
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
    TextFormat output = TextFormat.text;

    TraceCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        List<Finding> findings = new ArrayList<>();
        ProxyConfiguration configuration = rules.configuration(findings, ruleFiles.mode());
        Mode mode = rules.mode(configuration, around.modes().get());
        NodeSurvey survey = nodeFiles.read(rules.families(), findings);
        ruleFiles.reportAssumed(survey, findings);
        Situation situation =
                survey.of(Situation.read(input.files, around.in(), rules, configuration));
        findings.addAll(situation.findings());
        Sender sender = Sender.parse(from, situation);
        List<Planner> planners =
                rules.families().stream().filter(sender::isOf).map(situation::planner).toList();
        findings.addAll(Situation.conflicts(planners));
        Receiver receiver = Receiver.parse(to, planners);
        RuleGraph graph =
                planners.stream()
                        .map(Planner::graph)
                        .filter(g -> g.family() == receiver.address().family())
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        Complaint.ofInput(
                                                "--from and --to: the sender has no "
                                                        + receiver.address().family().title()
                                                        + " address, or --family leaves it out"));
        Flow flow = sender.to(receiver, graph, situation);
        Ruleset ruleset = ruleFiles.read(mode, graph, survey);
        AssumedNode node = survey.on(AssumedNode.of(graph, situation.node()), graph.family());
        Tracer tracer = new Tracer(node.sending(flow), ruleset);
        Remembered remembered = Remembered.of(flowFile, sender, flow, graph, situation);
        Paths paths =
                tracer.follow(flow, sender.port().orElse(Tracer.SOURCE_PORT), remembered.memory());
        Diagnosis diagnosis = new Diagnosis(graph, situation.node(), situation.services(), ruleset);
        List<Way> ways = new ArrayList<>();
        for (Path path : paths.paths()) {
            Ending ending = tracer.ending(path, flow);
            Optional<Reason> reason =
                    remembered.stale().stream()
                            .findFirst()
                            .or(() -> diagnosis.reason(flow, path, ending));
            ways.add(new Way(path, ending, reason));
        }
        String service =
                new Oracle(graph, situation.node())
                        .treatment(flow)
                        .map(treatment -> treatment.owner().toString())
                        .orElse("");
        switch (output) {
            case text -> print(flow, service, situation, mode, remembered, ways);
            case json ->
                    json(flow, service, situation, mode, remembered, ways, findings)
                            .print(around.out());
        }
        return input.report(
                findings, around.err(), paths.isTrustworthy() ? Exit.OK : Exit.UNTRUSTWORTHY);
    }

    private void print(
            Flow flow,
            String service,
            Situation situation,
            Mode mode,
            Remembered remembered,
            List<Way> ways) {
        PrintWriter out = around.out();
        out.println(
                "flow   " + flow + (service.isEmpty() ? ", no Service's" : ", Service " + service));
        out.println("node   " + situation.node().name() + ", " + ruleFiles.origin(mode));
        remembered.lines().forEach(line -> out.println("conntrack   " + line));
        for (String doubt : doubts(ways)) {
            out.println("NOT TRUSTWORTHY   " + doubt);
        }
        for (Way way : ways) {
            out.println();
            out.println(bold(way.path().probability() + "   " + words(way, flow)));
            way.reason()
                    .ifPresent(
                            reason -> {
                                out.println("   reason   " + reason.code() + ": " + reason.words());
                                out.println("   object   " + reason.object());
                            });
            for (Hop hop : way.path().hops()) {
                HopText text = HopText.of(hop);
                String hook = text.hook();
                for (String line : text.lines()) {
                    out.printf("   %-12s %s%n", hook, line);
                    hook = "";
                }
            }
        }
    }

    private String bold(String text) {
        return around.wantsColour() ? "\u001b[1m" + text + "\u001b[0m" : text;
    }

    private static Set<String> doubts(List<Way> ways) {
        Set<String> doubts = new LinkedHashSet<>();
        for (Way way : ways) {
            for (Path.Note note : way.path().notes()) {
                doubts.add(Doubt.words(note));
            }
        }
        return doubts;
    }

    private static String words(Way way, Flow flow) {
        return switch (way.path().fate()) {
            case Fate.Received(var packet) ->
                    arrives(
                            way,
                            flow,
                            packet.source(),
                            "received by the node itself at "
                                    + Socket.spelt(packet.destination(), packet.destinationPort()));
            case Fate.Left(String device, var packet) ->
                    arrives(
                            way,
                            flow,
                            packet.source(),
                            "leaves by "
                                    + device
                                    + " for "
                                    + Socket.spelt(packet.destination(), packet.destinationPort()));
            case Fate.Dropped _ -> "dropped";
            case Fate.Rejected _ -> "refused";
        };
    }

    private static String arrives(Way way, Flow flow, IpAddress source, String where) {
        return where
                + ", which sees "
                + (source.equals(flow.source()) ? "the sender's own " : "")
                + source
                + "; "
                + switch (way.path().reply()) {
                    case FINDS_BACK -> "the answer finds back";
                    case LOST -> "the answer takes another way and is lost";
                    case NONE -> "there is no answer";
                };
    }

    private Json json(
            Flow flow,
            String service,
            Situation situation,
            Mode mode,
            Remembered remembered,
            List<Way> ways,
            List<Finding> findings) {
        Map<String, Json> document = FileOptions.document("Trace");
        document.put("node", new Json.Text(situation.node().name()));
        document.put("rules", new Json.Text(ruleFiles.origin(mode)));
        document.put("flow", new Json.Text(flow.toString()));
        document.put("service", new Json.Text(service));
        document.put("conntrack", Json.of(remembered.lines()));
        document.put("notUnderstood", Json.of(doubts(ways)));
        document.put("ways", new Json.Array(ways.stream().map(way -> json(way, flow)).toList()));
        document.put("findings", FileOptions.json(findings));
        return new Json.Fields(document);
    }

    private static Json json(Way way, Flow flow) {
        Map<String, Json> fields = new LinkedHashMap<>();
        Fraction share = way.path().probability();
        fields.put("share", new Json.Text(share.toString()));
        fields.put("outcome", new Json.Text(way.ending().toString()));
        fields.put("words", new Json.Text(words(way, flow)));
        fields.put("reply", new Json.Text(way.path().reply().name()));
        way.reason()
                .ifPresent(
                        reason -> {
                            fields.put("reason", new Json.Text(reason.code().name()));
                            fields.put("why", new Json.Text(reason.words()));
                            fields.put("object", new Json.Text(reason.object()));
                        });
        List<Json> hops = new ArrayList<>();
        for (Hop hop : way.path().hops()) {
            HopText text = HopText.of(hop);
            Map<String, Json> item = new LinkedHashMap<>();
            item.put("hook", new Json.Text(text.hook()));
            item.put("place", new Json.Text(text.place()));
            item.put("rule", new Json.Text(text.text()));
            item.put("matchedBy", new Json.Text(text.why()));
            item.put("change", new Json.Text(text.change()));
            hops.add(new Json.Fields(item));
        }
        fields.put("hops", new Json.Array(hops));
        return new Json.Fields(fields);
    }
}
