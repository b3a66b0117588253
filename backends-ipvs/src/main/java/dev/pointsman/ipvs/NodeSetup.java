package dev.pointsman.ipvs;

import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.Protocol;
import dev.pointsman.netlink.Answer;
import dev.pointsman.netlink.IpvsCommand;
import dev.pointsman.netlink.IpvsTimeouts;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What mode `ipvs` wants of the node beside its rules: kernel settings (behaviour document 3.3.1),
/// timeouts, and a scheduler that is there.
final class NodeSetup {
    private static final System.Logger LOG = System.getLogger(NodeSetup.class.getPackageName());
    private static final Path SYSTEM = Path.of("/proc/sys");
    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+)");

    // 198.51.100.0/24 and 2001:db8::/32 are for examples: no Service has such an address.
    private static final ServerKey IPV4_TRIAL =
            new ServerKey(IpAddress.parse("198.51.100.0"), Protocol.TCP, 20000);
    private static final ServerKey IPV6_TRIAL =
            new ServerKey(IpAddress.parse("2001:db8::"), Protocol.TCP, 20000);

    private NodeSetup() {}

    /// Sets what is not set yet.
    ///
    /// @throws DataplaneUnavailable when a setting cannot be had, or no such scheduler
    static void apply(Sockets sockets, Family family, IpvsSettings settings) {
        var version = sockets.ipvs().info();
        LOG.log(
                Level.INFO,
                "{0} Services go to IPVS {1}, whose table of connections has {2} rows",
                family.title(),
                version.versionText(),
                version.connectionTableSize());
        settings(family, settings.arp(), kernelRelease()).forEach(NodeSetup::set);
        timeouts(sockets, settings.timeouts());
        tryScheduler(sockets, family, settings.scheduler());
    }

    /// The settings under /proc/sys, by file name.
    ///
    /// @param release such as `6.1.0-18-amd64`
    static Map<String, String> settings(Family family, IpvsSettings.Arp arp, String release) {
        Map<String, String> settings = new LinkedHashMap<>();
        // Masquerading needs conntrack to know where IPVS sends a packet.
        settings.put("net/ipv4/vs/conntrack", "1");
        if (hasCostlyReuse(release)) {
            settings.put("net/ipv4/vs/conn_reuse_mode", "0");
        }
        // Packets of a connection whose real server is gone lead elsewhere at once.
        settings.put("net/ipv4/vs/expire_nodest_conn", "1");
        // A client does not stay with a real server that drains.
        settings.put("net/ipv4/vs/expire_quiescent_template", "1");
        switch (family) {
            case IPV4 -> settings.put("net/ipv4/ip_forward", "1");
            // Switched on, it would make the node forget routes that it learned from routers.
            case IPV6 -> {}
        }
        switch (arp) {
            case AS_FOUND -> {}
            case STRICT -> {
                settings.put("net/ipv4/conf/all/arp_ignore", "1");
                settings.put("net/ipv4/conf/all/arp_announce", "2");
            }
        }
        return settings;
    }

    /// From Linux 4.1 on, a client that reuses a port waits for a second unless this is 0; Linux
    /// 5.9 mended it, and there the setting is left as it is (field report H5).
    private static boolean hasCostlyReuse(String release) {
        Matcher version = RELEASE.matcher(release);
        if (!version.lookingAt()) {
            return false;
        }
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        return major == 4 && minor >= 1 || major == 5 && minor < 9;
    }

    private static String kernelRelease() {
        return System.getProperty("os.version", "");
    }

    private static void set(String name, String value) {
        Path file = SYSTEM.resolve(name);
        try {
            if (Files.readString(file).strip().equals(value)) {
                return;
            }
            Files.writeString(file, value + "\n");
            LOG.log(Level.INFO, "set {0} to {1}", name.replace('/', '.'), value);
        } catch (IOException e) {
            throw new DataplaneUnavailable(
                    "mode ipvs: "
                            + file
                            + " cannot be set to "
                            + value
                            + " ("
                            + e
                            + "); make /proc/sys writable, or run `sysctl -w "
                            + name.replace('/', '.')
                            + "="
                            + value
                            + "` on the node",
                    e);
        }
    }

    private static void timeouts(Sockets sockets, IpvsSettings.Timeouts wanted) {
        if (!wanted.equals(IpvsSettings.Timeouts.AS_FOUND)) {
            sockets.ipvs()
                    .setTimeouts(new IpvsTimeouts(wanted.tcp(), wanted.tcpFin(), wanted.udp()));
        }
    }

    /// Makes and deletes a virtual server: only the kernel knows which schedulers it can load.
    private static void tryScheduler(Sockets sockets, Family family, String scheduler) {
        ServerKey key =
                switch (family) {
                    case IPV4 -> IPV4_TRIAL;
                    case IPV6 -> IPV6_TRIAL;
                };
        var balancing = new VirtualServer.Balancing(scheduler, 0);
        List<Answer> answers =
                sockets.ipvs()
                        .commit(
                                List.of(
                                        new IpvsCommand.AddService(Netlink.service(key, balancing)),
                                        new IpvsCommand.DeleteService(Netlink.key(key))));
        if (answers.getFirst() instanceof Answer.Refused refused
                && refused.cause() != Answer.Cause.EXISTS) {
            throw new DataplaneUnavailable(
                    "mode ipvs: the scheduler "
                            + scheduler
                            + " cannot be used: "
                            + refused.reason()
                            + "; set ipvs.scheduler to another one",
                    new IllegalStateException(refused.reason()));
        }
    }
}
