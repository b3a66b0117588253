package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.netlink.IpvsCommand.AddDestination;
import dev.pointsman.netlink.IpvsCommand.AddService;
import dev.pointsman.netlink.IpvsCommand.DeleteDestination;
import dev.pointsman.netlink.IpvsCommand.DeleteService;
import dev.pointsman.netlink.IpvsCommand.EditDestination;
import dev.pointsman.netlink.IpvsCommand.EditService;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;

final class IpvsSocketTest {
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int SCTP = 132;

    private static final IpvsService.Key WEB = endpoint(TCP, "10.96.0.1", 443);
    private static final IpvsService.Key DNS = endpoint(UDP, "fd00:10:96::a", 53);

    private static IpvsService.Key endpoint(int protocol, String address, int port) {
        return new IpvsService.Key.Endpoint(protocol, InetAddress.ofLiteral(address), port);
    }

    private static IpvsDestination real(String address, int port, int weight) {
        return IpvsDestination.translated(InetAddress.ofLiteral(address), port, weight);
    }

    /// A kernel where no test can use it: the other tests are skipped there.
    @KernelTest(tools = {})
    void a_kernel_without_ipvs_is_named_with_the_remedy() throws IOException {
        Assumptions.assumeFalse(
                Files.exists(Path.of("/proc/net/ip_vs"))
                        || KernelTest.Condition.isInKernel("ip_vs"));
        assertThatThrownBy(IpvsSocket::open)
                .isInstanceOf(NetlinkException.class)
                .hasMessageContaining("the kernel has no IPVS")
                .hasMessageContaining("modprobe ip_vs");
    }

    /// Every kind of virtual server there is, with the line that ipvsadm has for it.
    private static Map<IpvsService, String> services() {
        return Map.of(
                IpvsService.of(WEB, "rr", 0),
                "-A -t 10.96.0.1:443 -s rr",
                IpvsService.of(DNS, "wlc", IpvsService.ONE_PACKET),
                "-A -u [fd00:10:96::a]:53 -s wlc -o",
                IpvsService.persistent(endpoint(TCP, "10.96.7.7", 80), "rr", 0, 10800),
                "-A -t 10.96.7.7:80 -s rr -p 10800",
                IpvsService.persistent(
                        endpoint(TCP, "fd00:10:96::7", 65535), "mh", IpvsService.SCHEDULER_2, 1),
                "-A -t [fd00:10:96::7]:65535 -s mh -p 1 -b mh-port",
                IpvsService.of(
                        endpoint(SCTP, "10.96.0.3", 9999),
                        "mh",
                        IpvsService.SCHEDULER_1 | IpvsService.SCHEDULER_2),
                "-A --sctp-service 10.96.0.3:9999 -s mh -b mh-fallback,mh-port",
                new IpvsService(
                        endpoint(UDP, "10.96.0.4", 1),
                        "wrr",
                        IpvsService.PERSISTENT,
                        60,
                        0xffffff00),
                "-A -u 10.96.0.4:1 -s wrr -p 60 -M 255.255.255.0",
                new IpvsService(
                        endpoint(UDP, "fd00:10:96::4", 1), "wrr", IpvsService.PERSISTENT, 60, 64),
                "-A -u [fd00:10:96::4]:1 -s wrr -p 60 -M 64",
                IpvsService.of(new IpvsService.Key.Mark(5, IpFamily.IPV4), "lc", 0),
                "-A -f 5 -s lc",
                IpvsService.of(new IpvsService.Key.Mark(0x4000, IpFamily.IPV6), "sh", 0),
                "-A -f 16384 -6 -s sh");
    }

    @KernelTest(
            tools = {"ipvsadm"},
            modules = {"ip_vs"})
    void services_are_listed_as_they_were_written_and_as_ipvsadm_reads_them() throws Exception {
        try (var namespace = TestNamespace.create();
                IpvsSocket socket = namespace.namespace().call(IpvsSocket::open)) {
            assertThat(socket.services()).isEmpty();
            List<IpvsService> services = List.copyOf(services().keySet());
            assertThat(socket.commit(services.stream().map(AddService::new).toList()))
                    .hasSameSizeAs(services)
                    .containsOnly(new Answer.Done());

            assertThat(socket.services()).containsExactlyInAnyOrderElementsOf(services);
            assertThat(namespace.run("ipvsadm-save", "-n").lines().map(String::strip))
                    .containsExactlyInAnyOrderElementsOf(services().values());

            assertThat(
                            socket.commit(
                                    services.stream()
                                            .map(service -> new DeleteService(service.key()))
                                            .toList()))
                    .containsOnly(new Answer.Done());
            assertThat(socket.services()).isEmpty();
            assertThat(namespace.run("ipvsadm-save", "-n")).isEmpty();
        }
    }

    @KernelTest(
            tools = {"ipvsadm"},
            modules = {"ip_vs"})
    void what_ipvsadm_writes_is_read_as_it_is_meant() throws Exception {
        try (var namespace = TestNamespace.create();
                IpvsSocket socket = namespace.namespace().call(IpvsSocket::open)) {
            namespace.feed(String.join("\n", services().values()) + "\n", "ipvsadm", "--restore");
            assertThat(socket.services()).containsExactlyInAnyOrderElementsOf(services().keySet());
        }
    }

    @KernelTest(
            tools = {"ipvsadm"},
            modules = {"ip_vs"})
    void destinations_are_listed_as_they_were_written_and_as_ipvsadm_reads_them() throws Exception {
        try (var namespace = TestNamespace.create();
                IpvsSocket socket = namespace.namespace().call(IpvsSocket::open)) {
            List<IpvsDestination> four =
                    List.of(
                            real("10.0.0.1", 6443, 1),
                            real("10.0.0.2", 6443, 0),
                            new IpvsDestination(
                                    new IpvsDestination.Key(InetAddress.ofLiteral("10.0.0.3"), 443),
                                    65535,
                                    IpvsDestination.Forwarding.ROUTE,
                                    100,
                                    50));
            List<IpvsDestination> six = List.of(real("fd00::1", 53, 1), real("fd00::2", 5353, 7));
            List<IpvsCommand> commands = new ArrayList<>();
            commands.add(new AddService(IpvsService.of(WEB, "rr", 0)));
            four.forEach(destination -> commands.add(new AddDestination(WEB, destination)));
            commands.add(new AddService(IpvsService.of(DNS, "rr", 0)));
            six.forEach(destination -> commands.add(new AddDestination(DNS, destination)));
            assertThat(socket.commit(commands)).hasSize(7).containsOnly(new Answer.Done());

            assertThat(idle(socket.destinations(WEB))).containsExactlyInAnyOrderElementsOf(four);
            IpvsService.Key none = endpoint(TCP, "10.96.9.9", 9);
            Map<IpvsService.Key, List<IpvsListedDestination>> all =
                    socket.destinations(List.of(none, DNS, WEB));
            assertThat(all.keySet()).containsExactly(none, DNS, WEB);
            assertThat(all.get(none)).isEmpty();
            assertThat(idle(all.getOrDefault(DNS, List.of())))
                    .containsExactlyInAnyOrderElementsOf(six);
            assertThat(namespace.run("ipvsadm-save", "-n").lines().map(String::strip))
                    .contains(
                            "-a -t 10.96.0.1:443 -r 10.0.0.1:6443 -m -w 1",
                            "-a -t 10.96.0.1:443 -r 10.0.0.2:6443 -m -w 0",
                            "-a -t 10.96.0.1:443 -r 10.0.0.3:443 -g -w 65535",
                            "-a -u [fd00:10:96::a]:53 -r [fd00::1]:53 -m -w 1",
                            "-a -u [fd00:10:96::a]:53 -r [fd00::2]:5353 -m -w 7");

            assertThat(
                            socket.commit(
                                    List.of(
                                            new EditDestination(WEB, four.get(0).withWeight(0)),
                                            new DeleteDestination(WEB, four.get(1).key()),
                                            new EditService(
                                                    IpvsService.persistent(WEB, "sh", 0, 30)))))
                    .containsOnly(new Answer.Done());
            assertThat(namespace.run("ipvsadm-save", "-n").lines().map(String::strip))
                    .contains(
                            "-A -t 10.96.0.1:443 -s sh -p 30",
                            "-a -t 10.96.0.1:443 -r 10.0.0.1:6443 -m -w 0")
                    .noneMatch(line -> line.contains("10.0.0.2"));
        }
    }

    private static List<IpvsDestination> idle(List<IpvsListedDestination> listed) {
        assertThat(listed).allMatch(one -> one.active() + one.inactive() + one.persistent() == 0);
        return listed.stream().map(IpvsListedDestination::destination).toList();
    }

    @KernelTest(
            tools = {},
            modules = {"ip_vs"})
    void every_refusal_is_that_of_its_command_and_stops_no_other() throws Exception {
        try (var namespace = TestNamespace.create();
                IpvsSocket socket = namespace.namespace().call(IpvsSocket::open)) {
            IpvsDestination one = real("10.0.0.1", 1, 1);
            IpvsDestination two = real("10.0.0.2", 1, 1);
            IpvsService web = IpvsService.of(WEB, "rr", 0);
            List<Answer> answers =
                    socket.commit(
                            List.of(
                                    new DeleteService(WEB),
                                    new AddDestination(WEB, one),
                                    new AddService(web),
                                    new AddService(web),
                                    new AddService(IpvsService.of(DNS, "no-such-one", 0)),
                                    new DeleteDestination(WEB, one.key()),
                                    new AddDestination(WEB, one),
                                    new AddDestination(WEB, one),
                                    new EditDestination(WEB, two),
                                    new AddDestination(WEB, real("fd00::1", 1, 1)),
                                    new AddDestination(WEB, two)));
            assertThat(answers.stream().map(IpvsSocketTest::cause))
                    .containsExactly(
                            "MISSING", "MISSING", "done", "EXISTS", "OTHER", "MISSING", "done",
                            "EXISTS", "MISSING", "OTHER", "done");
            assertThat(answers.get(0))
                    .isEqualTo(
                            new Answer.Refused(
                                    Answer.Cause.MISSING,
                                    3,
                                    "delete virtual server tcp 10.96.0.1:443: ESRCH (3); there is"
                                            + " no such virtual server"));
            assertThat(((Answer.Refused) answers.get(4)).reason())
                    .contains("modprobe ip_vs_no-such-one");
            assertThat(idle(socket.destinations(WEB))).containsExactlyInAnyOrder(one, two);
        }
    }

    private static String cause(Answer answer) {
        return switch (answer) {
            case Answer.Done() -> "done";
            case Answer.Refused(var cause, _, _) -> cause.name();
        };
    }

    /// More commands than a datagram takes, and so many refusals that they would overflow the
    /// receive queue if all were under way at once.
    @KernelTest(
            tools = {},
            modules = {"ip_vs"})
    void thousands_of_commands_take_few_system_calls() throws Exception {
        try (var namespace = TestNamespace.create();
                IpvsSocket socket = namespace.namespace().call(IpvsSocket::open)) {
            List<IpvsCommand> commands =
                    IntStream.range(0, 1000)
                            .boxed()
                            .<IpvsCommand>mapMulti(
                                    (i, each) -> {
                                        IpvsService.Key key = endpoint(TCP, "10.96.0.1", i + 1);
                                        each.accept(new AddService(IpvsService.of(key, "rr", 0)));
                                        each.accept(
                                                new AddDestination(key, real("10.0.0.1", 80, 1)));
                                    })
                            .toList();
            long before = socket.systemCalls();
            assertThat(socket.commit(commands)).hasSize(2000).containsOnly(new Answer.Done());
            assertThat(socket.systemCalls() - before).isLessThan(2000 / 50);

            assertThat(socket.commit(commands))
                    .hasSize(2000)
                    .allMatch(answer -> cause(answer).equals("EXISTS"));
            List<IpvsService> services = socket.services();
            assertThat(services).hasSize(1000).doesNotHaveDuplicates();
            before = socket.systemCalls();
            Map<IpvsService.Key, List<IpvsListedDestination>> all =
                    socket.destinations(services.stream().map(IpvsService::key).toList());
            assertThat(all.values()).hasSize(1000).allMatch(listed -> listed.size() == 1);
            assertThat(socket.systemCalls() - before).isLessThan(3 * 1000 + 10);
        }
    }

    /// More real servers than a datagram holds.
    @KernelTest(
            tools = {},
            modules = {"ip_vs"})
    void a_long_list_of_destinations_is_whole() throws Exception {
        try (var namespace = TestNamespace.create();
                IpvsSocket socket = namespace.namespace().call(IpvsSocket::open)) {
            List<IpvsDestination> many =
                    IntStream.range(0, 1000)
                            .mapToObj(i -> real("10.0." + i / 250 + "." + (i % 250 + 1), 80, i % 3))
                            .toList();
            List<IpvsCommand> commands = new ArrayList<>();
            commands.add(new AddService(IpvsService.of(WEB, "rr", 0)));
            many.forEach(destination -> commands.add(new AddDestination(WEB, destination)));
            assertThat(socket.commit(commands)).containsOnly(new Answer.Done());
            assertThat(idle(socket.destinations(WEB))).containsExactlyInAnyOrderElementsOf(many);
        }
    }

    @KernelTest(
            tools = {"ipvsadm"},
            modules = {"ip_vs"})
    void timeouts_of_zero_stay_as_they_are() throws Exception {
        try (var namespace = TestNamespace.create();
                IpvsSocket socket = namespace.namespace().call(IpvsSocket::open)) {
            socket.setTimeouts(new IpvsTimeouts(900, 120, 300));
            socket.setTimeouts(new IpvsTimeouts(0, 60, 0));
            assertThat(socket.timeouts()).isEqualTo(new IpvsTimeouts(900, 60, 300));
            assertThat(namespace.run("ipvsadm", "-L", "--timeout"))
                    .contains("Timeout (tcp tcpfin udp): 900 60 300");
            assertThatThrownBy(() -> socket.setTimeouts(new IpvsTimeouts(Integer.MAX_VALUE, 0, 0)))
                    .isInstanceOf(NetlinkException.class)
                    .hasMessageContaining("EINVAL");
        }
    }

    @KernelTest(
            tools = {"ipvsadm"},
            modules = {"ip_vs"})
    void the_version_is_that_of_the_kernel() throws Exception {
        try (var namespace = TestNamespace.create();
                IpvsSocket socket = namespace.namespace().call(IpvsSocket::open)) {
            IpvsVersion info = socket.info();
            assertThat(namespace.run("ipvsadm", "-L", "-n"))
                    .startsWith(
                            "IP Virtual Server version "
                                    + info.versionText()
                                    + " (size="
                                    + info.connectionTableSize()
                                    + ")");
        }
    }
}
