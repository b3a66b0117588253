package dev.pointsman.packet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.packet.netfilter.Rule;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Step;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// That it reads the same as [NftReader] does is NftJsonAgreementTest's.
final class NftJsonReaderTest {
    private static final String TABLE = "{\"table\": {\"family\": \"ip\", \"name\": \"t\"}}, ";
    private static final String CHAIN =
            "{\"chain\": {\"family\": \"ip\", \"table\": \"t\", \"name\": \"c\"}}, ";

    private static String listing(String object) {
        return "{\"nftables\": [" + TABLE + CHAIN + "\n" + object + "]}";
    }

    private static String rule(String statements) {
        return listing(
                "{\"rule\": {\"family\": \"ip\", \"table\": \"t\", \"chain\": \"c\", \"expr\": ["
                        + statements
                        + "]}}");
    }

    private static List<Step> unknown(Ruleset ruleset) {
        return NftReaderTest.rules(ruleset).stream()
                .flatMap(rule -> rule.steps().stream())
                .filter(step -> step instanceof Step.Unknown)
                .toList();
    }

    @Test
    void everything_in_what_kube_proxy_wrote_is_understood() throws IOException {
        Ruleset ruleset = NftJsonReader.read(NftReaderTest.resource("kube-proxy.json"));
        assertThat(NftReaderTest.rules(ruleset)).isNotEmpty();
        assertThat(unknown(ruleset)).isEmpty();
        assertThat(ruleset.unread()).isEmpty();
    }

    @Test
    void a_rule_is_shown_in_words_and_found_by_its_place_in_the_list() {
        Rule rule =
                NftReaderTest.rules(
                                NftJsonReader.read(
                                        rule(
                                                """
                                                {"match": {"op": "in", "left": {"ct": {"key": "state"}}, "right": ["new", "related"]}},
                                                {"jump": {"target": "c"}}
                                                """)))
                        .getFirst();
        assertThat(rule).hasToString("3: ct state new,related jump c");
    }

    /// nft's grammar would take some of these for something else if they were said word for word.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"tproxy\": {\"port\": 80}}",
                "{\"match\": {\"op\": \"~\", \"left\": {\"meta\": {\"key\": \"mark\"}}, \"right\": 1}}",
                "{\"match\": {\"op\": \"==\", \"left\": {\"meta\": {\"key\": \"iifname\"}}, \"right\": {\"what\": 1}}}",
                "{\"match\": {\"op\": \"==\", \"left\": {\"payload\": {\"base\": \"nh\", \"offset\": 0, \"len\": 8}}, \"right\": 1}}",
                "{\"dnat\": {\"addr\": \"10.0.0.1\", \"type_flags\": \"prefix\"}}",
                "{\"accept\": null, \"drop\": null}",
                "\"accept; flush ruleset\"",
            })
    void what_it_has_no_words_for_ends_trust_in_the_rule(String statement) {
        Ruleset ruleset = NftJsonReader.read(rule(statement + ", {\"accept\": null}"));
        assertThat(NftReaderTest.rules(ruleset)).hasSize(1);
        assertThat(NftReaderTest.rules(ruleset).getFirst().steps())
                .singleElement()
                .isInstanceOf(Step.Unknown.class);
    }

    @Test
    void a_set_that_is_more_than_it_seems_is_none() {
        for (String part :
                List.of(
                        "\"news\": 1",
                        "\"elem\": [{\"elem\": {\"val\": \"10.0.0.1\", \"news\": 1}}]",
                        "\"elem\": [{\"news\": 1}]")) {
            Ruleset ruleset =
                    NftJsonReader.read(
                            listing(
                                    "{\"set\": {\"family\": \"ip\", \"table\": \"t\", \"name\": \"s\","
                                            + " \"type\": \"ipv4_addr\", "
                                            + part
                                            + "}}"));
            assertThat(ruleset.tables().getFirst().sets()).as(part).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"nftables\": [{\"table\": | 1:24: expected a value, found the end of the text",
                "[] | 1:1: expected an object, found an array",
                "{} | 1:1: expected nftables",
                "{\"nftables\": [{\"add\": {\"table\": {}}}]} | 1:15: expected an object of a listing, not add, found an object",
                "{\"nftables\": [{\"chain\": {\"family\": \"ip\", \"table\": \"t\", \"name\": \"c\"}}]} | 1:15: nftables[0]: expected a table that was added before, found t",
                "{\"nftables\": [{\"rule\": {\"family\": \"ip\", \"table\": \"t\", \"chain\": \"c\", \"expr\": [{\"match\": {\"op\": \"==\", \"left\": {\"&\": []}, \"right\": 1}}]}}]} | 1:115: expected an operand for &, found an array",
                "{\"nftables\": [{\"table\": {\"family\": \"ip\", \"name\": \"a\\\"b\"}}]} | 1:50: expected a name without quotes, found a\"b",
            })
    void errors_say_where(String text, String message) {
        assertThatThrownBy(() -> NftJsonReader.read(text))
                .isInstanceOf(SyntaxException.class)
                .hasMessage(message);
    }
}
