package dev.pointsman.config;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/// Gives the flags of a command line to fields.
final class Flags {
    private final Fields fields;

    private Flags(Fields fields) {
        this.fields = fields;
    }

    /// Takes `given` where no file is. Gives the flags that no field is for.
    static List<String> putAll(List<Flag.Given> given, Fields fields) {
        Flags flags = new Flags(fields);
        given.forEach(flags::put);
        flags.port(given, "healthz", "0.0.0.0");
        flags.port(given, "metrics", "127.0.0.1");
        return fieldless(given.stream());
    }

    /// Takes those of `given` that count beside a file, and warns of the others.
    static List<String> putBesideFile(List<Flag.Given> given, Fields fields) {
        Flags flags = new Flags(fields);
        List<String> ignored = new ArrayList<>();
        for (Flag.Given each : given) {
            switch (each.flag().besideFile()) {
                case COUNTS -> flags.put(each);
                case IGNORED -> ignored.add("--" + each.flag().name());
            }
        }
        if (!ignored.isEmpty()) {
            fields.warning(
                    "counts alone, as for kube-proxy: of what is given beside it, "
                            + String.join(", ", ignored)
                            + (ignored.size() == 1 ? " is ignored" : " are ignored"));
        }
        return fieldless(
                given.stream().filter(g -> g.flag().besideFile() == Flag.BesideFile.COUNTS));
    }

    private static List<String> fieldless(Stream<Flag.Given> given) {
        return given.filter(each -> each.flag().fields().isEmpty())
                .map(each -> "--" + each.flag().name())
                .toList();
    }

    private void put(Flag.Given given) {
        String title = "--" + given.flag().name();
        if (given.flag().name().endsWith("-port")) {
            return; // It says something about the address, which comes later.
        }
        for (String field : given.flag().fields()) {
            switch (given.flag().kind()) {
                case VALUE, SWITCH -> fields.put(field, Leaf.ofFlag(title, given.value()));
                case LIST -> {
                    List<Node> items = new ArrayList<>();
                    words(given.value()).forEach(word -> items.add(scalar(word)));
                    fields.put(
                            field,
                            Leaf.ofFlag(title, "")
                                    .of(title, new SequenceNode(Tag.SEQ, items, FlowStyle.FLOW)));
                }
                case GATES -> words(given.value()).forEach(gate -> putGate(field, title, gate));
            }
        }
    }

    private void putGate(String field, String title, String gate) {
        String[] parts = gate.split("=", 2);
        if (parts.length == 2) {
            fields.put(field + "." + parts[0].strip(), Leaf.ofFlag(title, parts[1].strip()));
        } else {
            fields.problem(title + ": \"" + gate + "\" is no gate with a value, such as A=true");
        }
    }

    /// `--healthz-port` and its like: 0 turns the server off, and any other is for an address that
    /// has none.
    private void port(List<Flag.Given> given, String server, String host) {
        String port = last(given, server + "-port", "");
        if (port.isEmpty()) {
            return;
        }
        String address = last(given, server + "-bind-address", host);
        String title = "--" + server + "-port";
        String field = server + "BindAddress";
        if (port.equals("0")) {
            fields.put(field, Leaf.ofFlag(title, ""));
        } else if (port.matches("\\d{1,5}") && !address.isEmpty()) {
            boolean bare = address.indexOf(':') < 0 || address.endsWith("]");
            fields.put(field, Leaf.ofFlag(title, bare ? address + ":" + port : address));
        } else if (!address.isEmpty()) {
            fields.problem(title + ": \"" + port + "\" is no port");
        }
    }

    private static String last(List<Flag.Given> given, String name, String otherwise) {
        BinaryOperator<String> later = (_, second) -> second;
        return given.stream()
                .filter(each -> each.flag().name().equals(name))
                .map(Flag.Given::value)
                .reduce(otherwise, later);
    }

    private static List<String> words(String value) {
        return Stream.of(value.split(",")).map(String::strip).filter(w -> !w.isEmpty()).toList();
    }

    private static ScalarNode scalar(String word) {
        return new ScalarNode(Tag.STR, word, ScalarStyle.PLAIN);
    }
}
