package dev.pointsman.netlink;

import dev.pointsman.netlink.NftExpression.Bitwise;
import dev.pointsman.netlink.NftExpression.Byteorder;
import dev.pointsman.netlink.NftExpression.Cmp;
import dev.pointsman.netlink.NftExpression.Counter;
import dev.pointsman.netlink.NftExpression.CtKey;
import dev.pointsman.netlink.NftExpression.CtLoad;
import dev.pointsman.netlink.NftExpression.Dynset;
import dev.pointsman.netlink.NftExpression.Fib;
import dev.pointsman.netlink.NftExpression.Immediate;
import dev.pointsman.netlink.NftExpression.Lookup;
import dev.pointsman.netlink.NftExpression.MapLookup;
import dev.pointsman.netlink.NftExpression.Masquerade;
import dev.pointsman.netlink.NftExpression.MetaKey;
import dev.pointsman.netlink.NftExpression.MetaLoad;
import dev.pointsman.netlink.NftExpression.MetaSet;
import dev.pointsman.netlink.NftExpression.Nat;
import dev.pointsman.netlink.NftExpression.NatFlag;
import dev.pointsman.netlink.NftExpression.Numgen;
import dev.pointsman.netlink.NftExpression.Payload;
import dev.pointsman.netlink.NftExpression.Range;
import dev.pointsman.netlink.NftExpression.Reject;
import dev.pointsman.netlink.NftExpression.Sense;
import dev.pointsman.netlink.NftTypeof.Field;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// A ruleset of one family that has every kind of object and expression, for the tests.
final class EveryExpression {
    static final String TABLE = "every";
    private static final String PROTOCOLS = "__set%d";

    private final NftFamily family;
    private final int addressLength;
    private final Field source;
    private final Field destination;
    private final int sourceOffset;
    private final int destinationOffset;
    final List<NftSet> sets;
    final List<NftChain> chains;
    final List<NftRule> rules;

    EveryExpression(NftFamily family) {
        this.family = family;
        boolean four = family == NftFamily.IPV4;
        addressLength = four ? 4 : 16;
        source = four ? Field.IP_SADDR : Field.IP6_SADDR;
        destination = four ? Field.IP_DADDR : Field.IP6_DADDR;
        sourceOffset = four ? 12 : 8;
        destinationOffset = four ? 16 : 24;
        sets = sets();
        chains = chains();
        rules = rules();
    }

    void addTo(NftBatch batch) {
        batch.addTable(TABLE, "table");
        sets.forEach(set -> batch.addSet(set, set.name()));
        for (int protocol : new int[] {6, 17, 132}) {
            element(batch, PROTOCOLS, NftElement.of(new byte[] {(byte) protocol}));
        }
        chains.forEach(chain -> batch.addChain(chain, chain.name()));
        rules.forEach(rule -> batch.addRule(rule, rule.chain()));
        String first = family == NftFamily.IPV4 ? "10.0.0.1" : "fd00::1";
        String low = family == NftFamily.IPV4 ? "192.168.0.0" : "fd01::";
        String high = family == NftFamily.IPV4 ? "192.168.255.255" : "fd01::ffff:ffff:ffff:ffff";
        String past = family == NftFamily.IPV4 ? "192.169.0.0" : "fd01:0:0:1::";
        element(batch, "services", NftElement.of(key(first, 80), new NftValue.Goto("pick-2")));
        element(batch, "services", NftElement.of(key(first, 81), new NftValue.Drop()));
        for (int slot = 0; slot < 2; slot++) {
            byte[] endpoint = join(address(first), port(8080 + slot));
            element(
                    batch,
                    "endpoints",
                    NftElement.of(join(key(first, 80), number(slot)), new NftValue.Data(endpoint)));
            element(
                    batch,
                    "node-port-endpoints",
                    NftElement.of(
                            join(word(6), port(30080), number(slot)), new NftValue.Data(endpoint)));
        }
        element(batch, "hairpin", NftElement.of(join(address(first), address(first))));
        element(
                batch,
                "sources",
                NftElement.range(
                        join(key(first, 80), address(low)), join(key(first, 80), address(high))));
        element(batch, "cidrs", NftElement.of(address(low)));
        element(batch, "cidrs", NftElement.intervalEnd(address(past)));
        element(batch, "choices", NftElement.of(number(0), new NftValue.Goto("pick-2")));
        element(batch, "choices", NftElement.of(number(1), new NftValue.Jump("refuse")));
        element(batch, "choices", NftElement.of(number(2), new NftValue.Return()));
    }

    private static void element(NftBatch batch, String set, NftElement element) {
        batch.addElement(TABLE, set, element, set + " " + element);
    }

    private List<NftSet> sets() {
        List<Field> service = List.of(destination, Field.META_L4PROTO, Field.TH_DPORT);
        List<Field> slot = append(service, Field.NUMGEN_RANDOM);
        List<Field> nodePortSlot = List.of(Field.META_L4PROTO, Field.TH_DPORT, Field.NUMGEN_RANDOM);
        List<Field> endpoint = List.of(destination, Field.TH_DPORT);
        Set<NftSet.Flag> anonymous = Set.of(NftSet.Flag.ANONYMOUS, NftSet.Flag.CONSTANT);
        Set<NftSet.Flag> interval = Set.of(NftSet.Flag.INTERVAL);
        Set<NftSet.Flag> dynamic = Set.of(NftSet.Flag.EVAL, NftSet.Flag.TIMEOUT);
        int addressType =
                family == NftFamily.IPV4 ? NftDatatype.IPV4_ADDRESS : NftDatatype.IPV6_ADDRESS;
        var plain =
                new NftSet(
                        TABLE,
                        "cidrs",
                        addressType,
                        addressLength,
                        List.of(),
                        interval,
                        new NftSet.Value.None(),
                        new byte[0],
                        9);
        List<NftSet> all =
                new ArrayList<>(
                        List.of(
                                NftTypeof.verdictMap(service).named(TABLE, "services", Set.of(), 1),
                                NftTypeof.map(slot, endpoint)
                                        .named(TABLE, "endpoints", Set.of(), 2),
                                NftTypeof.map(nodePortSlot, endpoint)
                                        .named(TABLE, "node-port-endpoints", Set.of(), 3),
                                NftTypeof.set(List.of(source, destination))
                                        .named(TABLE, "hairpin", Set.of(), 4),
                                NftTypeof.set(append(service, source))
                                        .named(TABLE, "sources", interval, 5),
                                NftTypeof.set(service).named(TABLE, "original", Set.of(), 6),
                                NftTypeof.set(List.of(source))
                                        .named(TABLE, "affinity", dynamic, 7)
                                        .sized(65535),
                                NftTypeof.verdictMap(List.of(Field.NUMGEN_RANDOM))
                                        .named(TABLE, "choices", Set.of(), 8),
                                plain,
                                NftTypeof.set(List.of(Field.META_L4PROTO))
                                        .named(TABLE, PROTOCOLS, anonymous, 10)
                                        .sized(3)));
        all.addAll(learnedMaps(dynamic));
        return List.copyOf(all);
    }

    /// Two maps for IPv6: nft 1.0.6 aborts over keys and values above 16 bytes in `update`.
    private List<NftSet> learnedMaps(Set<NftSet.Flag> dynamic) {
        List<Field> client = List.of(source);
        if (family == NftFamily.IPV4) {
            NftTypeof both = NftTypeof.map(client, List.of(destination, Field.TH_DPORT));
            return List.of(both.named(TABLE, "learned", dynamic, 11).sized(65535));
        }
        NftTypeof address = NftTypeof.map(client, List.of(destination));
        NftTypeof port = NftTypeof.map(client, List.of(Field.TH_DPORT));
        return List.of(
                address.named(TABLE, "learned-address", dynamic, 11).sized(65535),
                port.named(TABLE, "learned-port", dynamic, 12).sized(65535));
    }

    private static List<NftChain> chains() {
        var accept = NftChain.Policy.ACCEPT;
        return List.of(
                new NftChain(TABLE, "refuse", new NftChain.Hook.None()),
                new NftChain(TABLE, "pick-2", new NftChain.Hook.None()),
                new NftChain(TABLE, "pick-local-2", new NftChain.Hook.None()),
                new NftChain(TABLE, "node-port-pick-2", new NftChain.Hook.None()),
                new NftChain(
                        TABLE,
                        "dispatch",
                        new NftChain.Hook.Base("nat", NftHook.PREROUTING, -100, accept)),
                new NftChain(
                        TABLE,
                        "post",
                        new NftChain.Hook.Base("nat", NftHook.POSTROUTING, 100, accept)),
                new NftChain(
                        TABLE,
                        "check",
                        new NftChain.Hook.Base("filter", NftHook.FORWARD, 0, accept)),
                new NftChain(TABLE, "sticky", new NftChain.Hook.None()));
    }

    private List<NftRule> rules() {
        List<NftRule> all = new ArrayList<>();
        Reject reject =
                family == NftFamily.IPV4
                        ? Reject.IPV4_PORT_UNREACHABLE
                        : Reject.IPV6_PORT_UNREACHABLE;
        rule(all, "refuse", List.of(reject));
        rule(all, "pick-2", pick(destinationKey(), "endpoints", 0));
        rule(all, "pick-local-2", pick(destinationKey(), "endpoints", 65536));
        rule(all, "node-port-pick-2", pick(nodePortKey(0), "node-port-endpoints", 0));
        rule(all, "dispatch", then(notFromPods(), mark()));
        rule(
                all,
                "dispatch",
                then(interfaces(), List.of(new Immediate(new NftValue.Jump("pick-local-2")))));
        rule(all, "dispatch", then(local(), List.of(new Immediate(new NftValue.Return()))));
        rule(
                all,
                "dispatch",
                then(destinationKey(), List.of(new MapLookup("services", 1, NftRegister.VERDICT))));
        rule(
                all,
                "dispatch",
                List.of(
                        new Numgen(Numgen.Mode.RANDOM, 3, 0, 1),
                        new MapLookup("choices", 1, NftRegister.VERDICT)));
        rule(all, "dispatch", List.of(new Immediate(new NftValue.Goto("node-port-pick-2"))));
        rule(all, "post", unmark());
        rule(
                all,
                "post",
                then(
                        load(sourceOffset, addressLength, 0),
                        load(destinationOffset, addressLength, addressLength / 4),
                        List.of(new Lookup("hairpin", 1, Sense.IN), new Masquerade(Set.of()))));
        rule(
                all,
                "check",
                then(connection(), List.of(new Counter(), new Immediate(new NftValue.Accept()))));
        rule(all, "check", then(original(), List.of(new Immediate(new NftValue.Drop()))));
        rule(
                all,
                "check",
                then(
                        rangedKey(),
                        load(sourceOffset, addressLength, addressLength / 4 + 2),
                        List.of(
                                new Lookup("sources", 1, Sense.NOT_IN),
                                new Immediate(new NftValue.Drop()))));
        rule(
                all,
                "check",
                then(
                        load(sourceOffset, addressLength, 0),
                        List.of(
                                new Lookup("cidrs", 1, Sense.NOT_IN),
                                new Immediate(new NftValue.Drop()))));
        rule(
                all,
                "check",
                then(
                        load(sourceOffset, addressLength, 0),
                        List.of(
                                new Dynset(
                                        "affinity",
                                        Dynset.Action.UPDATE,
                                        1,
                                        0,
                                        Duration.ofHours(3)))));
        rule(
                all,
                "check",
                then(
                        List.of(
                                new MetaLoad(MetaKey.L4PROTO, 1),
                                new Cmp(1, Cmp.Comparison.EQ, new byte[] {6})),
                        List.of(
                                new Payload(Payload.Base.TRANSPORT, 2, 2, 1),
                                new Range(1, Sense.NOT_IN, shortPort(100), shortPort(200)))));
        affinity(all);
        return List.copyOf(all);
    }

    private void affinity(List<NftRule> all) {
        List<NftExpression> client = load(sourceOffset, addressLength, 0);
        List<NftExpression> tcp =
                List.of(
                        new MetaLoad(MetaKey.L4PROTO, 1),
                        new Cmp(1, Cmp.Comparison.EQ, new byte[] {6}));
        var port = new Payload(Payload.Base.TRANSPORT, 2, 2, NftRegister.word(4));
        if (family == NftFamily.IPV4) {
            var portAfterAddress = new Payload(Payload.Base.TRANSPORT, 2, 2, NftRegister.word(5));
            rule(
                    all,
                    "check",
                    then(
                            client,
                            load(destinationOffset, addressLength, 4),
                            List.of(portAfterAddress, update("learned", 2))));
            rule(
                    all,
                    "sticky",
                    then(
                            tcp,
                            client,
                            List.of(new MapLookup("learned", 1, 1), dnat(NftRegister.word(1)))));
            return;
        }
        rule(
                all,
                "check",
                then(
                        client,
                        load(destinationOffset, addressLength, 4),
                        List.of(update("learned-address", 2))));
        rule(all, "check", then(client, List.of(port, update("learned-port", 2))));
        rule(
                all,
                "sticky",
                then(
                        tcp,
                        client,
                        List.of(new MapLookup("learned-address", 1, 1)),
                        load(sourceOffset, addressLength, 4),
                        List.of(new MapLookup("learned-port", 2, 2), dnat(2))));
    }

    private static Dynset update(String map, int dataReg) {
        return new Dynset(map, Dynset.Action.UPDATE, 1, dataReg, Duration.ofHours(3));
    }

    private Nat dnat(int portReg) {
        return new Nat(Nat.Kind.DNAT, family, 1, portReg, Set.of(NatFlag.PERSISTENT));
    }

    private static void rule(List<NftRule> rules, String chain, List<NftExpression> expressions) {
        rules.add(new NftRule(TABLE, chain, expressions, new byte[0]));
    }

    /// nft 1.0.6 also swaps the one byte of the protocol when the key is ranges, which does
    /// nothing.
    private List<NftExpression> rangedKey() {
        int word = NftRegister.word(addressLength / 4);
        List<NftExpression> key = new ArrayList<>(destinationKey());
        key.add(2, new Byteorder(word, word, Byteorder.Conversion.HTON, 1, 2));
        return key;
    }

    private List<NftExpression> destinationKey() {
        return then(load(destinationOffset, addressLength, 0), nodePortKey(addressLength / 4));
    }

    private static List<NftExpression> nodePortKey(int word) {
        return List.of(
                new MetaLoad(MetaKey.L4PROTO, NftRegister.word(word)),
                new Payload(Payload.Base.TRANSPORT, 2, 2, NftRegister.word(word + 1)));
    }

    private List<NftExpression> pick(List<NftExpression> key, String map, int offset) {
        int word = key.size() == 3 ? addressLength / 4 + 2 : 2;
        var nat = new Nat(Nat.Kind.DNAT, family, 1, NftRegister.word(addressLength / 4), Set.of());
        return then(
                key,
                List.of(
                        new Numgen(Numgen.Mode.RANDOM, 5, offset, NftRegister.word(word)),
                        new MapLookup(map, 1, 1),
                        nat));
    }

    private List<NftExpression> notFromPods() {
        byte[] prefix =
                family == NftFamily.IPV4 ? new byte[] {10} : Arrays.copyOf(address("fd00::"), 8);
        return then(
                load(sourceOffset, prefix.length, 0),
                List.of(new Cmp(1, Cmp.Comparison.NEQ, prefix)));
    }

    private static List<NftExpression> interfaces() {
        byte[] bridge = Arrays.copyOf("cni0".getBytes(StandardCharsets.US_ASCII), 16);
        byte[] prefix = "azv".getBytes(StandardCharsets.US_ASCII);
        return List.of(
                new MetaLoad(MetaKey.IIFNAME, 1), new Cmp(1, Cmp.Comparison.NEQ, bridge),
                new MetaLoad(MetaKey.IIFNAME, 1), new Cmp(1, Cmp.Comparison.EQ, prefix));
    }

    private static List<NftExpression> mark() {
        return List.of(
                new MetaLoad(MetaKey.MARK, 1),
                new Bitwise(1, 1, number(~0x4000), number(0x4000)),
                new MetaSet(MetaKey.MARK, 1));
    }

    private static List<NftExpression> unmark() {
        return List.of(
                new MetaLoad(MetaKey.MARK, 1),
                new Bitwise(1, 1, number(0x4000), number(0)),
                new Cmp(1, Cmp.Comparison.EQ, number(0x4000)),
                new MetaLoad(MetaKey.MARK, 1),
                new Bitwise(1, 1, number(-1), number(0x4000)),
                new MetaSet(MetaKey.MARK, 1),
                new Masquerade(Set.of(NatFlag.FULLY_RANDOM)));
    }

    private static List<NftExpression> local() {
        return List.of(
                new Fib(Fib.Result.ADDRESS_TYPE, Set.of(Fib.Of.SADDR), 1),
                        new Cmp(1, Cmp.Comparison.EQ, number(Fib.LOCAL)),
                new Fib(Fib.Result.ADDRESS_TYPE, Set.of(Fib.Of.DADDR), 1),
                        new Cmp(1, Cmp.Comparison.EQ, number(Fib.LOCAL)));
    }

    private static List<NftExpression> connection() {
        return List.of(
                new CtLoad(CtKey.STATE, CtLoad.Direction.NONE, 1),
                new Bitwise(1, 1, number(NftConntrack.STATE_NEW), number(0)),
                new Cmp(1, Cmp.Comparison.NEQ, number(0)),
                new CtLoad(CtKey.STATUS, CtLoad.Direction.NONE, 1),
                new Bitwise(1, 1, number(NftConntrack.STATUS_DNAT), number(0)),
                new Cmp(1, Cmp.Comparison.NEQ, number(0)));
    }

    private List<NftExpression> original() {
        CtKey address = family == NftFamily.IPV4 ? CtKey.DST_IP : CtKey.DST_IP6;
        int word = addressLength / 4;
        return List.of(
                new MetaLoad(MetaKey.L4PROTO, 1),
                new Lookup(PROTOCOLS, 1, Sense.IN),
                new CtLoad(address, CtLoad.Direction.ORIGINAL, 1),
                new MetaLoad(MetaKey.L4PROTO, NftRegister.word(word)),
                new CtLoad(CtKey.PROTO_DST, CtLoad.Direction.ORIGINAL, NftRegister.word(word + 1)),
                new Lookup("original", 1, Sense.IN));
    }

    private static List<NftExpression> load(int offset, int length, int word) {
        return List.of(new Payload(Payload.Base.NETWORK, offset, length, NftRegister.word(word)));
    }

    @SafeVarargs
    private static List<NftExpression> then(List<? extends NftExpression>... parts) {
        List<NftExpression> all = new ArrayList<>();
        for (List<? extends NftExpression> part : parts) {
            all.addAll(part);
        }
        return List.copyOf(all);
    }

    private static List<Field> append(List<Field> fields, Field field) {
        List<Field> all = new ArrayList<>(fields);
        all.add(field);
        return all;
    }

    static byte[] key(String address, int port) {
        return join(address(address), word(6), port(port));
    }

    static byte[] address(String literal) {
        return InetAddress.ofLiteral(literal).getAddress();
    }

    /// A byte in its register.
    static byte[] word(int value) {
        return new byte[] {(byte) value, 0, 0, 0};
    }

    /// A port in its register.
    static byte[] port(int port) {
        return new byte[] {(byte) (port >> 8), (byte) port, 0, 0};
    }

    private static byte[] shortPort(int port) {
        return Arrays.copyOf(port(port), 2);
    }

    /// A number in the machine's byte order.
    static byte[] number(int number) {
        return ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(number).array();
    }

    static byte[] join(byte[]... parts) {
        ByteBuffer all =
                ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }
}
