package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;

final class LinkSocketTest {
    private static LinkAddress address(int link, String literal, int prefixLength) {
        return new LinkAddress(
                link, InetAddress.ofLiteral(literal), prefixLength, LinkAddress.SCOPE_GLOBAL);
    }

    @KernelTest(tools = {})
    void links_come_up_and_their_addresses_come_and_go() throws Exception {
        try (var namespace = TestNamespace.create();
                LinkSocket socket = namespace.namespace().call(LinkSocket::open)) {
            namespace.run("ip", "link", "add", "one", "type", "veth", "peer", "name", "two");
            Link one = link(socket, "one");
            assertThat(one.isUp()).isFalse();
            socket.setUp(one.index());
            assertThat(link(socket, "one").isUp()).isTrue();

            LinkAddress four = address(one.index(), "10.1.2.3", 24);
            LinkAddress six = address(one.index(), "fd00::5", 128);
            socket.addAddress(four);
            socket.addAddress(six);
            assertThat(socket.addresses()).contains(four, six);
            assertThat(namespace.run("ip", "-o", "address")).contains("10.1.2.3/24", "fd00::5/128");

            socket.deleteAddress(four);
            assertThat(socket.addresses()).contains(six).doesNotContain(four);
        }
    }

    @KernelTest(tools = {})
    void loopback_has_its_addresses() throws Exception {
        try (var namespace = TestNamespace.create();
                LinkSocket socket = namespace.namespace().call(LinkSocket::open)) {
            assertThat(socket.addresses())
                    .contains(
                            new LinkAddress(
                                    1,
                                    InetAddress.ofLiteral("127.0.0.1"),
                                    8,
                                    LinkAddress.SCOPE_HOST));
        }
    }

    @KernelTest(tools = {})
    void an_address_that_is_there_is_named_in_the_refusal() throws Exception {
        try (var namespace = TestNamespace.create();
                LinkSocket socket = namespace.namespace().call(LinkSocket::open)) {
            LinkAddress address = address(1, "10.1.2.3", 32);
            socket.addAddress(address);
            assertThatThrownBy(() -> socket.addAddress(address))
                    .isInstanceOf(NetlinkException.class)
                    .hasMessageStartingWith("add address 10.1.2.3/32 to link 1: EEXIST (17)");
        }
    }

    private static Link link(LinkSocket socket, String name) {
        return socket.links().stream()
                .filter(link -> link.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
