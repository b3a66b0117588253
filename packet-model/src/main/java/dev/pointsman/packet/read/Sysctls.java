package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.IpvsTable.Switch;
import dev.pointsman.packet.netfilter.Node;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Kernel settings by name, as sysctl(8) prints both.
public record Sysctls(SortedMap<String, String> values) {
    private static final Optional<String> OFF = Optional.of("0");

    public Sysctls {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    public Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /// Whether the node routes packets of `family`; off where it is not told, as in the kernel.
    public Node.Forwarding forwarding(Family family) {
        return isOn(
                        switch (family) {
                            case IPV4 -> "net.ipv4.ip_forward";
                            case IPV6 -> "net.ipv6.conf.all.forwarding";
                        })
                ? Node.Forwarding.ON
                : Node.Forwarding.OFF;
    }

    /// Whether 127.0.0.0/8 may be on `device`: one of two switches is enough (inetdevice.h,
    /// `IN_DEV_ROUTE_LOCALNET`).
    public Node.Localnet localnet(String device) {
        return isOn("net.ipv4.conf.all.route_localnet")
                        || isOn("net.ipv4.conf." + device.replace('.', '/') + ".route_localnet")
                ? Node.Localnet.ROUTED
                : Node.Localnet.CONFINED;
    }

    /// What is switched on of IPVS: all that the text does not switch off.
    public SortedSet<Switch> ipvs() {
        SortedSet<Switch> on = new TreeSet<>();
        for (Switch each : Switch.values()) {
            if (!value("net.ipv4.vs." + each.name().toLowerCase(Locale.ROOT)).equals(OFF)) {
                on.add(each);
            }
        }
        return on;
    }

    private boolean isOn(String name) {
        return value(name).map(value -> !value.equals("0")).orElse(false);
    }
}
