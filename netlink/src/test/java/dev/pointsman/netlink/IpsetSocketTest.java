package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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

    private static InetAddress ip(String literal) {
        return InetAddress.ofLiteral(literal);
    }

    private static IpsetMember.AddressPort socketOf(String address, int protocol, int port) {
        return new IpsetMember.AddressPort(ip(address), protocol, port);
    }

    private static IpsetDefinition.Hash hash(String name, IpsetType type, IpFamily family) {
        return IpsetDefinition.Hash.of(name, type, family);
    }

    /// Every type in both families, with members as ipset writes them down.
    private static Map<IpsetDefinition, Map<IpsetMember, String>> everyType() {
        return Map.of(
                hash("a4", IpsetType.HASH_IP, IpFamily.IPV4),
                Map.of(
                        new IpsetMember.Address(ip("10.96.0.1")), "10.96.0.1",
                        new IpsetMember.Address(ip("255.255.255.255")), "255.255.255.255"),
                hash("a6", IpsetType.HASH_IP, IpFamily.IPV6),
                Map.of(new IpsetMember.Address(ip("fd00::1")), "fd00::1"),
                hash("p4", IpsetType.HASH_IP_PORT, IpFamily.IPV4),
                Map.of(
                        socketOf("10.96.0.1", 6, 443), "10.96.0.1,tcp:443",
                        socketOf("10.96.0.1", 17, 65535), "10.96.0.1,udp:65535",
                        socketOf("10.96.0.1", 132, 0), "10.96.0.1,sctp:0"),
                hash("p6", IpsetType.HASH_IP_PORT, IpFamily.IPV6),
                Map.of(socketOf("fd00::1", 132, 9), "fd00::1,sctp:9"),
                hash("i4", IpsetType.HASH_IP_PORT_IP, IpFamily.IPV4),
                Map.of(
                        new IpsetMember.AddressPortAddress(
                                socketOf("10.0.0.1", 6, 80), ip("10.0.0.2")),
                        "10.0.0.1,tcp:80,10.0.0.2"),
                hash("i6", IpsetType.HASH_IP_PORT_IP, IpFamily.IPV6),
                Map.of(
                        new IpsetMember.AddressPortAddress(
                                socketOf("fd00::1", 17, 53), ip("fd00::2")),
                        "fd00::1,udp:53,fd00::2"),
                hash("n4", IpsetType.HASH_IP_PORT_NET, IpFamily.IPV4),
                Map.of(
                        new IpsetMember.AddressPortNetwork(
                                socketOf("10.0.0.1", 6, 80), ip("192.168.77.9"), 20),
                        "10.0.0.1,tcp:80,192.168.64.0/20",
                        new IpsetMember.AddressPortNetwork(
                                socketOf("10.0.0.1", 6, 80), ip("128.0.0.0"), 1),
                        "10.0.0.1,tcp:80,128.0.0.0/1",
                        new IpsetMember.AddressPortNetwork(
                                socketOf("10.0.0.1", 6, 80), ip("1.2.3.4"), 32),
                        "10.0.0.1,tcp:80,1.2.3.4"),
                new IpsetDefinition.Hash(
                        "n6-with-a-name-of-31-characters",
                        IpsetType.HASH_IP_PORT_NET,
                        IpFamily.IPV6,
                        64,
                        7),
                Map.of(
                        new IpsetMember.AddressPortNetwork(
                                socketOf("fd00::1", 6, 80), ip("fd00:1:2:3::9"), 63),
                        "fd00::1,tcp:80,fd00:1:2:2::/63"),
                IpsetDefinition.Ports.of("ports"),
                Map.of(
                        new IpsetMember.Port(0), "0",
                        new IpsetMember.Port(65535), "65535",
                        new IpsetMember.Port(30000), "30000"));
    }

    private static Map<IpsetDefinition, Set<IpsetMember>> known(List<Ipset> sets) {
        return sets.stream()
                .collect(
                        Collectors.toMap(
                                set -> ((IpsetHeader.Known) set.header()).definition(),
                                set -> Set.copyOf(set.members())));
    }

    private static Map<IpsetDefinition, Set<IpsetMember>> members() {
        return everyType().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, set -> set.getValue().keySet()));
    }

    @KernelTest(tools = {"ipset"})
    void sets_of_every_type_are_listed_as_they_were_written_and_as_ipset_reads_them()
            throws Exception {
        try (var namespace = TestNamespace.create();
                IpsetSocket socket = namespace.namespace().call(IpsetSocket::open)) {
            List<IpsetCommand> commands = new ArrayList<>();
            List<String> lines = new ArrayList<>();
            everyType()
                    .forEach(
                            (definition, members) -> {
                                commands.add(new IpsetCommand.Create(definition));
                                members.forEach(
                                        (member, text) -> {
                                            commands.add(
                                                    new IpsetCommand.Add(
                                                            definition.name(), member));
                                            lines.add("add " + definition.name() + " " + text);
                                        });
                            });
            assertThat(socket.commit(commands))
                    .hasSameSizeAs(commands)
                    .containsOnly(new Answer.Done());

            String saved = namespace.run("ipset", "save");
            assertThat(saved.lines().filter(line -> line.startsWith("add")))
                    .containsExactlyInAnyOrderElementsOf(lines);
            assertThat(saved)
                    .contains(
                            "create ports bitmap:port range 0-65535",
                            "create p4 hash:ip,port family inet hashsize 1024 maxelem 65536",
                            "create n6-with-a-name-of-31-characters hash:ip,port,net family inet6"
                                    + " hashsize 64 maxelem 7");
            assertThat(known(socket.sets())).isEqualTo(members());
            for (IpsetHeader header : socket.headers()) {
                assertThat(header.references()).isZero();
                assertThat(socket.set(header.name()).orElseThrow().members())
                        .hasSize(header.entries());
            }
            assertThat(socket.headers()).hasSize(9);
            assertThat(socket.set("no-such-set")).isEmpty();

            List<IpsetCommand> undo = new ArrayList<>();
            everyType()
                    .forEach(
                            (definition, members) ->
                                    members.keySet()
                                            .forEach(
                                                    member ->
                                                            undo.add(
                                                                    new IpsetCommand.Delete(
                                                                            definition.name(),
                                                                            member))));
            assertThat(socket.commit(undo)).containsOnly(new Answer.Done());
            assertThat(socket.sets()).hasSize(9).allMatch(set -> set.members().isEmpty());
        }
    }

    @KernelTest(tools = {"ipset"})
    void what_ipset_writes_is_read_as_it_is_meant() throws Exception {
        try (var namespace = TestNamespace.create();
                IpsetSocket socket = namespace.namespace().call(IpsetSocket::open)) {
            StringBuilder script = new StringBuilder();
            everyType()
                    .forEach(
                            (definition, members) -> {
                                script.append("create ").append(definition.name()).append(' ');
                                script.append(definition.type().kernelName());
                                switch (definition) {
                                    case IpsetDefinition.Hash hash ->
                                            script.append(" family ")
                                                    .append(
                                                            hash.family() == IpFamily.IPV4
                                                                    ? "inet"
                                                                    : "inet6")
                                                    .append(" hashsize ")
                                                    .append(hash.hashSize())
                                                    .append(" maxelem ")
                                                    .append(hash.maxElements());
                                    case IpsetDefinition.Ports _ -> script.append(" range 0-65535");
                                }
                                script.append('\n');
                                members.values()
                                        .forEach(
                                                text ->
                                                        script.append("add ")
                                                                .append(definition.name())
                                                                .append(' ')
                                                                .append(text)
                                                                .append('\n'));
                            });
            namespace.feed(script.toString(), "ipset", "restore");
            assertThat(known(socket.sets())).isEqualTo(members());
        }
    }

    @KernelTest(tools = {"ipset"})
    void a_set_with_options_or_of_another_type_is_foreign() throws Exception {
        try (var namespace = TestNamespace.create();
                IpsetSocket socket = namespace.namespace().call(IpsetSocket::open)) {
            namespace.run("ipset", "create", "timed", "hash:ip", "timeout", "60");
            namespace.run("ipset", "add", "timed", "10.0.0.1");
            namespace.run("ipset", "create", "said", "hash:ip", "comment");
            namespace.run("ipset", "create", "counted", "bitmap:port", "range", "1-9", "counters");
            namespace.run("ipset", "create", "masked", "hash:ip", "netmask", "24");
            namespace.run("ipset", "create", "nets", "hash:net");
            namespace.run("ipset", "create", "list", "list:set");
            namespace.run("ipset", "add", "list", "nets");
            assertThat(socket.headers())
                    .hasSize(6)
                    .allMatch(header -> header instanceof IpsetHeader.Foreign);
            assertThat(socket.sets()).hasSize(6).allMatch(set -> set.members().isEmpty());
            assertThat(socket.set("nets").orElseThrow().header().references()).isEqualTo(1);
        }
    }

    private static List<String> causes(List<Answer> answers) {
        return answers.stream()
                .map(
                        answer ->
                                switch (answer) {
                                    case Answer.Done() -> "done";
                                    case Answer.Refused(var cause, _, _) -> cause.name();
                                })
                .toList();
    }

    private static String reason(Answer answer) {
        return ((Answer.Refused) answer).reason();
    }

    @KernelTest(tools = {"ipset"})
    void every_refusal_is_that_of_its_command_and_stops_no_other() throws Exception {
        try (var namespace = TestNamespace.create();
                IpsetSocket socket = namespace.namespace().call(IpsetSocket::open)) {
            IpsetDefinition four = hash("four", IpsetType.HASH_IP_PORT, IpFamily.IPV4);
            IpsetMember one = socketOf("10.0.0.1", 6, 80);
            IpsetMember two = socketOf("10.0.0.2", 6, 80);
            IpsetMember six = socketOf("fd00::1", 6, 80);
            List<IpsetCommand> commands =
                    List.of(
                            new IpsetCommand.Create(four),
                            new IpsetCommand.Create(hash("four", IpsetType.HASH_IP, IpFamily.IPV6)),
                            new IpsetCommand.Add("none", one),
                            new IpsetCommand.Add("none", two),
                            new IpsetCommand.Add("four", one),
                            new IpsetCommand.Add("four", six),
                            new IpsetCommand.Add("four", one),
                            new IpsetCommand.Add("four", two),
                            new IpsetCommand.Delete("four", two),
                            new IpsetCommand.Delete("four", two),
                            new IpsetCommand.Add("four", two),
                            new IpsetCommand.Swap("four", "none"),
                            new IpsetCommand.Destroy("none"));
            List<Answer> answers = socket.commit(commands);
            assertThat(causes(answers))
                    .containsExactly(
                            "done", "EXISTS", "MISSING", "MISSING", "done", "OTHER", "EXISTS",
                            "done", "done", "MISSING", "done", "MISSING", "MISSING");
            assertThat(reason(answers.get(5)))
                    .startsWith("add fd00:0:0:0:0:0:0:1,tcp:80 to ipset four: ")
                    .contains("an entry of another family");
            assertThat(reason(answers.get(6)))
                    .isEqualTo("add 10.0.0.1,tcp:80 to ipset four: it is there already (4103)");
            assertThat(socket.set("four").orElseThrow().members())
                    .containsExactlyInAnyOrder(one, two);

            assertThat(causes(socket.commit(commands, IpsetSocket.Existing.ACCEPTED)))
                    .containsExactly(
                            "done", "EXISTS", "MISSING", "MISSING", "done", "OTHER", "done", "done",
                            "done", "done", "done", "MISSING", "done");
        }
    }

    /// The members after a refused one are sent again, and must be there before the swap.
    @KernelTest(tools = {"ipset"})
    void members_are_added_before_what_follows_whatever_is_refused() throws Exception {
        try (var namespace = TestNamespace.create();
                IpsetSocket socket = namespace.namespace().call(IpsetSocket::open)) {
            List<IpsetCommand> commands = new ArrayList<>();
            commands.add(
                    new IpsetCommand.Create(hash("one", IpsetType.HASH_IP_PORT, IpFamily.IPV4)));
            commands.add(
                    new IpsetCommand.Create(hash("two", IpsetType.HASH_IP_PORT, IpFamily.IPV4)));
            for (int i = 0; i < 1000; i++) {
                commands.add(new IpsetCommand.Add("one", socketOf("10.0.0.1", 6, i / 2)));
            }
            commands.add(new IpsetCommand.Swap("one", "two"));
            commands.add(new IpsetCommand.Add("one", socketOf("10.0.0.2", 6, 1)));
            List<Answer> answers = socket.commit(commands);
            for (int i = 0; i < 1000; i++) {
                assertThat(causes(List.of(answers.get(2 + i))))
                        .containsExactly(i % 2 == 0 ? "done" : "EXISTS");
            }
            assertThat(socket.set("two").orElseThrow().members()).hasSize(500);
            assertThat(socket.set("one").orElseThrow().members())
                    .containsExactly(socketOf("10.0.0.2", 6, 1));
        }
    }

    @KernelTest(tools = {"ipset"})
    void thousands_of_members_take_few_system_calls_and_are_listed_whole() throws Exception {
        try (var namespace = TestNamespace.create();
                IpsetSocket socket = namespace.namespace().call(IpsetSocket::open)) {
            List<IpsetCommand> commands = new ArrayList<>();
            commands.add(
                    new IpsetCommand.Create(
                            hash("many", IpsetType.HASH_IP_PORT_IP, IpFamily.IPV6)));
            IntStream.range(0, 20_000)
                    .mapToObj(
                            i ->
                                    new IpsetMember.AddressPortAddress(
                                            socketOf("fd00::" + Integer.toHexString(i), 6, i),
                                            ip("fd00::1")))
                    .forEach(member -> commands.add(new IpsetCommand.Add("many", member)));
            assertThat(socket.commit(commands)).containsOnly(new Answer.Done());
            assertThat(socket.systemCalls()).isLessThan(200);
            assertThat(socket.set("many").orElseThrow().members())
                    .hasSize(20_000)
                    .doesNotHaveDuplicates();
        }
    }

    @KernelTest(tools = {"ipset"})
    void errors_of_ip_set_are_told_in_words() throws Exception {
        try (var namespace = TestNamespace.create();
                IpsetSocket socket = namespace.namespace().call(IpsetSocket::open)) {
            namespace.run("ipset", "create", "outer", "list:set");
            List<Answer> answers =
                    socket.commit(
                            List.of(
                                    new IpsetCommand.Create(
                                            new IpsetDefinition.Hash(
                                                    "tiny",
                                                    IpsetType.HASH_IP,
                                                    IpFamily.IPV4,
                                                    64,
                                                    1)),
                                    new IpsetCommand.Add(
                                            "tiny", new IpsetMember.Address(ip("10.0.0.1"))),
                                    new IpsetCommand.Add(
                                            "tiny", new IpsetMember.Address(ip("10.0.0.2"))),
                                    new IpsetCommand.Create(
                                            new IpsetDefinition.Ports("few", 10, 20)),
                                    new IpsetCommand.Add("few", new IpsetMember.Port(21)),
                                    new IpsetCommand.Swap("few", "tiny")));
            assertThat(reason(answers.get(2))).contains("full").contains("4352");
            assertThat(reason(answers.get(4))).contains("outside of the set's range");
            assertThat(reason(answers.get(5))).contains("different types");
            namespace.run("ipset", "add", "outer", "tiny");
            Answer inUse = socket.commit(List.of(new IpsetCommand.Destroy("tiny"))).getFirst();
            assertThat(causes(List.of(inUse))).containsExactly("IN_USE");
            assertThat(reason(inUse)).contains("refers to it");
        }
    }

    @Test
    void a_name_that_no_set_can_have_makes_no_command() {
        String tooLong = "x".repeat(32);
        assertThatThrownBy(() -> IpsetDefinition.Ports.of(tooLong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(tooLong);
        assertThatThrownBy(() -> new IpsetCommand.Add("", new IpsetMember.Port(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new IpsetCommand.Destroy("söt"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
