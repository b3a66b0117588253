package dev.pointsman.packet.netfilter;

import java.util.List;

/// A set, map or verdict map of a table; an ipset is one too.
///
/// @param timeout how long elements that packets add live if the statement does not say, in
///   milliseconds; [Element#FOREVER] if they stay
public record NamedSet(String name, Elements elements, long timeout) {
    NamedSet lasting() {
        List<Element> kept =
                elements.all().stream().filter(e -> e.until() == Element.FOREVER).toList();
        return kept.size() == elements.all().size()
                ? this
                : new NamedSet(name, new Elements(kept), timeout);
    }
}
