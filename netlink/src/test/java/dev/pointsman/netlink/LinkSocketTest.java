package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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

    @KernelTest(tools = {})
    void the_kind_of_a_link_is_that_it_was_made_with() throws Exception {
        try (var namespace = TestNamespace.create();
                LinkSocket socket = namespace.namespace().call(LinkSocket::open)) {
            namespace.run("ip", "link", "add", "one", "type", "veth", "peer", "name", "two");
            assertThat(link(socket, "two").kind()).isEqualTo("veth");
            assertThat(link(socket, "lo").kind()).isEmpty();

            socket.deleteLink(link(socket, "one").index());
            assertThat(socket.links()).hasSize(1);
            assertThatThrownBy(() -> socket.deleteLink(4711))
                    .isInstanceOf(NetlinkException.class)
                    .hasMessageStartingWith("delete link 4711: ENODEV (19)");
        }
    }

    @KernelTest(tools = {})
    void addresses_of_one_link_and_of_all_others_are_told_apart() throws Exception {
        try (var namespace = TestNamespace.create();
                LinkSocket socket = namespace.namespace().call(LinkSocket::open)) {
            namespace.run("ip", "link", "add", "one", "type", "veth", "peer", "name", "two");
            int one = link(socket, "one").index();
            int two = link(socket, "two").index();
            List<LinkAddress> ofOne =
                    List.of(address(one, "10.1.2.3", 32), address(one, "fd00::1", 128));
            List<LinkAddress> ofTwo =
                    List.of(address(two, "10.1.2.3", 24), address(two, "fd00::2", 128));
            assertThat(
                            socket.commit(
                                    Stream.concat(ofOne.stream(), ofTwo.stream())
                                            .map(LinkCommand.AddAddress::new)
                                            .toList()))
                    .hasSize(4)
                    .containsOnly(new Answer.Done());
            assertThat(socket.addresses(one)).containsExactlyInAnyOrderElementsOf(ofOne);
            assertThat(socket.addressesExceptOf(one))
                    .containsAll(ofTwo)
                    .noneMatch(address -> address.link() == one);
            assertThat(socket.addresses(4711)).isEmpty();
        }
    }

    @KernelTest(tools = {})
    void every_refusal_is_that_of_its_address_and_stops_no_other() throws Exception {
        try (var namespace = TestNamespace.create();
                LinkSocket socket = namespace.namespace().call(LinkSocket::open)) {
            LinkAddress four = address(1, "10.1.2.3", 32);
            LinkAddress six = address(1, "fd00::3", 128);
            List<Answer> answers =
                    socket.commit(
                            List.of(
                                    new LinkCommand.DeleteAddress(four),
                                    new LinkCommand.AddAddress(four),
                                    new LinkCommand.AddAddress(four),
                                    new LinkCommand.AddAddress(address(4711, "10.1.2.9", 32)),
                                    new LinkCommand.AddAddress(six),
                                    new LinkCommand.AddAddress(six)));
            assertThat(
                            answers.stream()
                                    .map(
                                            answer ->
                                                    answer instanceof Answer.Refused refused
                                                            ? refused.cause().name()
                                                            : "done"))
                    .containsExactly("MISSING", "done", "EXISTS", "MISSING", "done", "EXISTS");
            assertThat(((Answer.Refused) answers.get(2)).reason())
                    .startsWith("add address 10.1.2.3/32 to link 1: EEXIST (17)");
            assertThat(socket.addresses(1)).contains(four, six);
        }
    }

    /// Where the host has no dummy interfaces, a pair of veth interfaces stands in for one.
    @KernelTest(tools = {})
    void thousands_of_addresses_come_and_go_in_few_system_calls() throws Exception {
        try (var namespace = TestNamespace.create();
                LinkSocket socket = namespace.namespace().call(LinkSocket::open)) {
            namespace.run("ip", "link", "add", "one", "type", "veth", "peer", "name", "two");
            int one = link(socket, "one").index();
            List<LinkAddress> many =
                    IntStream.range(0, 2000)
                            .mapToObj(
                                    i -> address(one, "10.96." + i / 250 + "." + (i % 250 + 1), 32))
                            .toList();
            long before = socket.systemCalls();
            assertThat(socket.commit(many.stream().map(LinkCommand.AddAddress::new).toList()))
                    .containsOnly(new Answer.Done());
            assertThat(socket.systemCalls() - before).isLessThan(2000 / 20);
            assertThat(socket.addresses(one)).containsExactlyInAnyOrderElementsOf(many);

            before = socket.systemCalls();
            assertThat(socket.addressesExceptOf(one)).hasSize(2);
            assertThat(socket.systemCalls() - before).isLessThan(20);
            assertThat(socket.commit(many.stream().map(LinkCommand.DeleteAddress::new).toList()))
                    .containsOnly(new Answer.Done());
            assertThat(socket.addresses(one)).isEmpty();
        }
    }

    @KernelTest(
            tools = {},
            modules = {"dummy"})
    void a_dummy_is_made_and_deleted_as_ip_sees_it() throws Exception {
        try (var namespace = TestNamespace.create();
                LinkSocket socket = namespace.namespace().call(LinkSocket::open)) {
            socket.createDummy("kube-ipvs0");
            Link dummy = link(socket, "kube-ipvs0");
            assertThat(dummy.kind()).isEqualTo("dummy");
            assertThat(dummy.isUp()).isFalse();
            assertThat(namespace.run("ip", "-d", "link", "show", "kube-ipvs0"))
                    .contains("<BROADCAST,NOARP>", "dummy");
            assertThatThrownBy(() -> socket.createDummy("kube-ipvs0"))
                    .isInstanceOf(NetlinkException.class)
                    .hasMessageStartingWith("create link kube-ipvs0 of kind dummy: EEXIST (17)");

            List<LinkAddress> addresses =
                    List.of(
                            address(dummy.index(), "10.96.0.1", 32),
                            address(dummy.index(), "fd00:10:96::1", 128));
            assertThat(socket.commit(addresses.stream().map(LinkCommand.AddAddress::new).toList()))
                    .containsOnly(new Answer.Done());
            assertThat(socket.addresses(dummy.index()))
                    .containsExactlyInAnyOrderElementsOf(addresses);
            assertThat(namespace.run("ip", "-o", "address", "show", "dev", "kube-ipvs0"))
                    .contains("10.96.0.1/32", "fd00:10:96::1/128");
            // Switched off as it is, the node takes packets to the IPv4 address for its own.
            assertThat(namespace.run("ip", "route", "get", "10.96.0.1")).startsWith("local");

            socket.deleteLink(dummy.index());
            assertThat(socket.links()).extracting(Link::name).doesNotContain("kube-ipvs0");
        }
    }

    private static Link link(LinkSocket socket, String name) {
        return socket.links().stream()
                .filter(link -> link.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
