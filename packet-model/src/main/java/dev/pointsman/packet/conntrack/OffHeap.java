package dev.pointsman.packet.conntrack;

import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;

/// Makes maps of bytes off the heap.
final class OffHeap {
    private OffHeap() {}

    /// An empty map for about `entries` entries of one size.
    ///
    /// @param growth how much more than that it may come to hold
    /// @throws FlowTable.Refused when there is no memory for it, or the JVM keeps itself shut
    static ChronicleMap<byte[], byte[]> map(
            int keyLength, int valueLength, long entries, double growth) {
        // Nobody is to be told of us. The jar that would tell is left out as well.
        System.setProperty("chronicle.analytics.disable", "true");
        System.setProperty("chronicle.announcer.disable", "true");
        if (!Object.class.getModule().isOpen("java.lang.reflect", OffHeap.class.getModule())) {
            throw new FlowTable.Refused(
                    "this JVM was started without --add-opens"
                            + " java.base/java.lang.reflect=ALL-UNNAMED and what else ./pointsman"
                            + " gives it");
        }
        try {
            return ChronicleMapBuilder.of(byte[].class, byte[].class)
                    .name("flows")
                    .constantKeySizeBySample(new byte[keyLength])
                    .constantValueSizeBySample(new byte[valueLength])
                    .entries(entries)
                    .maxBloatFactor(growth)
                    .create();
        } catch (OutOfMemoryError e) {
            throw new FlowTable.Refused(
                    "no memory for " + entries + " flows off the heap: " + e.getMessage());
        }
    }
}
