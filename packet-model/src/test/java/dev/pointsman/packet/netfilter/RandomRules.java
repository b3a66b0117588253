package dev.pointsman.packet.netfilter;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Small rulesets about the addresses of [Town], the same for the same seed.
final class RandomRules {
    static final List<String> SENDERS = List.of(Town.CLIENT, Town.POD, Town.HOST);
    static final List<String> DESTINATIONS =
            List.of(
                    Town.SERVICE,
                    "172.30.0.2",
                    Town.ENDPOINT_1,
                    Town.ENDPOINT_2,
                    Town.HOST,
                    "10.8.0.254",
                    Town.POD,
                    "10.7.0.1");
    private static final List<String> ENDPOINTS =
            List.of(Town.ENDPOINT_1, Town.ENDPOINT_2, Town.POD, "10.7.0.1", Town.HOST);

    private final Random random;

    RandomRules(long seed) {
        random = new Random(seed);
    }

    String ruleset() {
        StringBuilder text = new StringBuilder();
        int tables = 1 + random.nextInt(2);
        for (int i = 0; i < tables; i++) {
            text.append("table ")
                    .append(pick("ip", "ip", "inet"))
                    .append(" t")
                    .append(i)
                    .append(" {\n");
            sets(text);
            // Chains call only chains before them: the kernel refuses circles.
            List<String> chains = new ArrayList<>();
            for (int c = 0; c < 3; c++) {
                called(text, "f" + c, chains, false);
            }
            List<String> natChains = new ArrayList<>();
            for (int c = 0; c < 2; c++) {
                called(text, "n" + c, natChains, true);
            }
            base(text, "pre", "filter", "prerouting", pick("-110", "-150", "-300", "0"), chains);
            base(text, "incoming", "filter", "input", pick("0", "-10"), chains);
            base(text, "through", "filter", "forward", pick("0", "10"), chains);
            base(text, "out", "filter", "output", pick("-110", "0", "-150"), chains);
            base(text, "post", "filter", "postrouting", pick("0", "200"), List.of());
            base(text, "npre", "nat", "prerouting", pick("-100", "-90"), natChains);
            base(text, "nout", "nat", "output", pick("-100", "-90"), natChains);
            masquerading(text);
            text.append("}\n");
        }
        return text.toString();
    }

    private void sets(StringBuilder text) {
        text.append("set some { type ipv4_addr; elements = { ")
                .append(sender())
                .append(", ")
                .append(destination())
                .append(" }; }\n");
        text.append("set ranges { type ipv4_addr . inet_service; flags interval; elements = { ")
                .append(pick("10.8.0.0/24", "172.30.0.0/31", "10.9.0.0-10.9.0.50"))
                .append(" . ")
                .append(pick("80", "1-100", "8000-9000"))
                .append(" }; }\n");
        text.append(
                        "map ends { type ipv4_addr . inet_service : ipv4_addr . inet_service; elements = { ")
                .append(pick(Town.SERVICE, "172.30.0.2"))
                .append(" . 80 : ")
                .append(endpoint())
                .append(" . 8080 }; }\n");
    }

    private void called(StringBuilder text, String name, List<String> earlier, boolean nat) {
        text.append("chain ").append(name).append(" {\n");
        rules(text, earlier, nat, 1 + random.nextInt(2));
        text.append("}\n");
        earlier.add(name);
    }

    private void base(
            StringBuilder text,
            String name,
            String type,
            String hook,
            String priority,
            List<String> chains) {
        text.append("chain ").append(name).append(" { type ").append(type).append(" hook ");
        text.append(hook).append(" priority ").append(priority).append(";\n");
        rules(text, chains, type.equals("nat"), random.nextInt(4));
        text.append("}\n");
    }

    private void masquerading(StringBuilder text) {
        text.append("chain npost { type nat hook postrouting priority 100;\n");
        if (random.nextBoolean()) {
            text.append("meta mark & 0x4 == 0x4 ").append(pick("", "meta mark set mark xor 0x4 "));
            text.append("masquerade\n");
        }
        if (random.nextBoolean()) {
            text.append("ct status dnat ip saddr . ip daddr { ")
                    .append(Town.POD + " . " + Town.POD)
                    .append(" } masquerade fully-random\n");
        }
        text.append("}\n");
    }

    private void rules(StringBuilder text, List<String> chains, boolean nat, int count) {
        for (int i = 0; i < count; i++) {
            if (random.nextInt(4) > 0) {
                text.append(match()).append(' ');
            }
            if (random.nextInt(3) > 0) {
                text.append(match()).append(' ');
            }
            // The kernel refuses to reject in postrouting, the only base chain that calls none.
            boolean gentle = nat || chains.isEmpty();
            text.append(nat && random.nextBoolean() ? translation() : action(chains, gentle));
            text.append('\n');
        }
    }

    private String match() {
        return switch (random.nextInt(15)) {
            case 0 -> "ip saddr " + pick("", "!= ") + sender();
            case 1 -> "ip daddr " + pick("", "!= ") + destination();
            case 2 -> "udp dport " + pick("80", "8080", "!= 80", "70-90", "{ 80, 443 }", ">= 81");
            case 3 ->
                    pick("iifname", "oifname")
                            + " "
                            + pick("", "!= ")
                            + pick("eth0", "\"e*\"", "lo", "ends");
            case 4 -> "meta mark " + pick("0", "!= 0", "& 0x1 == 0x1", "& 0x4 != 0x0");
            case 5 ->
                    "ct state "
                            + pick(
                                    "new",
                                    "new,established",
                                    "!= new",
                                    "{ new, related }",
                                    "invalid");
            case 6 -> "ct status " + pick("dnat", "!= dnat", "snat,dnat");
            case 7 ->
                    "fib "
                            + pick("saddr", "daddr")
                            + " type "
                            + pick("local", "!= local", "unicast");
            case 8 -> "ip " + pick("saddr", "daddr") + pick(" ", " != ") + "@some";
            case 9 -> "ip daddr . th dport" + pick(" ", " != ") + "@ranges";
            case 10 -> "meta l4proto " + pick("udp", "!= tcp", "!= { tcp, sctp }");
            case 11 -> "numgen random mod 2 " + pick("0", "1");
            case 12 -> "ct original ip daddr " + pick(Town.SERVICE, "172.30.0.2");
            case 13 -> "ct direction original";
            default -> "ip saddr & 255.255.0.0 == " + pick("10.9.0.0", "10.8.0.0");
        };
    }

    private String action(List<String> chains, boolean gentle) {
        if (!chains.isEmpty() && random.nextInt(3) == 0) {
            String chain = chains.get(random.nextInt(chains.size()));
            return switch (random.nextInt(3)) {
                case 0 -> "goto " + chain;
                case 1 ->
                        "ip daddr . th dport vmap { "
                                + destination()
                                + " . "
                                + pick("80", "8080")
                                + " : "
                                + pick("jump ", "goto ")
                                + chain
                                + " }";
                default -> "jump " + chain;
            };
        }
        return switch (random.nextInt(gentle ? 5 : 9)) {
            case 0, 1 ->
                    "meta mark set mark " + pick("or 0x4", "or 0x1", "xor 0x5", "and 0xfffffffb");
            case 2 -> "accept";
            case 3 -> "return";
            case 4 -> "counter";
            case 5 -> "drop";
            case 6 -> "ct mark set 0x7";
            case 7 -> "ct mark 0x7 drop";
            default -> "reject";
        };
    }

    private String translation() {
        return switch (random.nextInt(5)) {
            case 0 -> "dnat ip to " + endpoint();
            case 1 -> "meta l4proto udp dnat ip to " + endpoint() + ":8080";
            case 2 -> "meta l4proto udp dnat ip to ip daddr . th dport map @ends";
            case 3 ->
                    "meta l4proto udp dnat ip to numgen random mod 2 map { 0 : "
                            + endpoint()
                            + " . 80, 1 : "
                            + endpoint()
                            + " . 8080 }";
            default -> "meta l4proto udp redirect to :8080";
        };
    }

    private String sender() {
        return SENDERS.get(random.nextInt(SENDERS.size()));
    }

    String destination() {
        return DESTINATIONS.get(random.nextInt(DESTINATIONS.size()));
    }

    private String endpoint() {
        return ENDPOINTS.get(random.nextInt(ENDPOINTS.size()));
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
