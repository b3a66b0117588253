package dev.pointsman.packet.netfilter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.KernelTest;
import dev.pointsman.packet.read.NftJsonReader;
import dev.pointsman.packet.read.NftReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// What a kernel holds is the same, whichever way nft prints it.
final class NftJsonAgreementTest {
    private static final int RULESETS = 60;
    private static final List<String> LISTINGS =
            List.of(
                    "/dev/pointsman/packet/read/kube-proxy.nft",
                    "/dev/pointsman/packet/read/listing.nft",
                    "/dev/pointsman/packet/read/statements.nft",
                    "/dev/pointsman/netlink/every-expression.nft");

    @KernelTest
    void words_and_json_say_the_same() throws Exception {
        try (RealTown town = new RealTown()) {
            for (String name : LISTINGS) {
                compare(town, resource(name));
            }
            for (int seed = 0; seed < RULESETS; seed++) {
                compare(town, new RandomRules(seed).ruleset());
            }
        }
    }

    private static void compare(RealTown town, String rules) {
        town.load(rules);
        // nft 1.0.6 warns of statements that it has no JSON for, and puts their words in.
        String json = town.run("", "sh", "-c", "nft -j list ruleset 2>/dev/null");
        assertThat(told(NftJsonReader.read(json)))
                .as("%s", rules)
                .isEqualTo(told(NftReader.read(town.listing())));
    }

    /// Everything but words, and lines, which JSON has other ones of; the time that elements have
    /// left goes on between two listings.
    private static List<String> told(Ruleset rules) {
        List<String> told = new ArrayList<>();
        for (Ruleset.Unread unread : rules.unread()) {
            told.add(unread.text());
        }
        for (Table table : rules.tables()) {
            for (Chain chain : table.chains().values()) {
                told.add(table.title() + " " + chain.name() + " " + chain.attachment());
                for (Rule rule : chain.rules()) {
                    told.add(
                            rule.steps()
                                    .toString()
                                    .replaceAll("line=[0-9]+", "")
                                    .replaceAll("Unknown\\[text=.*]", "Unknown"));
                }
            }
            for (NamedSet set : table.sets().values()) {
                told.add(table.title() + " " + set.name() + " " + set.timeout());
                for (Element element : set.elements().all()) {
                    told.add(element.key() + " " + element.data());
                }
            }
        }
        return told;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = NftJsonAgreementTest.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("no resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
