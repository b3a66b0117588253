package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RuleFormTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "-p tcp -m statistic --mode random --probability 0.3333333333 -j X"
                        + " ~ -p tcp -m statistic --mode random --probability 0.33333333349 -j X",
                "-m statistic --mode random --probability 0.0000099999 -j X"
                        + " ~ -m statistic --mode random --probability 0.00001000008 -j X",
                "-m comment --comment \"one\" -m mark --mark 0x1/0x1 -j X"
                        + " ~ -m mark --mark 0x1/0x1 -m comment --comment one -j X",
                "! -s 10.0.0.0/8 -d 10.0.0.1/32 -j X ~ -d 10.0.0.1/32 ! -s 10.0.0.0/8 -j X",
            })
    void versions_print_one_rule_in_several_ways(String written, String printed) {
        assertThat(RuleForm.of(written)).isEqualTo(RuleForm.of(printed));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "-s 10.0.0.0/8 -j X ~ ! -s 10.0.0.0/8 -j X",
                "-m mark ! --mark 0x1/0x1 -j X ~ -m mark --mark 0x1/0x1 -j X",
                "-m comment --comment \"a b\" -j X ~ -m comment --comment \"a c\" -j X",
                "-m statistic --mode random --probability 0.5000000000 -j X"
                        + " ~ -m statistic --mode random --probability 0.5000000010 -j X",
                "-j X ~ -g X",
            })
    void other_rules_have_another_form(String one, String other) {
        assertThat(RuleForm.of(one)).isNotEqualTo(RuleForm.of(other));
    }
}
