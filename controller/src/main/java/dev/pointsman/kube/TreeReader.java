package dev.pointsman.kube;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.dataformat.yaml.YAMLParser;

/// Reads one object after the other from a stream of tokens, JSON or YAML, keeping of each only
/// what somebody reads.
final class TreeReader {
    /// Names of all fields that anybody reads, at whatever depth. `managedFields`, most
    /// annotations, containers and images are most of a cluster's text, and not among them.
    private static final Set<String> READ =
            Set.of(
                    // any object, lists and watch events
                    "apiVersion",
                    "kind",
                    "metadata",
                    "spec",
                    "status",
                    "namespace",
                    "name",
                    "annotations",
                    "labels",
                    "creationTimestamp",
                    "resourceVersion",
                    "continue",
                    "type",
                    "object",
                    "code",
                    "message",
                    "reason",
                    // the labels and annotations
                    Labels.PROXY_NAME,
                    Labels.HEADLESS,
                    Labels.SERVICE_NAME,
                    Labels.ZONE,
                    ServiceDecoder.SCHEDULER,
                    SliceDecoder.TRIGGER,
                    // Service
                    "clusterIP",
                    "clusterIPs",
                    "ipFamilies",
                    "externalIPs",
                    "loadBalancerSourceRanges",
                    "internalTrafficPolicy",
                    "externalTrafficPolicy",
                    "sessionAffinity",
                    "sessionAffinityConfig",
                    "clientIP",
                    "timeoutSeconds",
                    "healthCheckNodePort",
                    "ports",
                    "port",
                    "protocol",
                    "nodePort",
                    "loadBalancer",
                    "ingress",
                    "ip",
                    "ipMode",
                    // EndpointSlice
                    "addressType",
                    "endpoints",
                    "addresses",
                    "conditions",
                    "ready",
                    "serving",
                    "terminating",
                    "nodeName",
                    "hints",
                    "forZones",
                    "forNodes",
                    // Node, Pod, ServiceCIDR
                    "address",
                    "podCIDRs",
                    "podIP",
                    "podIPs",
                    "hostNetwork",
                    "phase",
                    "cidrs",
                    "deletionTimestamp",
                    "taints",
                    "key");

    /// A slice with 100,000 endpoints passes; the API's limit is 1,000.
    private static final int MOST_VALUES = 4_000_000;

    /// Nothing that is read lies half as deep; values are read by recursion.
    private static final int DEEPEST = 60;

    private static final int LONGEST_POINTER = 120;

    private final JsonParser parser;
    private final GuardedInput input;
    private final int linesBefore;
    private final List<KubeObject.Defect> defects = new ArrayList<>();
    private int values;
    private int depth;

    TreeReader(JsonParser parser, GuardedInput input) {
        this(parser, input, 0);
    }

    /// @param linesBefore how many lines of the source come before what `parser` reads
    TreeReader(JsonParser parser, GuardedInput input, int linesBefore) {
        this.parser = parser;
        this.input = input;
        this.linesBefore = linesBefore;
    }

    /// The next token, or [JsonToken#NOT_AVAILABLE] at the end.
    JsonToken next() {
        JsonToken token = parser.nextToken();
        input.tokenCompleted();
        return token == null ? JsonToken.NOT_AVAILABLE : token;
    }

    /// What a value is that begins with `token`, in words.
    static String called(JsonToken token) {
        return switch (token) {
            case START_OBJECT, END_OBJECT, PROPERTY_NAME -> "an object";
            case START_ARRAY, END_ARRAY -> "a list";
            case VALUE_STRING -> "a text";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
            case VALUE_TRUE, VALUE_FALSE -> "true or false";
            case VALUE_NULL, NOT_AVAILABLE -> "nothing";
            case VALUE_EMBEDDED_OBJECT -> "a binary value";
        };
    }

    /// Name of the field that the last token was.
    String name() {
        return String.valueOf(parser.currentName());
    }

    /// The object that begins with the last token.
    KubeObject object(String source) {
        Origin origin = origin(source);
        begin();
        return new KubeObject(fields(), origin, defects());
    }

    /// Whether values of fields with this name are kept.
    static boolean reads(String name) {
        return READ.contains(name);
    }

    /// Forgets what was wrong with earlier objects.
    void begin() {
        defects.clear();
        values = 0;
        depth = parser.streamReadContext().getNestingDepth();
    }

    List<KubeObject.Defect> defects() {
        return List.copyOf(defects);
    }

    /// Where the last token begins.
    Origin origin(String source) {
        int line = parser.currentTokenLocation().getLineNr();
        return new Origin(source, line < 1 ? 0 : line + linesBefore);
    }

    /// The way to the last token, such as `/items/3/spec`, or its beginning.
    String pointer() {
        String pointer = parser.streamReadContext().pathAsPointer().toString();
        return pointer.length() > LONGEST_POINTER
                ? pointer.substring(0, LONGEST_POINTER) + "…"
                : pointer;
    }

    /// Adds the field that the last token names, unless nobody reads it.
    void field(Map<String, Tree> fields) {
        String name = name();
        JsonToken first = next();
        if (name.equals("<<")) {
            unusable(name, "YAML merge keys are not supported; kubectl prints none");
        }
        if (!READ.contains(name) || values > MOST_VALUES) {
            skip(first);
        } else if (fields.put(name, value(first)) != null) {
            defects.add(
                    new KubeObject.Defect(
                            name,
                            "is given more than once in the same object; the last one counts",
                            KubeObject.Effect.HARMLESS));
        }
    }

    private Tree.Fields fields() {
        Map<String, Tree> fields = new HashMap<>();
        while (next() == JsonToken.PROPERTY_NAME) {
            field(fields);
        }
        return new Tree.Fields(fields);
    }

    private Tree.Items items() {
        List<Tree> items = new ArrayList<>();
        for (JsonToken first = next(); first != JsonToken.END_ARRAY; first = next()) {
            if (values > MOST_VALUES) {
                skip(first);
            } else {
                items.add(value(first));
            }
        }
        return new Tree.Items(items);
    }

    private Tree value(JsonToken first) {
        if (++values == MOST_VALUES) {
            unusable("", "holds more than " + MOST_VALUES + " values");
        }
        if (first.isStructStart()
                && parser.streamReadContext().getNestingDepth() - depth > DEEPEST) {
            unusable("", "is nested more than " + DEEPEST + " deep");
            skip(first);
            return Tree.ABSENT;
        }
        return switch (first) {
            case START_OBJECT -> fields();
            case START_ARRAY -> items();
            case VALUE_STRING -> {
                if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
                    unusable(
                            "*" + parser.getString(),
                            "YAML aliases are not supported; kubectl prints none");
                }
                yield new Tree.Text(parser.getString());
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Tree.Digits(parser.getString());
            case VALUE_TRUE -> new Tree.Flag(true);
            case VALUE_FALSE -> new Tree.Flag(false);
            case VALUE_NULL -> Tree.ABSENT;
            case VALUE_EMBEDDED_OBJECT -> {
                unusable("", "holds a YAML binary value");
                yield Tree.ABSENT;
            }
            case END_ARRAY, END_OBJECT, PROPERTY_NAME, NOT_AVAILABLE ->
                    throw new IllegalStateException("parser gave " + first + " for a value");
        };
    }

    /// Leaves out the value that begins with `first`. Not the parser's own skipping: the guard must
    /// see that tokens are completed.
    void skip(JsonToken first) {
        int depth = depth(first);
        while (depth > 0) {
            depth += depth(next());
        }
    }

    private static int depth(JsonToken token) {
        return token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
    }

    private void unusable(String field, String reason) {
        defects.add(new KubeObject.Defect(field, reason, KubeObject.Effect.OBJECT_UNUSABLE));
    }
}
