package dev.pointsman.nftables;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.netlink.NftElement;
import dev.pointsman.netlink.NftValue;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;

/// Elements in the words of `nft list ruleset`.
final class ElementText {
    /// By the numbers that the fields of a key stand for, as far as network order shows them.
    static final Comparator<NftElement> ORDER =
            Comparator.comparing(NftElement::key, Arrays::compareUnsigned)
                    .thenComparing(NftElement::keyEnd, Arrays::compareUnsigned);

    private ElementText() {}

    /// The key and, for a map, the value.
    static String of(NamedSet set, NftElement element, Family family) {
        String key = key(set, element, family);
        return switch (element.value()) {
            case NftValue.None _ -> key;
            case NftValue.Data(byte[] bytes) -> key + " : " + Key.ENDPOINT.value(family, bytes);
            case NftValue.Verdict verdict -> key + " : " + RuleText.verdict(verdict);
        };
    }

    /// The key alone, as it is deleted by.
    static String key(NamedSet set, NftElement element, Family family) {
        if (element.keyEnd().length == 0) {
            return set.key().value(family, element.key());
        }
        ByteBuffer first = ByteBuffer.wrap(element.key());
        ByteBuffer last = ByteBuffer.wrap(element.keyEnd());
        StringBuilder text = new StringBuilder();
        for (Field field : set.key().fields()) {
            text.append(text.isEmpty() ? "" : " . ");
            String from = field.value(family, first);
            String to = field.value(family, last);
            text.append(
                    from.equals(to)
                            ? from
                            : field == Field.Packet.SOURCE
                                    ? RuleText.range(range(from, to))
                                    : from + "-" + to);
        }
        return text.toString();
    }

    private static Cidr range(String from, String to) {
        IpAddress first = IpAddress.parse(from);
        IpAddress last = IpAddress.parse(to);
        int length = first.family().bits();
        while (length > 0 && !new Cidr(first, length).last().equals(last)) {
            length--;
        }
        return new Cidr(first, length);
    }
}
