package dev.pointsman.serve;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a page says.
///
/// @param headers besides length and connection
record Answer(int status, SortedMap<String, String> headers, String body) {
    static final int OK = 200;
    static final int BAD_REQUEST = 400;
    static final int NOT_FOUND = 404;
    static final int METHOD_NOT_ALLOWED = 405;
    static final int NOT_ACCEPTABLE = 406;
    static final int UNAVAILABLE = 503;

    private static final String TYPE = "Content-Type";

    Answer {
        headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
    }

    static Answer text(int status, String body) {
        return typed(status, "text/plain; charset=utf-8", body);
    }

    static Answer json(int status, String body) {
        return typed(status, "application/json", body);
    }

    static Answer typed(int status, String type, String body) {
        return new Answer(
                status,
                new TreeMap<>(Map.of(TYPE, type, "X-Content-Type-Options", "nosniff")),
                body);
    }

    static Answer notFound() {
        return text(NOT_FOUND, "404 page not found\n");
    }

    /// Whatever is asked for can be read, and nothing else.
    static Answer readOnly() {
        return text(METHOD_NOT_ALLOWED, "405 Method Not Allowed\n").with("Allow", "GET, HEAD");
    }

    /// The same with one more header.
    Answer with(String name, String value) {
        SortedMap<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new Answer(status, more, body);
    }
}
