package dev.pointsman.perf.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequirementTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''                          | true
                    tier                        | true
                    !tier                       | false
                    other                       | false
                    !other                      | true
                    tier=front                  | true
                    tier==front                 | true
                    tier = back                 | false
                    tier!=back                  | true
                    tier!=front                 | false
                    other!=x                    | true
                    tier in (back, front)       | true
                    tier notin (back,front)     | false
                    other notin (x)             | true
                    tier=front,!other           | true
                    tier=front,app.io/name=shop | false
                    app.io/name = web , tier    | true
                    empty=                      | true
                    """)
    void objects_are_selected_as_kubernetes_does(String selector, boolean selected) throws Refusal {
        Map<String, String> labels = Map.of("tier", "front", "app.io/name", "web", "empty", "");
        assertThat(Requirement.all(selector).stream().allMatch(each -> each.holds(labels)))
                .isEqualTo(selected);
    }

    @Test
    void what_is_no_selector_is_named() {
        assertThatThrownBy(() -> Requirement.all("tier=front,a b"))
                .isInstanceOf(Refusal.class)
                .hasMessage("unable to parse requirement: a b");
    }
}
