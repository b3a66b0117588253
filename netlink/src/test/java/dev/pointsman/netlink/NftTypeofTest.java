package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.NftTypeof.Field;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The expected bytes were captured from nft 1.0.6 (`nft --debug=mnl`) on x86-64.
final class NftTypeofTest {
    private static final List<Field> SERVICE =
            List.of(Field.IP_DADDR, Field.META_L4PROTO, Field.TH_DPORT);

    @Test
    void endpoints_map_is_described_as_nft_does() {
        NftTypeof type =
                NftTypeof.map(
                        List.of(
                                Field.IP_DADDR,
                                Field.META_L4PROTO,
                                Field.TH_DPORT,
                                Field.NUMGEN_RANDOM),
                        List.of(Field.IP_DADDR, Field.TH_DPORT));
        assertThat(Hex.of(type.userdata()))
                .isEqualTo(
                        "000400000000010400000000036000040d00000001580014000407000000010c00040c00000001040c000000"
                                + "010e00040900000001060004100000000214000407000000010c00040b000000010402000000031a"
                                + "0004170000000112000401000000010402000000020400000000043400040d000000012c00140004"
                                + "07000000010c00040c00000001040c0000000114000407000000010c00040b000000010402000000"
                                + "060400000000");
        NftSet set = type.named("t", "endpoints", Set.of(), 2);
        assertThat(set.keyType()).isEqualTo(0x1cc344);
        assertThat(set.keyLength()).isEqualTo(16);
        assertThat(set.value()).isEqualTo(new NftSet.Value.Data(0x1cd, 8));
        assertThat(set.flags()).containsExactly(NftSet.Flag.MAP);
        assertThat(set.fieldLengths()).isEmpty();
    }

    @Test
    void verdict_map_of_numbers_is_described_as_nft_does() {
        NftTypeof type = NftTypeof.verdictMap(List.of(Field.NUMGEN_RANDOM));
        assertThat(Hex.of(type.userdata()))
                .isEqualTo(
                        "000401000000010400000000031a000417000000011200040100000001040200000002040000000004080004"
                                + "010000000100060400000000");
    }

    @Test
    void affinity_map_is_described_as_nft_does() {
        NftTypeof type =
                NftTypeof.map(List.of(Field.IP_SADDR), List.of(Field.IP_DADDR, Field.TH_DPORT));
        assertThat(Hex.of(type.userdata()))
                .isEqualTo(
                        "0004020000000104000000000314000407000000010c00040c00000001040b000000043400040d000000012c"
                                + "0014000407000000010c00040c00000001040c0000000114000407000000010c00040b0000000104"
                                + "02000000060400000000");
    }

    @Test
    void sets_of_one_field_are_described_as_nft_does() {
        assertThat(Hex.of(NftTypeof.set(List.of(Field.META_IIFNAME)).userdata()))
                .isEqualTo("000401000000030e0004090000000106000406000000");
        assertThat(Hex.of(NftTypeof.set(List.of(Field.META_MARK)).userdata()))
                .isEqualTo("000401000000030e0004090000000106000403000000");
        assertThat(Hex.of(NftTypeof.set(List.of(Field.TH_DPORT)).userdata()))
                .isEqualTo("0004020000000314000407000000010c00040b000000010402000000");
        assertThat(Hex.of(NftTypeof.set(List.of(Field.IP_DADDR)).userdata()))
                .isEqualTo("0004020000000314000407000000010c00040c00000001040c000000");
    }

    @Test
    void intervals_of_a_concatenation_name_the_length_of_each_field() {
        NftSet set = NftTypeof.set(SERVICE).named("t", "s", Set.of(NftSet.Flag.INTERVAL), 1);
        assertThat(set.fieldLengths()).containsExactly(4, 1, 2);
        assertThat(set.flags()).containsExactly(NftSet.Flag.INTERVAL, NftSet.Flag.CONCAT);
    }
}
