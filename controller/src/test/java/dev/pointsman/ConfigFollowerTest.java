package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.config.ConfigReader;
import dev.pointsman.config.ConfigReading;
import dev.pointsman.config.ModeChoice;
import dev.pointsman.config.ProxyConfiguration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConfigFollowerTest {
    private static final String HEAD =
            "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n";

    private final List<String> refusals = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final List<ProxyConfiguration> applied = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private String text = "nftables: {masqueradeBit: 3}\n";

    private ConfigReading read() {
        return ConfigReader.read("c", HEAD + text, List.of(), ModeChoice.OPEN);
    }

    private final ConfigFollower follower =
            new ConfigFollower(
                    (ConfigReading.Read) read(),
                    this::read,
                    new ConfigFollower.Steps() {
                        @Override
                        public void say(String line) {
                            said.add(line);
                        }

                        @Override
                        public void refuse(String reason) {
                            refusals.add(reason);
                        }

                        @Override
                        public void apply(ConfigReading.Read taken) {
                            applied.add(taken.configuration());
                        }

                        @Override
                        public void end(String reason) {
                            ends.add(reason);
                        }
                    });

    private void changesTo(String other) {
        text = other;
        follower.look();
    }

    @Test
    void a_file_that_says_the_same_in_other_words_changes_nothing() {
        changesTo("# as before\nnftables: {masqueradeBit: 3, masqueradeAll: false}\n");
        assertThat(said).isEmpty();
        assertThat(applied).isEmpty();
        assertThat(ends).isEmpty();
    }

    @Test
    void other_rules_and_another_pace_are_taken_over_once() {
        changesTo("nftables: {masqueradeBit: 4, minSyncPeriod: 2s}\n");
        follower.look();
        assertThat(applied).hasSize(1);
        assertThat(applied.getFirst().settings().masqueradeBit()).isEqualTo(4);
        assertThat(said)
                .containsExactly(
                        "the configuration changed in nftables.masqueradeBit,"
                                + " nftables.minSyncPeriod; taken over");
        assertThat(ends).isEmpty();
    }

    @Test
    void whatever_else_changed_takes_a_new_start_and_is_named() {
        changesTo("mode: iptables\nnftables: {masqueradeBit: 3}\n");
        assertThat(ends)
                .containsExactly("the configuration changed in mode, which takes a new start");
        assertThat(applied).isEmpty();
    }

    @Test
    void a_file_that_cannot_be_used_changes_nothing_and_is_said() {
        text = "mode: x\nnftables: {masqueradeBit: 99}\n";
        assertThat(follower.look()).as("it could be used").isFalse();
        assertThat(follower.look()).as("it could be used").isFalse();
        assertThat(refusals)
                .containsExactly(
                        "the configuration changed and cannot be used; it stays as it was read:"
                                + " c:3: mode: \"x\" is none of iptables, ipvs, nftables");
        assertThat(said).singleElement().asString().startsWith("c:4: nftables.masqueradeBit: ");
        text = "nftables: {masqueradeBit: 3}\n";
        assertThat(follower.look()).as("it could be used").isTrue();
        assertThat(applied).isEmpty();
        assertThat(ends).isEmpty();
    }
}
