package dev.pointsman.serve;

import java.util.Collections;
import java.util.SortedMap;

/// A request for a page.
///
/// @param path decoded
/// @param parameters the last value of each
record Ask(String path, SortedMap<String, String> parameters) {
    Ask {
        parameters = Collections.unmodifiableSortedMap(parameters);
    }
}
