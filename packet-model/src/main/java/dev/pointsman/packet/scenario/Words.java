package dev.pointsman.packet.scenario;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.ServiceName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// The words of one line, taken one after the other. What is not as expected ends the reading with
/// file, line and both sides of the mistake.
final class Words {
    /// An address with a port.
    record Target(IpAddress address, int port) {}

    /// A Service, and the name of one of its ports.
    record PortOf(ServiceName service, String port) {}

    private final String where;
    private final int number;
    private final Deque<String> words;

    Words(String file, int number, String text) {
        where = file + ":" + number;
        this.number = number;
        words = new ArrayDeque<>();
        for (String word : text.strip().split("\\s+", -1)) {
            if (word.startsWith("#")) {
                break;
            }
            if (!word.isEmpty()) {
                words.add(word);
            }
        }
    }

    int number() {
        return number;
    }

    boolean isEmpty() {
        return words.isEmpty();
    }

    boolean nextIs(String word) {
        return word.equals(words.peek());
    }

    String next(String expected) {
        String word = words.poll();
        if (word == null) {
            throw wrong(expected, "the end of the line");
        }
        return word;
    }

    void end() {
        if (!words.isEmpty()) {
            throw wrong("the end of the line", "\"" + words.peek() + "\"");
        }
    }

    /// The rest of the line: each word a key, or `key=value` with a key of `keyed` or a bare one of
    /// `bare`. A bare word has an empty value.
    Map<String, String> options(Set<String> keyed, Set<String> bare) {
        Map<String, String> options = new HashMap<>();
        while (!words.isEmpty()) {
            String word = words.remove();
            int equals = word.indexOf('=');
            String key = equals < 0 ? word : word.substring(0, equals);
            if (!(equals < 0 ? bare : keyed).contains(key)
                    || equals == word.length() - 1
                    || options.put(key, word.substring(equals + 1)) != null) {
                throw wrong("one of " + keyed + " with a value or " + bare + ", once", word);
            }
        }
        return options;
    }

    IpAddress address(String word) {
        return parsed(word, IpAddress::parse);
    }

    List<IpAddress> addresses(String list) {
        return items(list, this::address);
    }

    List<Cidr> ranges(String list) {
        return items(list, item -> parsed(item, Cidr::parse));
    }

    Target target(String word) {
        int colon = word.lastIndexOf(':');
        if (colon < 1) {
            throw wrong("ADDRESS:PORT", word);
        }
        String host = word.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        IpAddress address = address(bracketed ? host.substring(1, host.length() - 1) : host);
        if (bracketed != (address.family() == Family.IPV6)) {
            throw wrong("brackets around an IPv6 address with a port, and only there", word);
        }
        return new Target(address, number(word.substring(colon + 1), 1, 65535));
    }

    List<Target> targets(String list) {
        return items(list, this::target);
    }

    Protocol protocol() {
        String word = next("a protocol");
        return Arrays.stream(Protocol.values())
                .filter(protocol -> protocol.keyword().equals(word))
                .findFirst()
                .orElseThrow(() -> wrong("tcp, udp or sctp", word));
    }

    ServiceName service() {
        String word = next("NAMESPACE/NAME");
        return service(word, word);
    }

    PortOf portOf() {
        String word = next("NAMESPACE/NAME[:PORT-NAME]");
        int colon = word.indexOf(':');
        return colon < 0
                ? new PortOf(service(word, word), "")
                : new PortOf(service(word.substring(0, colon), word), word.substring(colon + 1));
    }

    private ServiceName service(String name, String word) {
        int slash = name.indexOf('/');
        if (slash < 1 || slash == name.length() - 1) {
            throw wrong("NAMESPACE/NAME", word);
        }
        return new ServiceName(name.substring(0, slash), name.substring(slash + 1));
    }

    int number(String word, int least, int most) {
        try {
            int value = Integer.parseInt(word);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw wrong("a number from " + least + " to " + most, word, e);
        }
        throw wrong("a number from " + least + " to " + most, word);
    }

    <T> List<T> items(String list, Function<String, T> item) {
        List<T> items = new ArrayList<>();
        for (String text : list.split(",", -1)) {
            items.add(item.apply(text));
        }
        return items;
    }

    <T> T parsed(String word, Function<String, T> parser) {
        try {
            return parser.apply(word);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(where + ": " + e.getMessage(), e);
        }
    }

    IllegalArgumentException wrong(String expected, String found) {
        return new IllegalArgumentException(where + ": expected " + expected + ", found " + found);
    }

    private IllegalArgumentException wrong(String expected, String found, Exception cause) {
        IllegalArgumentException wrong = wrong(expected, found);
        wrong.initCause(cause);
        return wrong;
    }
}
