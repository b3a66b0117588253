package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;

final class IpsetSocketTest {

    @KernelTest(tools = {"ipset"})
    void sets_are_listed_and_destroyed_as_ipset_sees_them() throws Exception {
        try (var namespace = TestNamespace.create();
                IpsetSocket socket = namespace.namespace().call(IpsetSocket::open)) {
            assertThat(socket.names()).isEmpty();
            namespace.run("ipset", "create", "members", "hash:ip,port");
            namespace.run("ipset", "add", "members", "10.96.0.1,tcp:443");
            namespace.run("ipset", "create", "ports", "bitmap:port", "range", "0-65535");
            assertThat(socket.names())
                    .containsExactlyInAnyOrderElementsOf(
                            namespace.run("ipset", "list", "-n").lines().toList())
                    .hasSize(2);

            assertThat(socket.destroy("members")).isEqualTo(IpsetSocket.Destruction.DONE);
            assertThat(socket.destroy("members")).isEqualTo(IpsetSocket.Destruction.DONE);
            assertThat(namespace.run("ipset", "list", "-n")).isEqualTo("ports\n");
        }
    }

    /// More than one datagram holds.
    @KernelTest(tools = {"ipset"})
    void a_long_list_is_whole() throws Exception {
        try (var namespace = TestNamespace.create();
                IpsetSocket socket = namespace.namespace().call(IpsetSocket::open)) {
            StringBuilder sets = new StringBuilder();
            IntStream.range(0, 2000)
                    .forEach(
                            i ->
                                    sets.append("create long-name-of-set-")
                                            .append(i)
                                            .append(" list:set\n"));
            namespace.feed(sets.toString(), "ipset", "restore");
            assertThat(socket.names()).hasSize(2000).doesNotHaveDuplicates();
        }
    }

    @KernelTest(tools = {"ipset"})
    void a_set_that_is_referred_to_stays() throws Exception {
        try (var namespace = TestNamespace.create();
                IpsetSocket socket = namespace.namespace().call(IpsetSocket::open)) {
            namespace.run("ipset", "create", "inner", "hash:ip");
            namespace.run("ipset", "create", "outer", "list:set");
            namespace.run("ipset", "add", "outer", "inner");
            assertThat(socket.destroy("inner")).isEqualTo(IpsetSocket.Destruction.IN_USE);
            assertThat(socket.names()).contains("inner");
            socket.destroy("outer");
            assertThat(socket.destroy("inner")).isEqualTo(IpsetSocket.Destruction.DONE);
        }
    }

    @KernelTest(tools = {"ipset"})
    void a_name_that_no_set_can_have_is_named_in_the_refusal() throws Exception {
        try (var namespace = TestNamespace.create();
                IpsetSocket socket = namespace.namespace().call(IpsetSocket::open)) {
            String tooLong = "x".repeat(32);
            assertThatThrownBy(() -> socket.destroy(tooLong))
                    .isInstanceOf(NetlinkException.class)
                    .hasMessageStartingWith("destroy ipset " + tooLong + ": ");
        }
    }
}
