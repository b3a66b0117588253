package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Ruleset;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Reads what `nft -j list ruleset` prints (libnftables-json(5)): it says each object in nft's own
/// language, and [NftReader] reads that. So there is one place that knows what rules mean.
///
/// nft writes everything in one line; a line of the ruleset that is read is therefore a place in
/// the list `nftables`, counted from 1.
public final class NftJsonReader {
    private static final String LIST = "nftables";

    private NftJsonReader() {}

    /// What a kernel holds that printed `text`.
    ///
    /// @throws SyntaxException where the text is not what nft prints
    public static Ruleset read(String text) {
        List<Json> objects = JsonReader.read(text).fields().get(LIST).items();
        String script =
                objects.stream().map(NftJsonReader::command).collect(Collectors.joining("\n"));
        try {
            return NftReader.read(script);
        } catch (SyntaxException e) {
            Json object = objects.get(e.line() - 1);
            throw new SyntaxException(
                    object.line(),
                    object.column(),
                    LIST + "[" + (e.line() - 1) + "]: " + e.problem());
        }
    }

    /// The command that makes an object, empty for what needs none.
    private static String command(Json object) {
        Map<String, Json> kinds = object.fields().values();
        if (kinds.size() != 1) {
            throw object.wrong("an object of one kind");
        }
        String kind = kinds.keySet().iterator().next();
        Json.Fields fields = object.fields().get(kind).fields();
        return switch (kind) {
            case "table" -> table(fields);
            case "chain", "set", "map", "rule" ->
                    switch (fields.get("family").text()) {
                        // Their tables are told to be unread.
                        case "arp", "bridge", "netdev" -> "";
                        default -> part(kind, fields);
                    };
            // What refers to one of these is not understood where it does.
            case "metainfo",
                    "counter",
                    "quota",
                    "limit",
                    "secmark",
                    "synproxy",
                    "flowtable",
                    "ct helper",
                    "ct timeout",
                    "ct expectation" ->
                    "";
            default -> throw object.wrong("an object of a listing, not " + kind);
        };
    }

    private static String table(Json.Fields table) {
        boolean dormant =
                table.find("flags").map(NftJsonText::flags).orElse("").contains("dormant");
        return "add table "
                + NftJsonText.word(table.get("family"))
                + " "
                + NftJsonText.word(table.get("name"))
                + (dormant ? " { flags dormant; }" : "");
    }

    private static String part(String kind, Json.Fields fields) {
        String where =
                " "
                        + NftJsonText.word(fields.get("family"))
                        + " "
                        + NftJsonText.word(fields.get("table"))
                        + " ";
        return switch (kind) {
            case "chain" -> "add chain" + where + chain(fields);
            case "rule" -> {
                String statements = NftJsonText.statements(fields.get("expr").items());
                yield statements.isEmpty()
                        ? ""
                        : "add rule"
                                + where
                                + NftJsonText.word(fields.get("chain"))
                                + " "
                                + statements;
            }
            default ->
                    "add "
                            + kind
                            + where
                            + NftJsonText.word(fields.get("name"))
                            + " { "
                            + NftJsonSet.parts(fields)
                            + " }";
        };
    }

    private static String chain(Json.Fields chain) {
        String name = NftJsonText.word(chain.get("name"));
        if (chain.find("hook").isEmpty()) {
            return name;
        }
        return name
                + " { type "
                + NftJsonText.word(chain.get("type"))
                + " hook "
                + NftJsonText.word(chain.get("hook"))
                + " priority "
                + chain.get("prio").number()
                + "; "
                + chain.find("policy")
                        .map(policy -> "policy " + NftJsonText.word(policy) + "; ")
                        .orElse("")
                + "}";
    }
}
