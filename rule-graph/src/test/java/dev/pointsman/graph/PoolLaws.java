package dev.pointsman.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class PoolLaws {
    private static final ServicePortName OWNER =
            new ServicePortName(new ServiceName("ns1", "web"), "http", Protocol.TCP);

    @Provide
    Arbitrary<List<Endpoint>> endpoints() {
        return Arbitraries.integers()
                .between(1, 12)
                .map(
                        i ->
                                new Endpoint(
                                        IpAddress.parse("10.180.0." + i),
                                        8080,
                                        Endpoint.Place.THIS_NODE))
                .list()
                .uniqueElements()
                .ofMinSize(1)
                .ofMaxSize(12);
    }

    @Property
    void a_settled_pool_holds_what_is_wanted(
            @ForAll("endpoints") List<Endpoint> slots, @ForAll("endpoints") List<Endpoint> wanted) {
        assertThat(settle(slots, wanted).endpoints()).containsExactlyInAnyOrderElementsOf(wanted);
    }

    @Property
    void an_endpoint_that_stays_keeps_its_slot_while_the_pool_has_that_slot(
            @ForAll("endpoints") List<Endpoint> slots, @ForAll("endpoints") List<Endpoint> wanted) {
        List<Endpoint> settled = settle(slots, wanted).endpoints();
        for (int slot = 0; slot < Math.min(slots.size(), settled.size()); slot++) {
            if (wanted.contains(slots.get(slot))) {
                assertThat(settled.get(slot)).isEqualTo(slots.get(slot));
            }
        }
    }

    /// Every newcomer needs a write; so does every endpoint that sits beyond the new end; and every
    /// slot beyond it is deleted.
    @Property
    void the_fewest_slots_change(
            @ForAll("endpoints") List<Endpoint> slots, @ForAll("endpoints") List<Endpoint> wanted) {
        List<Endpoint> settled = settle(slots, wanted).endpoints();
        int written = 0;
        for (int slot = 0; slot < settled.size(); slot++) {
            if (slot >= slots.size() || !slots.get(slot).equals(settled.get(slot))) {
                written++;
            }
        }
        Set<Endpoint> needed = new HashSet<>(wanted);
        slots.subList(0, Math.min(slots.size(), wanted.size())).forEach(needed::remove);
        assertThat(written).isEqualTo(needed.size());
    }

    @Property
    void a_pool_that_holds_what_is_wanted_stays_the_same_object(
            @ForAll("endpoints") List<Endpoint> slots) {
        Pool pool = new Pool(OWNER, Pool.Scope.CLUSTER, slots);
        List<Endpoint> again = new ArrayList<>(slots.reversed());
        assertThat(pool.settle(new TreeSet<>(again))).isSameAs(pool);
    }

    private static Pool settle(List<Endpoint> slots, List<Endpoint> wanted) {
        return new Pool(OWNER, Pool.Scope.CLUSTER, slots).settle(new TreeSet<>(wanted));
    }
}
