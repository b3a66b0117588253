package dev.pointsman.packet.verify;

import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Elements;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Value;
import java.util.List;

/// One question that rules or intent ask of an address. Addresses for which all questions have the
/// same answers are one class.
sealed interface Atom {
    Object answer(Value value);

    /// Addresses outside all of these have one answer.
    List<Range> ranges();

    /// What a look-up finds: two members of a set are alike, two keys of a map are not.
    record Found(Elements elements) implements Atom {
        @Override
        public Object answer(Value value) {
            return elements.find(List.of(value), 0).<Object>map(Element::data).orElse("nothing");
        }

        @Override
        public List<Range> ranges() {
            return elements.all().stream().map(element -> element.key().getFirst()).toList();
        }
    }

    record Within(Range range) implements Atom {
        @Override
        public Object answer(Value value) {
            return range.contains(value);
        }

        @Override
        public List<Range> ranges() {
            return List.of(range);
        }
    }
}
