package dev.pointsman.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Disposition.SourceAddress;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.Shape;
import dev.pointsman.graph.Sources;
import dev.pointsman.graph.Treatment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoutingTest {
    private static final ServicePortName OWNER =
            new ServicePortName(new ServiceName("shop", "cart"), "http", Protocol.TCP);
    private static final Frontend FRONTEND =
            new Frontend.Address(IpAddress.parse("10.96.0.1"), Protocol.TCP, 80);

    /// Every set of traits, with endpoints nowhere, here, elsewhere and both, under every way to
    /// tell pods and to masquerade.
    @Test
    void everything_that_the_planner_makes_can_be_expressed() {
        Town town = new Town(Family.IPV4);
        List<int[]> endpoints =
                List.of(new int[0], new int[] {1}, new int[] {-1}, new int[] {1, -1});
        for (Settings settings : settings(town)) {
            for (Set<Town.Trait> traits : subsets()) {
                for (int[] each : endpoints) {
                    RuleGraph graph = town.graph(settings, town.service(1, traits, each));
                    assertThat(graph.frontends()).isNotEmpty();
                    graph.frontends().forEach(FrontendPart::routing);
                    assertThat(Compiler.all(graph).chains()).isNotEmpty();
                }
            }
        }
    }

    @Test
    void what_the_planner_never_makes_is_refused_by_name() {
        int expressed = 0;
        for (Disposition pod : dispositions()) {
            for (Disposition host : dispositions()) {
                for (Disposition outside : dispositions()) {
                    Treatment treatment =
                            new Treatment(
                                    OWNER,
                                    Treatment.Kind.EXTERNAL_IP,
                                    new Sources.Everyone(),
                                    new Affinity.None(),
                                    pod,
                                    host,
                                    outside,
                                    "rr");
                    if (isExpressed(Shape.of(FRONTEND, treatment))) {
                        expressed++;
                    } else {
                        assertThatThrownBy(() -> FrontendPart.routing(FRONTEND, treatment))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("shop/cart:http");
                    }
                }
            }
        }
        // Refused and dropped; kept, masqueraded and by pod over either pool; the short circuit
        // with and without local endpoints, for recognised pods and for others.
        assertThat(expressed).isEqualTo(2 + 3 * 2 + 2 * 2);
    }

    private static boolean isExpressed(Shape shape) {
        try {
            Routing.of(shape);
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static List<Disposition> dispositions() {
        List<Disposition> all = new ArrayList<>();
        all.add(new Disposition.Reject());
        all.add(new Disposition.Drop());
        Endpoint here = new Endpoint(IpAddress.parse("10.1.0.1"), 80, Endpoint.Place.THIS_NODE);
        for (Pool.Scope scope : Pool.Scope.values()) {
            for (SourceAddress source : SourceAddress.values()) {
                all.add(new Disposition.Balance(new Pool(OWNER, scope, List.of(here)), source));
            }
        }
        return all;
    }

    private static List<Settings> settings(Town town) {
        List<Settings> all = new ArrayList<>();
        for (Settings.MasqueradeScope scope : Settings.MasqueradeScope.values()) {
            for (Settings.DetectLocal detector :
                    List.of(
                            new Settings.DetectLocal.ClusterRanges(List.of()),
                            new Settings.DetectLocal.NodeRanges())) {
                Settings base = town.settings();
                all.add(
                        new Settings(
                                detector,
                                base.masqueradeBit(),
                                scope,
                                base.nodePortAddresses(),
                                base.clusterIpGuard(),
                                base.externalIps(),
                                base.serviceRanges(),
                                IpvsSettings.DEFAULTS));
            }
        }
        return all;
    }

    private static List<Set<Town.Trait>> subsets() {
        List<Set<Town.Trait>> all = new ArrayList<>();
        Town.Trait[] traits = Town.Trait.values();
        for (int bits = 0; bits < 1 << traits.length; bits++) {
            Set<Town.Trait> set = EnumSet.noneOf(Town.Trait.class);
            for (int i = 0; i < traits.length; i++) {
                if ((bits >> i & 1) != 0) {
                    set.add(traits[i]);
                }
            }
            all.add(set);
        }
        return all;
    }
}
