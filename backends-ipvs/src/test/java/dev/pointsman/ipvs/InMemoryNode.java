package dev.pointsman.ipvs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What the scripts of transactions make of a node: as their tools would, read as text.
final class InMemoryNode {
    /// A virtual server: how it balances, and the weight of each real server.
    private record Server(String balancing, Map<String, Integer> reals) {}

    private final Map<String, Collection<String>> sets = new TreeMap<>();
    private final Map<String, Server> servers = new TreeMap<>();
    private final Map<String, List<String>> chains = new TreeMap<>();
    private final Collection<String> addresses = new TreeSet<>();
    private boolean device;

    void run(String script) {
        String tool = "";
        String table = "";
        for (String line : script.lines().toList()) {
            if (line.endsWith("<<'EOF'")) {
                tool = line.substring(0, line.indexOf(' '));
            } else if (line.startsWith("*")) {
                table = line.substring(1);
            } else if (!line.equals("EOF") && !line.equals("COMMIT") && !line.startsWith("#")) {
                switch (tool) {
                    case "ipset" -> set(line.split(" ", -1));
                    case "ipvsadm" -> server(line);
                    case "ip" -> address(line.split(" ", -1));
                    case "iptables-restore", "ip6tables-restore" -> rule(table, line);
                    default -> throw new AssertionError(line);
                }
            }
        }
    }

    private void set(String[] words) {
        switch (words[0]) {
            case "create" -> sets.putIfAbsent(words[1], new TreeSet<>());
            case "add" -> must(known(words[1]).add(words[2]), words);
            case "del" -> must(known(words[1]).remove(words[2]), words);
            case "destroy" -> must(sets.remove(words[1]) != null, words);
            default -> throw new AssertionError(String.join(" ", words));
        }
    }

    private Collection<String> known(String set) {
        Collection<String> members = sets.get(set);
        if (members == null) {
            throw new AssertionError("no set " + set);
        }
        return members;
    }

    private void server(String line) {
        String[] words = line.split(" ", 4);
        String key = words[1] + " " + words[2];
        String rest = words.length > 3 ? words[3] : "";
        switch (words[0]) {
            case "-A" -> servers.put(key, new Server(rest, new TreeMap<>()));
            case "-E" -> servers.put(key, new Server(rest, there(key).reals()));
            case "-D" -> must(servers.remove(key) != null, words);
            case "-a" -> there(key).reals().put(real(rest), weight(rest));
            case "-e" -> must(there(key).reals().replace(real(rest), weight(rest)) != null, words);
            case "-d" -> must(there(key).reals().remove(real(rest)) != null, words);
            default -> throw new AssertionError(line);
        }
    }

    private Server there(String key) {
        Server server = servers.get(key);
        if (server == null) {
            throw new AssertionError("no virtual server " + key);
        }
        return server;
    }

    private static String real(String rest) {
        return rest.split(" ", -1)[1];
    }

    private static int weight(String rest) {
        return Integer.parseInt(rest.substring(rest.lastIndexOf(' ') + 1));
    }

    private void address(String[] words) {
        if (words[0].equals("link")) {
            device = true;
            return;
        }
        must(device, words);
        must(words[1].equals("add") ? addresses.add(words[2]) : addresses.remove(words[2]), words);
    }

    private void rule(String table, String line) {
        String[] words = line.split(" ", 3);
        if (line.startsWith(":")) {
            chains.put(table + " " + words[0].substring(1), new ArrayList<>());
            return;
        }
        List<String> rules = chains.computeIfAbsent(table + " " + words[1], _ -> new ArrayList<>());
        switch (words[0]) {
            case "-A" -> rules.add(words[2]);
            case "-D" -> must(rules.remove(words[2]), words);
            case "-X" -> chains.remove(table + " " + words[1]);
            case "-I" -> {
                String[] placed = words[2].split(" ", 2);
                rules.add(Integer.parseInt(placed[0]) - 1, placed[1]);
            }
            default -> throw new AssertionError(line);
        }
    }

    private static void must(boolean done, String[] words) {
        if (!done) {
            throw new AssertionError("cannot be done: " + String.join(" ", words));
        }
    }

    /// Lets every connection end: real servers that drained go, and with the last of them virtual
    /// servers that `wanted` has not, and their addresses.
    void quiet(InMemoryNode wanted) {
        servers.values().forEach(server -> server.reals().values().removeIf(w -> w == 0));
        Collection<String> gone = new TreeSet<>();
        servers.forEach(
                (key, server) -> {
                    if (server.reals().isEmpty() && !wanted.servers.containsKey(key)) {
                        gone.add(key);
                    }
                });
        servers.keySet().removeAll(gone);
        addresses.removeIf(
                address ->
                        !wanted.addresses.contains(address)
                                && gone.stream().anyMatch(key -> isAt(key, address)));
        sets.forEach(
                (name, members) -> {
                    if (name.endsWith("BOUND-IP")) {
                        members.removeIf(member -> !isBound(member));
                    }
                });
    }

    private boolean isBound(String address) {
        return addresses.stream().anyMatch(bound -> bound.startsWith(address + "/"));
    }

    /// The members of the set of the addresses that are on the device.
    Collection<String> guarded() {
        return sets.entrySet().stream()
                .filter(set -> set.getKey().endsWith("BOUND-IP"))
                .flatMap(set -> set.getValue().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// The addresses on the device.
    Collection<String> bound() {
        return addresses.stream()
                .map(address -> address.substring(0, address.indexOf('/')))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    String text() {
        StringBuilder text = new StringBuilder();
        sets.forEach((name, members) -> text.append(name).append(' ').append(members).append('\n'));
        servers.forEach((key, server) -> text.append(key).append(' ').append(server).append('\n'));
        chains.forEach(
                (name, rules) -> {
                    if (!rules.isEmpty()) {
                        text.append(name).append('\n');
                        rules.forEach(rule -> text.append("  ").append(rule).append('\n'));
                    }
                });
        addresses.forEach(address -> text.append(address).append('\n'));
        return text.toString();
    }

    private static boolean isAt(String key, String address) {
        String at = key.substring(key.indexOf(' ') + 1, key.lastIndexOf(':'));
        return at.replace("[", "")
                .replace("]", "")
                .equals(address.substring(0, address.indexOf('/')));
    }
}
