package dev.pointsman.packet.netfilter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.SequencedMap;

/// Small rulesets for `iptables-restore` about the addresses of [Town], the same for the same seed.
final class RandomIptables {
    /// The ipsets that the rules look into.
    static final String IPSETS =
            """
            create some hash:ip family inet
            add some 10.9.0.100
            add some 172.30.0.1
            create pairs hash:ip,port family inet
            add pairs 172.30.0.1,udp:80
            add pairs 10.8.0.1,udp:8080
            create nets hash:net family inet
            add nets 10.8.0.0/24
            add nets 10.9.0.0/28
            """;

    private static final List<String> ENDPOINTS =
            List.of(Town.ENDPOINT_1, Town.ENDPOINT_2, Town.POD, "10.7.0.1", Town.HOST);

    /// Where a chain stands, which decides what the programs take in it.
    private enum Place {
        /// Before routing: no interface to leave by.
        ARRIVING,
        PASSING,
        /// No interface it came in by.
        LEAVING,
        CALLED
    }

    private final Random random;
    private final StringBuilder text = new StringBuilder();

    RandomIptables(long seed) {
        random = new Random(seed);
    }

    String ruleset() {
        text.setLength(0);
        marks();
        translations();
        filters();
        return text.toString();
    }

    private void marks() {
        text.append("*mangle\n:PREROUTING ACCEPT\n:OUTPUT ACCEPT\n:FORWARD ACCEPT\n");
        rules("PREROUTING", Place.ARRIVING, 2, this::mark);
        rules("OUTPUT", Place.LEAVING, 2, this::mark);
        rules("FORWARD", Place.PASSING, 2, this::mark);
        text.append("COMMIT\n");
    }

    private void translations() {
        text.append("*nat\n:PREROUTING ACCEPT\n:OUTPUT ACCEPT\n:POSTROUTING ACCEPT\n");
        text.append(":N0 -\n:N1 -\n");
        rules("N0", Place.CALLED, 2, this::translation);
        rules("N1", Place.CALLED, 2, () -> either(this::translation, () -> call("N0")));
        rules(
                "PREROUTING",
                Place.ARRIVING,
                3,
                () -> either(() -> call("N0", "N1"), this::translation));
        rules("OUTPUT", Place.LEAVING, 3, () -> either(() -> call("N0", "N1"), this::translation));
        if (random.nextBoolean()) {
            text.append("-A POSTROUTING -m mark ! --mark 0x4/0x4 -j RETURN\n");
            text.append("-A POSTROUTING -j MARK --set-xmark 0x4/0x0\n");
            text.append("-A POSTROUTING -j MASQUERADE").append(pick("", " --random-fully"));
            text.append('\n');
        }
        text.append("COMMIT\n");
    }

    private void filters() {
        text.append("*filter\n:INPUT ACCEPT\n:FORWARD ").append(pick("ACCEPT", "ACCEPT", "DROP"));
        text.append("\n:OUTPUT ACCEPT\n:F0 -\n:F1 -\n");
        rules("F0", Place.CALLED, 2, this::judgement);
        rules("F1", Place.CALLED, 2, () -> either(this::judgement, () -> call("F0")));
        rules("INPUT", Place.ARRIVING, 3, () -> either(() -> call("F0", "F1"), this::judgement));
        rules("FORWARD", Place.PASSING, 3, () -> either(() -> call("F0", "F1"), this::judgement));
        rules("OUTPUT", Place.LEAVING, 2, () -> either(() -> call("F0", "F1"), this::judgement));
        text.append("COMMIT\n");
    }

    /// What a rule does.
    private interface Action {
        String text();
    }

    private void rules(String chain, Place place, int most, Action action) {
        int count = random.nextInt(most + 1);
        for (int i = 0; i < count; i++) {
            String act = action.text();
            // One of each kind: the programs take no option twice.
            SequencedMap<String, String> matches = new LinkedHashMap<>();
            // The programs want the protocol where a port is translated.
            if (act.contains(":") || act.contains("REDIRECT")) {
                matches.put("-p", " -p udp");
            }
            for (int m = random.nextInt(3); m > 0; m--) {
                String match = match(place);
                matches.putIfAbsent(kind(match), match);
            }
            text.append("-A ").append(chain);
            matches.values().forEach(text::append);
            text.append(" -j ").append(act).append('\n');
        }
    }

    /// `-s`, or `-m mark`.
    private static String kind(String match) {
        String[] words = match.replace("!", "").strip().split(" +", -1);
        return words[0].equals("-m") ? words[0] + " " + words[1] : words[0];
    }

    private String match(Place place) {
        return switch (random.nextInt(16)) {
            case 0 ->
                    pick(" ", " ! ")
                            + "-s "
                            + pick("10.9.0.100", "10.8.1.0/24", "0.0.0.2/0.0.0.255");
            case 1 -> pick(" ", " ! ") + "-d " + destination();
            case 2 ->
                    " -p udp -m udp" + pick(" ", " ! ") + "--dport " + pick("80", "8080", "70:90");
            case 3 ->
                    " -p udp -m multiport"
                            + pick(" ", " ! ")
                            + pick("--dports 80,443", "--ports 8080", "--ports 80,22");
            case 4 -> pick(" ", " ! ") + device(place) + " " + pick("eth0", "e+", "lo", "ends");
            case 5 -> " -m mark" + pick(" ", " ! ") + "--mark " + pick("0x0", "0x1/0x1", "0x4/0x4");
            case 6, 7 ->
                    " -m conntrack"
                            + pick(" ", " ! ")
                            + "--ctstate "
                            + pick(
                                    "NEW",
                                    "RELATED,ESTABLISHED,DNAT",
                                    "DNAT",
                                    "SNAT,INVALID",
                                    "ESTABLISHED");
            case 8 ->
                    " -m conntrack"
                            + pick(" ", " ! ")
                            + "--ctorigdst "
                            + pick(Town.SERVICE, "172.30.0.0/16");
            case 9 ->
                    " -m conntrack "
                            + pick(
                                    "--ctdir ORIGINAL",
                                    "--ctstatus CONFIRMED",
                                    "--ctorigdstport 80");
            case 10 ->
                    " -m addrtype"
                            + pick(" ", " ! ")
                            + pick("--src-type ", "--dst-type ")
                            + pick("LOCAL", "UNICAST");
            case 11 ->
                    " -m set"
                            + pick(" ", " ! ")
                            + "--match-set "
                            + pick(
                                    "some dst",
                                    "some src",
                                    "pairs dst,dst",
                                    "pairs dst",
                                    "nets src");
            case 12 -> " -m statistic --mode random --probability 0.5";
            case 13 ->
                    " -m connmark" + pick(" ", " ! ") + "--mark " + pick("0x7/0xf", "0x1/0x3", "0");
            case 14 -> " -m iprange" + pick(" ", " ! ") + "--src-range 10.8.1.1-10.9.0.50";
            default -> " -p " + pick("udp", "17");
        };
    }

    private String device(Place place) {
        return switch (place) {
            case ARRIVING -> "-i";
            case LEAVING -> "-o";
            case PASSING, CALLED -> pick("-i", "-o");
        };
    }

    private String mark() {
        return pick(
                "MARK --set-xmark 0x4/0x4",
                "MARK --or-mark 0x1",
                "MARK --xor-mark 0x5",
                "MARK --and-mark 0xfffffffb",
                "MARK --set-mark 0x6/0x3",
                "CONNMARK --set-xmark 0x7/0xf",
                "CONNMARK --save-mark --nfmask 0x5 --ctmask 0x3",
                "CONNMARK --restore-mark --nfmask 0x1 --ctmask 0x3");
    }

    private String judgement() {
        return pick(
                "ACCEPT",
                "RETURN",
                "DROP",
                "REJECT --reject-with icmp-port-unreachable",
                "MARK --set-xmark 0x4/0x4");
    }

    private String translation() {
        return switch (random.nextInt(6)) {
            case 0 -> "DNAT --to-destination " + endpoint();
            case 1, 2 -> "DNAT --to-destination " + endpoint() + ":8080";
            case 3 -> "REDIRECT --to-ports 8080";
            case 4 -> "MARK --set-xmark 0x4/0x4";
            default -> pick("RETURN", "ACCEPT");
        };
    }

    private String either(Action one, Action other) {
        return random.nextBoolean() ? one.text() : other.text();
    }

    private String call(String... chains) {
        return chains[random.nextInt(chains.length)];
    }

    private String destination() {
        return RandomRules.DESTINATIONS.get(random.nextInt(RandomRules.DESTINATIONS.size()));
    }

    private String endpoint() {
        return ENDPOINTS.get(random.nextInt(ENDPOINTS.size()));
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
