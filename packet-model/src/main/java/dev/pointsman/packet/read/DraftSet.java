package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Elements;
import dev.pointsman.packet.netfilter.NamedSet;
import dev.pointsman.packet.netfilter.Range;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A set or map while a script is read. Once something about it was not understood it is opaque,
/// and rules that use it are not trusted.
final class DraftSet {
    /// What a map gives.
    sealed interface Result {
        record Nothing() implements Result {}

        record Verdicts() implements Result {}

        record Values(List<NftType> types) implements Result {}

        /// Values of an anonymous map, whose types nobody declared: addresses show what they are,
        /// anything else is of type `number`.
        record Inferred(NftType number) implements Result {}
    }

    private final String name;
    private List<NftType> key = List.of();
    private Result result = new Result.Nothing();
    private long timeout = Element.FOREVER;
    private boolean opaque;
    private final Map<List<Range>, Element> elements = new LinkedHashMap<>();

    DraftSet(String name) {
        this.name = name;
    }

    void type(List<NftType> newKey, Result newResult) {
        key = List.copyOf(newKey);
        result = newResult;
    }

    void timeout(long milliseconds) {
        timeout = milliseconds;
    }

    void makeOpaque() {
        opaque = true;
    }

    boolean isOpaque() {
        return opaque || key.isEmpty();
    }

    List<NftType> key() {
        return key;
    }

    Result result() {
        return result;
    }

    long timeout() {
        return timeout;
    }

    void add(Element element) {
        elements.put(element.key(), element);
    }

    void remove(List<Range> elementKey) {
        elements.remove(elementKey);
    }

    void clear() {
        elements.clear();
    }

    NamedSet finished() {
        return new NamedSet(name, new Elements(elements.values()), timeout);
    }
}
