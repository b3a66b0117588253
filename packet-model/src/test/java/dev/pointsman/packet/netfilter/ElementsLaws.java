package dev.pointsman.packet.netfilter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ElementsLaws {
    @Property
    void an_indexed_look_up_finds_what_a_search_finds(
            @ForAll @Size(max = 30) List<@IntRange(max = 2000) Integer> numbers,
            @ForAll @IntRange(max = 15) int first,
            @ForAll @IntRange(max = 15) int second) {
        List<Element> elements = new ArrayList<>();
        for (int number : numbers) {
            int low = number % 16;
            int high = Math.min(15, low + number / 16 % 4);
            Range ranged = new Range(Value.of(low), Value.of(high));
            Range single = Range.of(Value.of(number / 64 % 4));
            elements.add(
                    Element.permanent(
                            number % 3 == 0 ? List.of(ranged, ranged) : List.of(single, ranged),
                            new Element.Data.None(),
                            elements.size() + 1));
        }
        List<Value> key = List.of(Value.of(first), Value.of(second));
        Optional<Element> found = new Elements(elements).find(key, 0);
        List<Element> searched =
                elements.stream()
                        .filter(
                                element ->
                                        element.key().get(0).contains(key.get(0))
                                                && element.key().get(1).contains(key.get(1)))
                        .toList();
        assertThat(found.isPresent()).isEqualTo(!searched.isEmpty());
        found.ifPresent(element -> assertThat(searched).contains(element));
    }

    @Property
    void of_nested_ranges_the_narrowest_is_found(
            @ForAll @IntRange(max = 999) int point, @ForAll @IntRange(min = 1, max = 8) int depth) {
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            elements.add(
                    Element.of(
                            new Range(
                                    Value.of(Math.max(0, point - i * 7L)),
                                    Value.of(point + i * 5L))));
        }
        elements.sort(Comparator.comparingInt(Element::hashCode));
        assertThat(new Elements(elements).find(List.of(Value.of(point)), 0))
                .map(element -> element.key().getFirst())
                .contains(new Range(Value.of(point), Value.of(point)));
    }

    @Property
    void probabilities_add_up(@ForAll @IntRange(min = 1, max = 200) int parts) {
        Fraction sum = Fraction.ZERO;
        Fraction rest = Fraction.ONE;
        for (int i = parts; i > 0; i--) {
            Fraction share = rest.times(Fraction.of(1, i));
            sum = sum.plus(share);
            rest = rest.times(Fraction.of(1, i).complement());
            assertThat(share).isEqualTo(Fraction.of(1, parts));
        }
        assertThat(sum).isEqualTo(Fraction.ONE);
        assertThat(rest.isZero()).isTrue();
    }
}
