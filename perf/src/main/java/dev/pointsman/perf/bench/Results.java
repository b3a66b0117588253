package dev.pointsman.perf.bench;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/// Everything that a suite gave on one machine.
///
/// @param suite its name
/// @param machine what it ran on and with, by name
record Results(String suite, SortedMap<String, String> machine, List<Figure> figures) {
    Results {
        machine = Collections.unmodifiableSortedMap(new TreeMap<>(machine));
        figures = List.copyOf(figures);
    }

    Results(String suite, Map<String, String> machine, Collection<Figure> figures) {
        this(suite, new TreeMap<>(machine), List.copyOf(figures));
    }

    /// Those of one metric, by cell, each in the order of rounds.
    SortedMap<Cell, List<Figure>> of(Metric metric) {
        return figures.stream()
                .filter(figure -> figure.metric() == metric)
                .collect(Collectors.groupingBy(Figure::cell, TreeMap::new, Collectors.toList()));
    }

    /// Medians by number of endpoints, for one proxy in one mode; without what took longer than
    /// anybody waited, which is no point of a curve.
    SortedMap<Integer, Double> curve(Metric metric, Plot.Who who) {
        SortedMap<Integer, Double> points = new TreeMap<>();
        of(metric)
                .forEach(
                        (cell, figures) -> {
                            if (Plot.Who.of(cell).equals(who)
                                    && figures.stream()
                                            .noneMatch(
                                                    f -> f.reading() instanceof Reading.Beyond)) {
                                points.put(cell.endpoints(), Range.of(figures).median());
                            }
                        });
        return points;
    }

    /// Those of one metric and cell in the order of rounds.
    List<Figure> of(Metric metric, Cell cell) {
        return figures.stream()
                .filter(figure -> figure.metric() == metric && figure.cell().equals(cell))
                .toList();
    }

    SortedSet<Cell> cells() {
        return figures.stream().map(Figure::cell).collect(Collectors.toCollection(TreeSet::new));
    }

    /// The times of all rounds together, in nanoseconds.
    static Optional<Histogram> together(List<Figure> figures) {
        return figures.stream()
                .flatMap(
                        figure ->
                                figure.reading() instanceof Reading.Times(var nanos)
                                        ? Optional.of(nanos).stream()
                                        : Optional.<Histogram>empty().stream())
                .reduce(
                        (left, right) -> {
                            Histogram both = left.copy();
                            both.add(right);
                            return both;
                        });
    }
}
