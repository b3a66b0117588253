package dev.pointsman.perf.api;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A list, or so much of it as was asked for.
///
/// @param version of which it is, and all pages after it
/// @param next where the page after it begins; empty for none
record Page(Kind kind, long version, String next, List<StoredObject> items) {
    private static final Pattern PLACE = Pattern.compile("(?<version>\\d{1,18}) (?<key>.+)");
    private static final int MOST_AROUND_ITEMS = 1024;

    Page {
        items = List.copyOf(items);
    }

    /// Where a page begins.
    ///
    /// @param key the last of the page before; empty for the first page
    private record Place(long version, String key) {
        static Place of(Store.State state, Query query) throws Refusal {
            if (query.version() > state.version()) {
                throw Refusal.tooNew(query.version(), state.version());
            }
            if (query.from().isEmpty()) {
                return new Place(query.exact() ? query.version() : state.version(), "");
            }
            Matcher place = PLACE.matcher(decoded(query.from()));
            if (!place.matches()) {
                throw Refusal.badRequest("continue key is not valid: " + query.from());
            }
            return new Place(Long.parseLong(place.group("version")), place.group("key"));
        }

        private static String decoded(String token) {
            try {
                return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException _) {
                return "";
            }
        }

        String token() {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString((version + " " + key).getBytes(StandardCharsets.UTF_8));
        }
    }

    /// What `query` asks for.
    static Page of(Store.State state, Kind kind, Selection selection, Query query) throws Refusal {
        Place place = Place.of(state, query);
        Map<String, StoredObject> rest =
                state.of(kind).at(place.version()).objects().tailMap(place.key(), false);
        int limit = query.limit();
        List<StoredObject> items = new ArrayList<>();
        for (StoredObject object : rest.values()) {
            if (selection.has(object)) {
                if (limit > 0 && items.size() == limit) {
                    String next = new Place(place.version(), items.getLast().key()).token();
                    return new Page(kind, place.version(), next, items);
                }
                items.add(object);
            }
        }
        return new Page(kind, place.version(), "", items);
    }

    ByteBuf body(ByteBufAllocator allocator) {
        ByteBuf out =
                allocator.buffer(
                        MOST_AROUND_ITEMS + items.stream().mapToInt(item -> item.size() + 1).sum());
        ByteBufUtil.writeUtf8(
                out,
                "{\"kind\":\"%sList\",\"apiVersion\":\"%s\",\"metadata\":{\"resourceVersion\":\"%d\",\"continue\":\"%s\"},\"items\":["
                        .formatted(kind.title(), kind.apiVersion(), version, next));
        String between = "";
        for (StoredObject item : items) {
            ByteBufUtil.writeUtf8(out, between);
            item.writeItem(out);
            between = ",";
        }
        ByteBufUtil.writeUtf8(out, "]}");
        return out;
    }
}
