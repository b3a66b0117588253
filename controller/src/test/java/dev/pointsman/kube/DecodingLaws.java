package dev.pointsman.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/// Whatever a text holds, reading it ends with a snapshot.
class DecodingLaws {
    private static final byte[] SHOP = shop();

    /// Replaces `length` bytes at `at` by `text`.
    record Damage(int at, int length, String text) {}

    @Property(tries = 60)
    void damaged_yaml_never_throws(@ForAll("damages") List<Damage> damages) {
        byte[] text = SHOP;
        for (Damage damage : damages) {
            text = damaged(text, damage);
        }
        assertThat(read(text).counts().values().stream().mapToInt(Integer::intValue).sum())
                .isLessThanOrEqualTo(60);
    }

    @Property(tries = 40)
    void a_cut_off_snapshot_gives_a_part_of_the_whole_and_says_so(
            @ForAll @IntRange(min = 800, max = 31_000) int length) {
        Snapshot whole = read(SHOP);
        Snapshot part = read(Arrays.copyOf(SHOP, length));
        assertThat(whole.events()).containsAll(part.events());
        assertThat(part.findings()).isNotEmpty();
    }

    @Property(tries = 100)
    void any_object_of_any_shape_is_decoded(@ForAll("trees") Tree.Fields tree) {
        ObjectDecoder decoder = new ObjectDecoder();
        for (Kind kind : Kind.values()) {
            KubeObject object =
                    new KubeObject(
                            new Tree.Fields(
                                    Map.of(
                                            "metadata",
                                            new Tree.Fields(
                                                    Map.of(
                                                            "name", new Tree.Text("web"),
                                                            "namespace", new Tree.Text("shop"))),
                                            "spec",
                                            tree,
                                            "status",
                                            tree,
                                            "endpoints",
                                            new Tree.Items(List.of(tree)),
                                            "ports",
                                            new Tree.Items(List.of(tree)),
                                            "addressType",
                                            new Tree.Text("IPv4"))),
                            new Origin("law", 1),
                            List.of());
            assertThat(decoder.decode(kind, object, _ -> {})).isNotNull();
        }
    }

    @Provide
    Arbitrary<List<Damage>> damages() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, SHOP.length - 1),
                        Arbitraries.integers().between(0, 40),
                        Arbitraries.of(
                                "",
                                "\u0000",
                                "{",
                                "}",
                                "[",
                                "- ",
                                ": ",
                                "\"",
                                "'",
                                "\n",
                                "\t",
                                "&a ",
                                "*a",
                                "!!binary x",
                                "---\n",
                                "\uFFFD",
                                "null",
                                "~",
                                "99999999999",
                                "|\n"))
                .as(Damage::new)
                .list()
                .ofMaxSize(4);
    }

    @Provide
    Arbitrary<Tree.Fields> trees() {
        return trees(3);
    }

    private static Arbitrary<Tree.Fields> trees(int depth) {
        Arbitrary<Tree> leaves =
                Arbitraries.of(
                        new Tree.Text("10.96.0.1"),
                        new Tree.Text(""),
                        new Tree.Text("IPv4"),
                        new Tree.Text("ClientIP"),
                        new Tree.Text("Local"),
                        new Tree.Digits("80"),
                        new Tree.Digits("-1"),
                        new Tree.Digits("1e9"),
                        new Tree.Flag(true),
                        Tree.ABSENT);
        Arbitrary<Tree> inner = depth == 0 ? leaves : trees(depth - 1).map(tree -> tree);
        Arbitrary<Tree> values =
                Arbitraries.oneOf(leaves, inner, inner.list().ofMaxSize(2).map(Tree.Items::new));
        return Arbitraries.maps(
                        Arbitraries.of(
                                "clusterIP",
                                "clusterIPs",
                                "ipFamilies",
                                "ports",
                                "port",
                                "nodePort",
                                "name",
                                "protocol",
                                "type",
                                "externalIPs",
                                "sessionAffinity",
                                "loadBalancer",
                                "ingress",
                                "ip",
                                "addresses",
                                "conditions",
                                "ready",
                                "nodeName",
                                "hints",
                                "forZones",
                                "podCIDRs",
                                "podIPs",
                                "cidrs"),
                        values)
                .ofMaxSize(8)
                .map(Tree.Fields::new);
    }

    private static byte[] damaged(byte[] text, Damage damage) {
        int at = Math.min(damage.at(), text.length);
        int end = Math.min(at + damage.length(), text.length);
        byte[] middle = damage.text().getBytes(StandardCharsets.UTF_8);
        byte[] result = new byte[at + middle.length + text.length - end];
        System.arraycopy(text, 0, result, 0, at);
        System.arraycopy(middle, 0, result, at, middle.length);
        System.arraycopy(text, end, result, at + middle.length, text.length - end);
        return result;
    }

    private static Snapshot read(byte[] text) {
        return SnapshotReader.read(List.of("-"), new ByteArrayInputStream(text));
    }

    private static byte[] shop() {
        try {
            return Files.readAllBytes(Path.of("../deploy/examples/shop.yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
