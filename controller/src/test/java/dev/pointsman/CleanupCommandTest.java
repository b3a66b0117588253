package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Leftovers;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Whose objects go, and what is said of them.
final class CleanupCommandTest {
    private final InMemoryMode mode = new InMemoryMode();
    private final Console console = new Console(() -> List.of(mode), "node-a");
    private final StringWriter out = console.out;
    private final StringWriter err = console.err;
    private final List<String> removed = new ArrayList<>();

    private int cleanup(String... options) {
        return console.run(
                InputStream.nullInputStream(),
                Stream.concat(Stream.of("cleanup"), Stream.of(options)).toList());
    }

    private void holds(String place, Leftovers.Maker maker, Commit answer, String... objects) {
        mode.holds(
                new Leftovers.Found(
                        place,
                        maker,
                        List.of(objects),
                        () -> {
                            removed.add(place);
                            return answer;
                        }));
    }

    private void bothProxiesLeftSomething() {
        Commit applied = new Commit.Applied();
        holds("nft", Leftovers.Maker.POINTSMAN, applied, "table ip pointsman");
        holds(
                "iptables-nft IPv4",
                Leftovers.Maker.KUBE_PROXY,
                applied,
                "jump nat OUTPUT -j KUBE-SERVICES",
                "chain nat KUBE-SERVICES");
    }

    @Test
    void kube_proxys_objects_stay_and_are_mentioned_unless_it_is_asked_for() {
        bothProxiesLeftSomething();
        assertThat(cleanup()).isZero();
        assertThat(removed).containsExactly("nft");
        assertThat(out.toString()).isEqualTo("nft table ip pointsman\nobjects removed: 1\n");
        assertThat(err.toString())
                .isEqualTo(
                        "kube-proxy's rules are there (objects: 2): --kube-proxy removes them\n");
    }

    @Test
    void kube_proxys_objects_go_when_asked_for_each_on_a_line() {
        bothProxiesLeftSomething();
        assertThat(cleanup("--kube-proxy")).isZero();
        assertThat(removed).containsExactly("nft", "iptables-nft IPv4");
        assertThat(out.toString())
                .isEqualTo(
                        """
                        nft table ip pointsman
                        iptables-nft IPv4 jump nat OUTPUT -j KUBE-SERVICES
                        iptables-nft IPv4 chain nat KUBE-SERVICES
                        objects removed: 3
                        """);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void a_dry_run_lists_the_same_and_removes_nothing() {
        bothProxiesLeftSomething();
        assertThat(cleanup("--kube-proxy", "--dry-run")).isZero();
        assertThat(removed).isEmpty();
        assertThat(out.toString())
                .contains("iptables-nft IPv4 chain nat KUBE-SERVICES\n")
                .endsWith("objects to remove: 3\n");
    }

    @Test
    void where_only_kube_proxy_was_it_says_so() {
        holds("ipset", Leftovers.Maker.KUBE_PROXY, new Commit.Applied(), "KUBE-CLUSTER-IP");
        assertThat(cleanup()).isZero();
        assertThat(removed).isEmpty();
        assertThat(err.toString())
                .isEqualTo(
                        "nothing of Pointsman's; kube-proxy's rules are there (objects: 1):"
                                + " --kube-proxy removes them\n");
    }

    @Test
    void json_names_the_maker_of_each_object() {
        holds("ipset", Leftovers.Maker.KUBE_PROXY, new Commit.Applied(), "KUBE-CLUSTER-IP");
        assertThat(cleanup("--kube-proxy", "--dry-run", "-o", "json")).isZero();
        assertThat(out.toString())
                .isEqualTo(
                        """
                        {
                          "apiVersion": "pointsman.dev/v1alpha1",
                          "kind": "Cleanup",
                          "dryRun": true,
                          "objects": [
                            {
                              "maker": "kube-proxy",
                              "place": "ipset",
                              "object": "KUBE-CLUSTER-IP"
                            }
                          ],
                          "count": 1,
                          "failures": [],
                          "remarks": []
                        }
                        """);
    }

    @Test
    void what_is_refused_is_named_and_all_else_goes() {
        holds(
                "ipset",
                Leftovers.Maker.KUBE_PROXY,
                new Commit.Refused(
                        "ipset KUBE-LOOP-BACK",
                        "a rule refers to it; remove that",
                        Collections.emptySortedSet()),
                "KUBE-LOOP-BACK");
        mode.holds(
                new Leftovers.Unreadable(
                        new DataplaneUnavailable(
                                "the legacy tables cannot be read; run as root",
                                new IOException())));
        bothProxiesLeftSomething();
        assertThat(cleanup("--kube-proxy")).isEqualTo(3);
        assertThat(removed).containsExactly("ipset", "nft", "iptables-nft IPv4");
        assertThat(out.toString()).endsWith("objects removed: 3\n").doesNotContain("LOOP-BACK");
        assertThat(err.toString())
                .isEqualTo(
                        "error: ipset: nothing was removed, the kernel refused ipset"
                                + " KUBE-LOOP-BACK: a rule refers to it; remove that\n"
                                + "error: the legacy tables cannot be read; run as root\n");
    }

    @Test
    void what_refers_to_something_goes_before_it_and_with_it() {
        InMemoryMode first = new InMemoryMode("a", "m");
        InMemoryMode second = new InMemoryMode("m", "z");
        InMemoryMode third = new InMemoryMode("z");
        Console all = new Console(() -> List.of(second, third, first), "node-a");
        for (InMemoryMode each : List.of(first, second, third)) {
            each.holds(
                    new Leftovers.Found(
                            each.name(),
                            Leftovers.Maker.POINTSMAN,
                            List.of("object"),
                            () -> {
                                removed.add(each.name());
                                return new Commit.Applied();
                            }));
        }
        InputStream nothing = InputStream.nullInputStream();
        assertThat(all.run(nothing, List.of("cleanup"))).isZero();
        assertThat(removed).containsExactly("z", "m", "a");
        removed.clear();
        assertThat(all.run(nothing, List.of("cleanup", "--mode", "m"))).isZero();
        assertThat(removed).containsExactly("z", "m");
    }

    @Test
    void what_may_be_other_peoples_is_told_with_its_remedy() {
        mode.holds(
                new Leftovers.Staying(Leftovers.Maker.KUBE_PROXY, "servers", "`one` removes one"));
        assertThat(cleanup()).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(cleanup("--kube-proxy")).isZero();
        assertThat(err.toString()).isEqualTo("servers stay: `one` removes one\n");
    }
}
