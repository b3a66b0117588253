package dev.pointsman.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.ServiceName;
import dev.pointsman.notice.Notice;
import dev.pointsman.notice.NoticeLedger;
import dev.pointsman.notice.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class EventTextTest {
    private static final Instant FIRST = Instant.parse("2026-11-30T12:00:00.1Z");
    private static final EventText.Subject WEB =
            new EventText.Subject("v1", "Service", "shop", "web", "uid-1");

    private static NoticeLedger.Entry entry(Reason reason, String note, int count) {
        return new NoticeLedger.Entry(
                Notice.ofService(new ServiceName("shop", "web"), reason, note),
                FIRST,
                count,
                FIRST.plusSeconds(count - 1));
    }

    private static EventText text(Reason reason, String note, String node) {
        return new EventText(entry(reason, note, 1), WEB, node);
    }

    @Test
    void an_event_has_everything_that_the_api_asks_for() {
        EventText event = text(Reason.CONFLICT, "taken", "node-a");
        assertThat(event.namespace()).isEqualTo("shop");
        assertThat(event.whole())
                .isEqualTo(
                        ("{'apiVersion':'events.k8s.io/v1','kind':'Event',"
                                        + "'metadata':{'name':'NAME','namespace':'shop'},"
                                        + "'regarding':{'apiVersion':'v1','kind':'Service',"
                                        + "'namespace':'shop','name':'web','uid':'uid-1'},"
                                        + "'eventTime':'2026-11-30T12:00:00.100000Z',"
                                        + "'reportingController':'pointsman',"
                                        + "'reportingInstance':'node-a','action':'PlanRules',"
                                        + "'reason':'AddressConflict','type':'Warning',"
                                        + "'note':'taken'}")
                                .replace('\'', '"')
                                .replace("NAME", event.name()));
        EventText again = new EventText(entry(Reason.RULES_REFUSED, "no", 3), WEB, "node-a");
        assertThat(again.change())
                .isEqualTo(
                        "{\"series\":{\"count\":3,"
                                + "\"lastObservedTime\":\"2026-11-30T12:00:02.100000Z\"}}");
        assertThat(again.whole()).endsWith(again.change().substring(1));
    }

    @Test
    void what_every_node_finds_has_one_name_and_what_one_node_finds_a_name_of_its_own() {
        String name = text(Reason.CONFLICT, "taken", "node-a").name();
        assertThat(name).matches("web\\.[0-9a-f]{8}");
        assertThat(text(Reason.CONFLICT, "taken", "node-b").name()).isEqualTo(name);
        assertThat(text(Reason.CONFLICT, "taken by b", "node-a").name()).isNotEqualTo(name);
        assertThat(text(Reason.UNUSABLE, "taken", "node-a").name()).isNotEqualTo(name);
        assertThat(text(Reason.RULES_REFUSED, "no", "node-a").name())
                .matches("web\\.[0-9a-f]{16,}")
                .isNotEqualTo(text(Reason.RULES_REFUSED, "no", "node-b").name())
                .isNotEqualTo(text(Reason.RULES_ACCEPTED, "no", "node-a").name());
    }

    @Test
    void what_is_longer_than_the_api_allows_is_cut() {
        String node = "n".repeat(250);
        EventText event =
                new EventText(
                        new NoticeLedger.Entry(
                                Notice.ofNode(Reason.BUG, "x" + "é".repeat(600)), FIRST, 1, FIRST),
                        new EventText.Subject("v1", "Node", "", node, node),
                        node);
        assertThat(event.namespace()).isEqualTo("default");
        assertThat(event.name()).hasSize(253);
        String whole = event.whole();
        String note = whole.replaceAll(".*\"note\":\"([^\"]*)\".*", "$1");
        assertThat(note).startsWith("xé").endsWith("é…");
        assertThat(note.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1020, 1024);
        assertThat(whole.replaceAll(".*\"reportingInstance\":\"([^\"]*)\".*", "$1"))
                .hasSizeLessThanOrEqualTo(128)
                .startsWith("nnn");
    }
}
