package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/// Entries that conntrack(8) makes, in a namespace of their own.
final class ConntrackSocketTest {
    private static void insert(
            TestNamespace namespace, String protocol, String ends, String... more) {
        String[] words = ends.split(" ", -1);
        List<String> command =
                new ArrayList<>(
                        List.of("conntrack", "-I", "-p", protocol, "-t", "600", "-s", words[0]));
        command.addAll(List.of("-d", words[1], "--sport", words[2], "--dport", words[3]));
        command.addAll(List.of("-r", words[4], "-q", words[0]));
        command.addAll(List.of("--reply-port-src", words[5], "--reply-port-dst", words[2]));
        command.addAll(List.of(more));
        namespace.run(command.toArray(String[]::new));
    }

    private static List<ConntrackFlow> listed(ConntrackSocket socket, IpFamily family) {
        List<ConntrackFlow> flows = new ArrayList<>();
        ConntrackListing listing = socket.list(family, entry -> flows.add(entry.flow()));
        assertThat(listing.extent()).isEqualTo(ConntrackListing.Extent.WHOLE);
        return flows;
    }

    @KernelTest(tools = "conntrack")
    void udp_of_one_family_and_the_default_zone_is_listed() throws Exception {
        try (TestNamespace namespace = TestNamespace.create()) {
            insert(namespace, "udp", "10.1.0.9 10.96.0.53 40000 53 10.1.0.2 5353");
            insert(namespace, "udp", "10.1.0.9 10.96.0.53 40001 53 10.1.0.2 5353", "-w", "5");
            insert(namespace, "udp", "fd00::9 fd00:96::53 40000 53 fd00::2 5353");
            insert(
                    namespace,
                    "tcp",
                    "10.1.0.9 10.96.0.53 40000 53 10.1.0.2 5353",
                    "--state",
                    "ESTABLISHED");
            namespace
                    .namespace()
                    .call(
                            () -> {
                                try (ConntrackSocket socket = ConntrackSocket.open()) {
                                    assertThat(socket.count()).isEqualTo(4);
                                    List<ConntrackFlow> flows = listed(socket, IpFamily.IPV4);
                                    assertThat(flows)
                                            .extracting(ConntrackFlow::text)
                                            .containsExactly(
                                                    "UDP flow that 10.1.0.2 port 5353 answers to"
                                                            + " 10.1.0.9 port 40000");
                                    assertThat(listed(socket, IpFamily.IPV6)).hasSize(1);
                                    assertThat(socket.list(IpFamily.IPV4, _ -> {}))
                                            .isEqualTo(
                                                    new ConntrackListing(
                                                            2,
                                                            ConntrackListing.Filter.KERNEL,
                                                            ConntrackListing.Extent.WHOLE));
                                    return true;
                                }
                            });
        }
    }

    @KernelTest(tools = "conntrack")
    void an_entry_is_deleted_and_the_one_that_took_its_place_is_not() throws Exception {
        try (TestNamespace namespace = TestNamespace.create()) {
            String client = "10.1.0.9 10.96.0.53 40000 53 ";
            insert(namespace, "udp", client + "10.1.0.2 5353");
            insert(namespace, "udp", "fd00::9 fd00:96::53 40000 53 fd00::2 5353");
            namespace
                    .namespace()
                    .call(
                            () -> {
                                try (ConntrackSocket socket = ConntrackSocket.open()) {
                                    ConntrackFlow first = listed(socket, IpFamily.IPV4).getFirst();
                                    namespace.run("conntrack", "-D", "-f", "ipv4");
                                    insert(namespace, "udp", client + "10.1.0.3 5353");
                                    assertThat(socket.delete(List.of(first)))
                                            .isEqualTo(new ConntrackDeletion(0, 1, List.of()));
                                    ConntrackFlow second = listed(socket, IpFamily.IPV4).getFirst();
                                    assertThat(socket.delete(List.of(second, second)))
                                            .isEqualTo(new ConntrackDeletion(1, 1, List.of()));
                                    assertThat(listed(socket, IpFamily.IPV4)).isEmpty();
                                    ConntrackFlow other = listed(socket, IpFamily.IPV6).getFirst();
                                    assertThat(socket.delete(List.of(other)).deleted())
                                            .isEqualTo(1);
                                    assertThat(socket.count()).isZero();
                                    assertThat(socket.delete(List.of()))
                                            .isEqualTo(new ConntrackDeletion(0, 0, List.of()));
                                    return true;
                                }
                            });
        }
    }

    @KernelTest(tools = "conntrack")
    void an_id_alone_keeps_an_entry_of_another_client_alive() throws Exception {
        try (TestNamespace namespace = TestNamespace.create()) {
            insert(namespace, "udp", "10.1.0.9 10.96.0.53 40000 53 10.1.0.2 5353");
            namespace
                    .namespace()
                    .call(
                            () -> {
                                try (ConntrackSocket socket = ConntrackSocket.open()) {
                                    ConntrackFlow flow = listed(socket, IpFamily.IPV4).getFirst();
                                    var stranger =
                                            new ConntrackFlow(
                                                    flow.answerer(),
                                                    flow.answererPort(),
                                                    flow.receiver(),
                                                    flow.receiverPort(),
                                                    flow.id() + 1);
                                    assertThat(socket.delete(List.of(stranger)))
                                            .isEqualTo(new ConntrackDeletion(0, 1, List.of()));
                                    assertThat(socket.count()).isEqualTo(1);
                                    return true;
                                }
                            });
        }
    }
}
