package dev.pointsman.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.iptables.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class OccupancyTest {
    private static final int CAPACITY = 3;

    private final Occupancy occupancy = new Occupancy(Family.IPV4, CAPACITY);

    private static Member member(int number) {
        return new Member.AddressPort(IpAddress.parse("10.96.0." + number), Protocol.TCP, 80);
    }

    private static Operation.AddMember add(int number, String service) {
        return new Operation.AddMember(
                ServiceSet.SERVICE_IP,
                member(number),
                new Subject.Service(new ServiceName("shop", service)));
    }

    private static Operation delete(int number) {
        return new Operation.DeleteMember(
                ServiceSet.SERVICE_IP, member(number), new Subject.Node());
    }

    private static Found found(int members) {
        Set<Member> all = new TreeSet<>(Comparator.comparing(Member::text));
        IntStream.rangeClosed(1, members).forEach(number -> all.add(member(number)));
        return new Found(
                Map.of(ServiceSet.SERVICE_IP, new Found.FoundSet.Ours(all, 0)),
                List.of(),
                new TreeMap<>(),
                true,
                new TreeSet<>(),
                Set.of());
    }

    private List<ServiceName> refused(Operation... operations) {
        return occupancy
                .take(List.of(operations))
                .map(refused -> List.copyOf(refused.services()))
                .orElse(List.of());
    }

    @Test
    void a_set_takes_as_many_as_it_holds() {
        assertThat(occupancy.take(List.of(add(1, "a"), add(2, "b"), add(3, "c")))).isEmpty();
    }

    @Test
    void who_has_no_room_is_named_and_so_is_the_set() {
        assertThat(occupancy.take(List.of(add(1, "a"), add(2, "b"), add(3, "c"), add(4, "d"))))
                .hasValueSatisfying(
                        refused -> {
                            assertThat(refused.services())
                                    .containsExactly(new ServiceName("shop", "d"));
                            assertThat(refused.toString())
                                    .contains("KUBE-SERVICE-IP")
                                    .contains("3 members");
                        });
    }

    @Test
    void what_was_refused_does_not_count() {
        assertThat(refused(add(1, "a"), add(2, "a"), add(3, "a"), add(4, "d"))).hasSize(1);
        assertThat(occupancy.take(List.of(add(1, "a"), add(2, "a"), add(3, "a")))).isEmpty();
    }

    @Test
    void what_was_there_counts_and_what_goes_makes_room() {
        occupancy.read(found(CAPACITY));
        assertThat(refused(add(4, "d"))).containsExactly(new ServiceName("shop", "d"));
        assertThat(occupancy.take(List.of(delete(1)))).isEmpty();
        assertThat(occupancy.take(List.of(add(4, "d")))).isEmpty();
    }

    @Test
    void a_set_made_anew_holds_what_it_is_made_with() {
        occupancy.read(found(CAPACITY));
        List<Operation.AddMember> members = new ArrayList<>(List.of(add(5, "a"), add(6, "b")));
        assertThat(
                        occupancy.take(
                                List.of(new Operation.ReplaceSet(ServiceSet.SERVICE_IP, members))))
                .isEmpty();
        members.addAll(List.of(add(7, "c"), add(8, "d")));
        assertThat(refused(new Operation.ReplaceSet(ServiceSet.SERVICE_IP, members)))
                .containsExactly(new ServiceName("shop", "d"));
    }

    @Test
    void a_member_for_the_node_stops_the_change_without_a_service_to_blame() {
        occupancy.read(found(CAPACITY));
        assertThat(
                        occupancy.take(
                                List.of(
                                        new Operation.AddMember(
                                                ServiceSet.SERVICE_IP,
                                                member(9),
                                                new Subject.Node()))))
                .map(Commit.Refused::services)
                .hasValueSatisfying(services -> assertThat(services).isEmpty());
    }
}
