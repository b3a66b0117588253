package dev.pointsman.nftables;

import dev.pointsman.netlink.NftElement;
import dev.pointsman.netlink.NftValue;

/// An element of one of our sets, as the kernel takes it.
record Element(NamedSet set, NftElement content, Subject subject) {
    static Element member(NamedSet set, byte[] key, Subject subject) {
        return new Element(set, NftElement.of(key), subject);
    }

    static Element range(NamedSet set, byte[] first, byte[] last, Subject subject) {
        return new Element(set, NftElement.range(first, last), subject);
    }

    static Element verdict(NamedSet set, byte[] key, NftValue.Verdict verdict, Subject subject) {
        return new Element(set, NftElement.of(key, verdict), subject);
    }

    static Element endpoint(NamedSet set, byte[] key, byte[] endpoint, Subject subject) {
        return new Element(set, NftElement.of(key, new NftValue.Data(endpoint)), subject);
    }
}
