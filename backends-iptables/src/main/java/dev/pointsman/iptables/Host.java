package dev.pointsman.iptables;

import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.graph.Family;
import dev.pointsman.netlink.NftOwnCommits;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;

/// What was found out about this node's iptables when it was first needed.
record Host(Tool tool, Capabilities capabilities) {
    private static final System.Logger LOG = System.getLogger(Host.class.getPackageName());
    private static final Path SETTINGS = Path.of("/proc/sys/net");

    static Host find(Family family, IptablesMode.Choice choice, NftOwnCommits commits) {
        VariantSearch.Found found =
                switch (choice) {
                    case DETECT -> VariantSearch.search(family);
                    case NFT -> VariantSearch.decided(family, Variant.NFT);
                    case LEGACY -> VariantSearch.decided(family, Variant.LEGACY);
                };
        Tool tool = Tool.of(new Programs(family, found.variant()), commits);
        var capabilities = new Capabilities(new Trial(tool).randomFully(), invalidPackets());
        LOG.log(
                Level.INFO,
                "{0} rules go to {1} ({2}); masquerading with random ports: {3}; invalid packets:"
                        + " {4}",
                family.title(),
                tool.programs().name(""),
                found.reason(),
                capabilities.randomFully(),
                capabilities.invalid());
        VariantSearch.warning(found).ifPresent(text -> LOG.log(Level.WARNING, text));
        return new Host(tool, capabilities);
    }

    private static Capabilities.InvalidPackets invalidPackets() {
        try {
            String liberal =
                    Files.readString(SETTINGS.resolve("netfilter/nf_conntrack_tcp_be_liberal"));
            return liberal.strip().equals("0")
                    ? Capabilities.InvalidPackets.DROPPED
                    : Capabilities.InvalidPackets.LEFT_ALONE;
        } catch (IOException _) {
            // Without the module nothing is liberal.
            return Capabilities.InvalidPackets.DROPPED;
        }
    }

    /// Lets packets from 127.0.0.0/8 leave for other addresses, which node ports on loopback need.
    /// The firewall chain keeps others from using it.
    static void routeLoopback() {
        Path setting = SETTINGS.resolve("ipv4/conf/all/route_localnet");
        try {
            if (!Files.readString(setting).strip().equals("1")) {
                Files.writeString(setting, "1\n");
                LOG.log(
                        Level.INFO,
                        "set net.ipv4.conf.all.route_localnet, so that node ports answer on"
                                + " 127.0.0.1; localhostNodePorts: false avoids it");
            }
        } catch (IOException e) {
            throw new DataplaneUnavailable(
                    "mode iptables: "
                            + setting
                            + " cannot be set to 1 ("
                            + e
                            + "); without it node ports do not answer on 127.0.0.1:"
                            + " make /proc/sys writable or set localhostNodePorts: false",
                    e);
        }
    }
}
