package dev.pointsman.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InterfaceNameTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "a b",
                "a\tb",
                "a/b",
                "a\"b",
                "a'b",
                "a\\b",
                "a*",
                "a\nb",
                "a\u0001",
                "a\u00a0b",
                "sixteen-letters.",
                "éééééééé"
            })
    void what_cannot_name_an_interface_is_refused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Settings.DetectLocal.BridgeInterface(name));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Settings.DetectLocal.InterfacePrefix(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cbr0", "eth0.100", "veth@x", "a:b", "fourteen-bytes", "é"})
    void what_can_is_taken(String name) {
        assertThat(new Settings.DetectLocal.BridgeInterface(name).name()).isEqualTo(name);
        assertThat(new Settings.DetectLocal.InterfacePrefix(name).prefix()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = "fifteen-letters")
    void a_prefix_leaves_room_for_its_asterisk(String name) {
        assertThat(new Settings.DetectLocal.BridgeInterface(name).name()).isEqualTo(name);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Settings.DetectLocal.InterfacePrefix(name))
                .withMessage("\"fifteen-letters\" has 15 bytes and not 1..14");
    }
}
