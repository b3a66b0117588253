package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.ServiceName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RefusalTest {
    private static final ServiceName SHOP = new ServiceName("shop", "web");
    private final Chain node =
            Chain.of(
                    Table.FILTER,
                    "KUBE-FORWARD",
                    List.of(Rule.of(new Target.Accept())),
                    new Subject.Node());
    private final Chain service =
            Chain.of(
                    Table.NAT,
                    "KUBE-SVC-X",
                    List.of(
                            Rule.of(
                                    new Target.Return(),
                                    new Match.Source(Match.Sense.IS, Cidr.parse("10.0.0.0/8")))),
                    new Subject.Service(SHOP));
    // *filter, :KUBE-FORWARD, -A, COMMIT, *nat, :KUBE-SVC-X, -A, COMMIT
    private final List<Restore> restores =
            List.of(new Restore(Map.of(Table.FILTER, part(node), Table.NAT, part(service))));

    @Test
    void a_line_that_is_not_understood_is_its_services() {
        Refusal refusal =
                Refusal.of(
                        restores,
                        """
                        iptables-nft-restore v1.8.9 (nf_tables): host/network `x' not found
                        Error occurred at line: 7
                        Try `iptables-nft-restore -h' for more information.
                        """);
        assertThat(refusal.tablesBefore()).isEqualTo(1);
        Commit.Refused told = refusal.told();
        assertThat(told.what()).isEqualTo("-A KUBE-SVC-X -s 10.0.0.0/8 -j RETURN");
        assertThat(told.services()).containsExactly(SHOP);
        assertThat(told.why()).contains("host/network `x' not found");
    }

    @Test
    void a_rule_that_the_kernel_refuses_is_named_by_nft() {
        Refusal refusal =
                Refusal.of(
                        restores,
                        """
                        iptables-nft-restore v1.8.9 (nf_tables):\s
                        line 3: RULE_APPEND failed (No such file or directory): rule in chain X
                        """);
        assertThat(refusal.tablesBefore()).isZero();
        assertThat(refusal.told().what()).isEqualTo("-A KUBE-FORWARD -j ACCEPT");
        assertThat(refusal.told().services()).isEmpty();
        assertThat(refusal.told().why()).contains("lacks an extension");
    }

    @Test
    void ip_tables_names_no_more_than_the_table() {
        Refusal refusal = Refusal.of(restores, "iptables-restore: line 8 failed\n");
        assertThat(refusal.isOfTable()).isTrue();
        assertThat(refusal.tablesBefore()).isEqualTo(1);
        assertThat(Refusal.of(restores, "out of memory").isOfTable()).isTrue();
        assertThat(Refusal.of(restores, "line 3 failed").isOfTable()).isFalse();
    }

    @Test
    void lines_are_counted_from_the_first_of_many_restores() {
        List<Restore> twice = List.of(restores.getFirst(), restores.getFirst());
        Refusal refusal = Refusal.of(twice, "line 15: RULE_APPEND failed: rule in chain X");
        assertThat(refusal.tablesBefore()).isEqualTo(3);
        assertThat(refusal.told().services()).containsExactly(SHOP);
    }

    private static Restore.Part part(Chain chain) {
        return new Restore.Part(List.of(chain), List.of(chain), List.of(), List.of());
    }
}
