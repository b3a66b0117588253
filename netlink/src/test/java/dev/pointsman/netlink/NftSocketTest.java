package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

final class NftSocketTest {
    private static final String TABLE = EveryExpression.TABLE;
    private static final Path GOLDEN =
            Path.of("src/test/resources/dev/pointsman/netlink/every-expression.nft");

    private final EveryExpression ipv4 = new EveryExpression(NftFamily.IPV4);
    private final EveryExpression ipv6 = new EveryExpression(NftFamily.IPV6);

    @KernelTest
    void nft_lists_what_was_committed_and_reads_it_back() throws Exception {
        try (var ours = TestNamespace.create();
                var theirs = TestNamespace.create();
                NftSocket socket = ours.namespace().call(NftSocket::open)) {
            commitAll(socket);
            String listing = ours.run("nft", "list", "ruleset");
            check(listing);
            theirs.feed(listing, "nft", "-f", "-");
            assertThat(theirs.run("nft", "list", "ruleset")).isEqualTo(listing);
        }
    }

    @KernelTest
    void nft_sends_the_same_expressions_for_the_same_rules() throws Exception {
        try (var namespace = TestNamespace.create();
                NftSocket socket = namespace.namespace().call(NftSocket::open)) {
            namespace.feed(Files.readString(GOLDEN), "nft", "-f", "-");
            assertRules(socket.rules(NftFamily.IPV4, TABLE), ipv4.rules);
            assertRules(socket.rules(NftFamily.IPV6, TABLE), ipv6.rules);
        }
    }

    @KernelTest
    void what_was_committed_is_listed_as_it_was_sent() throws Exception {
        try (var namespace = TestNamespace.create();
                NftSocket socket = namespace.namespace().call(NftSocket::open)) {
            commitAll(socket);
            for (EveryExpression sent : List.of(ipv4, ipv6)) {
                NftFamily family = sent == ipv4 ? NftFamily.IPV4 : NftFamily.IPV6;
                assertThat(socket.chains(family, TABLE))
                        .extracting(NftListedChain::chain)
                        .containsExactlyInAnyOrderElementsOf(sent.chains);
                assertThat(socket.sets(family, TABLE)).hasSameSizeAs(sent.sets);
                for (NftSet set : sent.sets) {
                    assertThat(socket.sets(family, TABLE))
                            .filteredOn(
                                    listed ->
                                            listed.set()
                                                    .name()
                                                    .equals(set.name().replace("%d", "0")))
                            .singleElement()
                            .satisfies(
                                    listed ->
                                            assertThat(listed.set().sameAs(set))
                                                    .as(set + " against " + listed)
                                                    .isTrue());
                }
                assertRules(socket.rules(family, TABLE), sent.rules);
            }
        }
    }

    private static void assertRules(List<NftListedRule> listed, List<NftRule> sent) {
        assertThat(listed).hasSameSizeAs(sent);
        for (int i = 0; i < sent.size(); i++) {
            for (int j = 0; j < sent.size(); j++) {
                assertThat(listed.get(i).sameAs(sent.get(j)))
                        .as(listed.get(i) + " against " + sent.get(j))
                        .isEqualTo(i == j);
            }
        }
    }

    @KernelTest
    void elements_are_listed_as_they_were_sent() throws Exception {
        try (var namespace = TestNamespace.create();
                NftSocket socket = namespace.namespace().call(NftSocket::open)) {
            commitAll(socket);
            assertThat(elements(socket, "endpoints"))
                    .contains(
                            NftElement.of(
                                    EveryExpression.join(
                                            EveryExpression.key("10.0.0.1", 80),
                                            EveryExpression.number(1)),
                                    new NftValue.Data(
                                            EveryExpression.join(
                                                    EveryExpression.address("10.0.0.1"),
                                                    EveryExpression.port(8081)))));
            assertThat(elements(socket, "choices"))
                    .extracting(NftElement::value)
                    .containsExactlyInAnyOrder(
                            new NftValue.Goto("pick-2"),
                            new NftValue.Jump("refuse"),
                            new NftValue.Return());
            assertThat(elements(socket, "sources"))
                    .singleElement()
                    .satisfies(
                            range -> {
                                assertThat(range.key())
                                        .endsWith(EveryExpression.address("192.168.0.0"));
                                assertThat(range.keyEnd())
                                        .endsWith(EveryExpression.address("192.168.255.255"));
                            });
            assertThat(elements(socket, "cidrs"))
                    .contains(
                            NftElement.of(EveryExpression.address("192.168.0.0")),
                            NftElement.intervalEnd(EveryExpression.address("192.169.0.0")));
        }
    }

    @KernelTest
    void elements_rules_chains_and_tables_go_again() throws Exception {
        try (var namespace = TestNamespace.create();
                NftSocket socket = namespace.namespace().call(NftSocket::open)) {
            commitAll(socket);
            var batch = new NftBatch(NftFamily.IPV4);
            batch.deleteElement(
                    TABLE,
                    "services",
                    NftElement.of(EveryExpression.key("10.0.0.1", 80), new NftValue.Goto("pick-2")),
                    "");
            batch.deleteElement(
                    TABLE, "cidrs", NftElement.of(EveryExpression.address("192.168.0.0")), "");
            batch.deleteElement(
                    TABLE,
                    "cidrs",
                    NftElement.intervalEnd(EveryExpression.address("192.169.0.0")),
                    "");
            batch.flushSet(TABLE, "choices", "");
            batch.flushChain(TABLE, "dispatch", "");
            batch.flushChain(TABLE, "check", "");
            batch.deleteChain(TABLE, "check", "");
            batch.deleteSet(TABLE, "sources", "");
            long second =
                    socket.rules(NftFamily.IPV4, TABLE).stream()
                            .filter(rule -> rule.chain().equals("post"))
                            .skip(1)
                            .findFirst()
                            .orElseThrow()
                            .handle();
            batch.deleteRule(TABLE, "post", second, "");
            assertThat(socket.commit(batch)).isEqualTo(new NftAnswer.Done());
            assertThat(elements(socket, "services")).hasSize(1);
            assertThat(elements(socket, "cidrs"))
                    .noneMatch(element -> element.key()[0] == (byte) 192);
            assertThat(elements(socket, "choices")).isEmpty();
            assertThat(socket.rules(NftFamily.IPV4, TABLE))
                    .filteredOn(rule -> rule.chain().equals("dispatch"))
                    .isEmpty();
            assertThat(socket.rules(NftFamily.IPV4, TABLE))
                    .filteredOn(rule -> rule.chain().equals("post"))
                    .hasSize(1);

            var farewell = new NftBatch(NftFamily.IPV4);
            farewell.deleteTable(TABLE, "");
            assertThat(socket.commit(farewell)).isEqualTo(new NftAnswer.Done());
            assertThat(socket.table(NftFamily.IPV4, TABLE)).isEmpty();
            assertThat(socket.table(NftFamily.IPV6, TABLE)).isPresent();
        }
    }

    @KernelTest
    void a_refusal_names_the_element_and_changes_nothing() throws Exception {
        try (var namespace = TestNamespace.create();
                NftSocket socket = namespace.namespace().call(NftSocket::open)) {
            commitAll(socket);
            long before = socket.generation();
            var batch = new NftBatch(NftFamily.IPV4);
            for (int port = 1000; port < 3000; port++) {
                String chain = port == 2222 ? "missing" : "pick-2";
                batch.addElement(
                        TABLE,
                        "services",
                        NftElement.of(
                                EveryExpression.key("10.0.0.9", port), new NftValue.Goto(chain)),
                        "service-" + port);
            }
            NftAnswer answer = socket.commit(batch);
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            NftAnswer.Refused.class,
                            refused -> {
                                assertThat(refused.errnoName()).isEqualTo("ENOENT");
                                assertThat(refused.subjects()).containsExactly("service-2222");
                                assertThat(refused.exact()).isTrue();
                                assertThat(refused.operation())
                                        .isEqualTo(
                                                "add element ip every services { 0a0000090600000008ae0000 : Goto[chain=missing] }");
                            });
            assertThat(elements(socket, "services")).hasSize(2);
            assertThat(socket.generation()).isEqualTo(before);
        }
    }

    @KernelTest
    void a_refusal_names_the_first_of_many_messages_at_fault() throws Exception {
        try (var namespace = TestNamespace.create();
                NftSocket socket = namespace.namespace().call(NftSocket::open)) {
            var batch = new NftBatch(NftFamily.IPV4);
            batch.addTable("here", "the table");
            batch.addChain(new NftChain("nowhere", "chain", new NftChain.Hook.None()), "the chain");
            batch.flushSet("here", "no-set", "the set");
            assertThat(socket.commit(batch))
                    .isInstanceOfSatisfying(
                            NftAnswer.Refused.class,
                            refused -> {
                                assertThat(refused.subject()).isEqualTo("the chain");
                                assertThat(refused.operation())
                                        .isEqualTo("add chain ip nowhere chain");
                            });
            assertThat(socket.table(NftFamily.IPV4, "here")).isEmpty();
        }
    }

    @KernelTest
    void a_refusal_of_more_operations_than_the_queue_holds_names_the_first() throws Exception {
        try (var namespace = TestNamespace.create();
                NftSocket socket = namespace.namespace().call(NftSocket::open)) {
            var batch = new NftBatch(NftFamily.IPV4);
            for (int i = 0; i < 20_000; i++) {
                batch.flushChain("nowhere", "chain", "flush-" + i);
            }
            assertThat(socket.commit(batch))
                    .isInstanceOfSatisfying(
                            NftAnswer.Refused.class,
                            refused -> {
                                assertThat(refused.subject()).isEqualTo("flush-0");
                                assertThat(refused.operation())
                                        .isEqualTo("flush chain ip nowhere chain");
                            });
            commitAll(socket);
        }
    }

    @KernelTest
    void a_listing_that_is_overtaken_by_commits_is_whole() throws Exception {
        try (var namespace = TestNamespace.create();
                NftSocket reader = namespace.namespace().call(NftSocket::open);
                NftSocket writer = namespace.namespace().call(NftSocket::open);
                ExecutorService other = Executors.newSingleThreadExecutor()) {
            commitAll(writer);
            int count = 20_000;
            assertThat(writer.commit(pairs(0, count))).isEqualTo(new NftAnswer.Done());
            for (int round = 0; round < 20; round++) {
                var both = new CyclicBarrier(2);
                NftBatch more = pairs(count + round, count + round + 1);
                Future<NftAnswer> written =
                        other.submit(
                                () -> {
                                    both.await();
                                    return writer.commit(more);
                                });
                both.await();
                int listed = elements(reader, "hairpin").size();
                assertThat(written.get()).isEqualTo(new NftAnswer.Done());
                assertThat(listed).isBetween(count + round + 1, count + round + 2);
            }
        }
    }

    private static NftBatch pairs(int from, int to) {
        var batch = new NftBatch(NftFamily.IPV4);
        for (int i = from; i < to; i++) {
            byte[] key = EveryExpression.join(EveryExpression.number(i), EveryExpression.number(i));
            batch.addElement(TABLE, "hairpin", NftElement.of(key), "pair");
        }
        return batch;
    }

    @KernelTest
    void a_table_with_an_owner_is_refused_to_others_and_goes_with_its_owner() throws Exception {
        try (var namespace = TestNamespace.create();
                NftSocket other = namespace.namespace().call(NftSocket::open)) {
            try (NftSocket owner = namespace.namespace().call(NftSocket::open)) {
                var batch = new NftBatch(NftFamily.IPV4);
                batch.addTable(TABLE, Set.of(NftTable.Flag.OWNER), new byte[0], "table");
                assertThat(owner.commit(batch)).isEqualTo(new NftAnswer.Done());
                assertThat(other.table(NftFamily.IPV4, TABLE).map(NftTable::flags))
                        .contains(Set.of(NftTable.Flag.OWNER));
                var intrusion = new NftBatch(NftFamily.IPV4);
                intrusion.deleteTable(TABLE, "table");
                assertThat(other.commit(intrusion))
                        .isInstanceOfSatisfying(
                                NftAnswer.Refused.class,
                                refused -> assertThat(refused.errnoName()).isEqualTo("EPERM"));
            }
            assertThat(other.table(NftFamily.IPV4, TABLE)).isEmpty();
        }
    }

    @KernelTest
    void a_tables_user_data_stays_as_it_was_created() throws Exception {
        try (var namespace = TestNamespace.create();
                NftSocket socket = namespace.namespace().call(NftSocket::open)) {
            for (byte stamp = 1; stamp <= 2; stamp++) {
                var batch = new NftBatch(NftFamily.IPV6);
                batch.addTable(TABLE, Set.of(), new byte[] {stamp}, "table");
                assertThat(socket.commit(batch)).isEqualTo(new NftAnswer.Done());
            }
            assertThat(socket.table(NftFamily.IPV6, TABLE).map(NftTable::userdata))
                    .hasValueSatisfying(stamp -> assertThat(stamp).containsExactly(1));
        }
    }

    @KernelTest
    void an_empty_batch_is_not_sent() throws Exception {
        try (var namespace = TestNamespace.create();
                NftSocket socket = namespace.namespace().call(NftSocket::open)) {
            long before = socket.generation();
            assertThat(socket.commit(new NftBatch(NftFamily.IPV4))).isEqualTo(new NftAnswer.Done());
            assertThat(socket.generation()).isEqualTo(before);
            assertThat(socket.table(NftFamily.IPV4, TABLE)).isEqualTo(Optional.empty());
            assertThat(socket.chains(NftFamily.IPV4, TABLE)).isEmpty();
            assertThat(socket.rules(NftFamily.IPV4, TABLE)).isEmpty();
            assertThat(socket.sets(NftFamily.IPV4, TABLE)).isEmpty();
        }
    }

    @KernelTest
    void a_batch_of_many_megabytes_goes_in_one_datagram() throws Exception {
        try (var namespace = TestNamespace.create();
                NftSocket socket = namespace.namespace().call(NftSocket::open)) {
            commitAll(socket);
            var batch = new NftBatch(NftFamily.IPV4);
            int count = 200_000;
            for (int i = 0; i < count; i++) {
                byte[] key =
                        EveryExpression.join(
                                EveryExpression.number(i), EveryExpression.address("10.9.9.9"));
                batch.addElement(TABLE, "hairpin", NftElement.of(key), "hairpin");
            }
            assertThat(batch.bytes()).isGreaterThan(4_000_000);
            assertThat(socket.commit(batch)).isEqualTo(new NftAnswer.Done());
            assertThat(
                            elements(socket, "hairpin").stream()
                                    .map(element -> element.key()[4])
                                    .collect(Collectors.groupingBy(b -> b, Collectors.counting())))
                    .containsEntry((byte) 10, (long) count + 1);
        }
    }

    private void commitAll(NftSocket socket) {
        var four = new NftBatch(NftFamily.IPV4);
        ipv4.addTo(four);
        assertThat(socket.commit(four)).isEqualTo(new NftAnswer.Done());
        var six = new NftBatch(NftFamily.IPV6);
        ipv6.addTo(six);
        assertThat(socket.commit(six)).isEqualTo(new NftAnswer.Done());
    }

    private static List<NftElement> elements(NftSocket socket, String set) {
        List<NftElement> elements = new ArrayList<>();
        socket.elements(NftFamily.IPV4, TABLE, set, elements::add);
        return elements;
    }

    private static void check(String listing) throws IOException {
        if (System.getProperty("golden", "compare").equals("update")) {
            Files.writeString(GOLDEN, listing);
        }
        assertThat(listing).isEqualTo(Files.readString(GOLDEN));
    }
}
