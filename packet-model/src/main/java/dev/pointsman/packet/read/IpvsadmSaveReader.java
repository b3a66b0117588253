package dev.pointsman.packet.read;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Transport;
import dev.pointsman.packet.read.VirtualServer.Forwarding;
import dev.pointsman.packet.read.VirtualServer.RealServer;
import dev.pointsman.packet.read.VirtualServer.Traffic;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads what `ipvsadm-save -n` and `ipvsadm -S -n` print.
public final class IpvsadmSaveReader {
    private static final int DEFAULT_PERSISTENCE = 300;

    /// A virtual server while it is read.
    private static final class Draft {
        private final int line;
        private final List<RealServer> servers = new ArrayList<>();
        private String scheduler = "wlc";
        private int persistence;
        private int netmask;

        Draft(int line, Family family) {
            this.line = line;
            netmask = family.bits();
        }
    }

    private final Map<Traffic, Draft> drafts = new LinkedHashMap<>();

    private IpvsadmSaveReader() {}

    /// The virtual servers of a node, in the order in which they are listed.
    ///
    /// @throws SyntaxException where the text is not that of ipvsadm, or has names for numbers
    /// @throws UncheckedIOException when `text` cannot be read
    public static List<VirtualServer> read(Reader text) {
        IpvsadmSaveReader reader = new IpvsadmSaveReader();
        try (BufferedReader lines = new BufferedReader(text)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    reader.line(new SavedLine(number, line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<VirtualServer> servers = new ArrayList<>();
        reader.drafts.forEach(
                (traffic, draft) ->
                        servers.add(
                                new VirtualServer(
                                        traffic,
                                        draft.scheduler,
                                        draft.persistence,
                                        draft.netmask,
                                        draft.servers,
                                        draft.line)));
        return servers;
    }

    public static List<VirtualServer> read(String text) {
        return read(new StringReader(text));
    }

    private void line(SavedLine line) {
        switch (line.next("-A or -a")) {
            case "-A", "--add-service" -> service(line);
            case "-a", "--add-server" -> server(line);
            default -> throw line.wrong("-A or -a");
        }
    }

    private static Traffic traffic(SavedLine line) {
        return switch (line.next("a virtual server")) {
            case "-t", "--tcp-service" -> to(Transport.TCP, line);
            case "-u", "--udp-service" -> to(Transport.UDP, line);
            case "--sctp-service" -> to(Transport.SCTP, line);
            case "-f", "--fwmark-service" -> {
                int mark = (int) line.number(MarkMask.ALL);
                yield new Traffic.Marked(
                        mark,
                        line.accept("-6") || line.accept("--ipv6") ? Family.IPV6 : Family.IPV4);
            }
            default -> throw line.wrong("-t, -u, --sctp-service or -f");
        };
    }

    private static Traffic to(int protocol, SavedLine line) {
        Place place = Place.of(line);
        return new Traffic.To(protocol, place.address(), place.port());
    }

    /// `10.96.0.1:443` or `[fd00::1]:443`.
    private record Place(IpAddress address, int port) {
        static Place of(SavedLine line) {
            String word = line.next("an address with a port");
            int colon = word.lastIndexOf(':');
            String address = colon < 0 ? word : word.substring(0, colon);
            int port = colon < 0 ? 0 : (int) line.number(word.substring(colon + 1), 65535);
            return address.startsWith("[") && address.endsWith("]")
                    ? new Place(
                            line.address(address.substring(1, address.length() - 1), Family.IPV6),
                            port)
                    : new Place(line.address(address, Family.IPV4), port);
        }
    }

    private void service(SavedLine line) {
        Traffic traffic = traffic(line);
        Draft draft = new Draft(line.line(), traffic.family());
        if (drafts.put(traffic, draft) != null) {
            throw line.wrong("a virtual server that is new");
        }
        while (line.hasNext()) {
            switch (line.next("an option")) {
                case "-s", "--scheduler" -> draft.scheduler = line.next("a scheduler");
                case "-p", "--persistent" ->
                        draft.persistence =
                                line.hasNext() && !line.isAtOption()
                                        ? (int) line.number(Integer.MAX_VALUE)
                                        : DEFAULT_PERSISTENCE;
                case "-M", "--netmask" -> draft.netmask = netmask(traffic.family(), line);
                case "-b", "--sched-flags", "--pe" -> line.next("a value");
                case "-o", "--ops" -> {}
                default -> throw line.wrong("an option of a virtual server");
            }
        }
    }

    private static int netmask(Family family, SavedLine line) {
        String word = line.next("a netmask");
        return switch (family) {
            case IPV6 -> (int) line.number(word, family.bits());
            case IPV4 -> {
                IpAddress mask = line.address(word, family);
                for (int length = family.bits(); length >= 0; length--) {
                    if (new Cidr(new IpAddress.Ipv4(-1), length).base().equals(mask)) {
                        yield length;
                    }
                }
                throw line.wrong("a netmask");
            }
        };
    }

    private void server(SavedLine line) {
        Draft draft = drafts.get(traffic(line));
        if (draft == null) {
            throw line.wrong("a virtual server that was added before");
        }
        if (!line.accept("-r") && !line.accept("--real-server")) {
            throw line.expected("-r");
        }
        Place place = Place.of(line);
        Forwarding forwarding = Forwarding.DIRECT_ROUTING;
        int weight = 1;
        while (line.hasNext()) {
            switch (line.next("an option")) {
                case "-m", "--masquerading" -> forwarding = Forwarding.MASQUERADING;
                case "-g", "--gatewaying" -> forwarding = Forwarding.DIRECT_ROUTING;
                case "-i", "--ipip" -> forwarding = Forwarding.TUNNELLING;
                case "-w", "--weight" -> weight = (int) line.number(Integer.MAX_VALUE);
                case "-x", "--u-threshold", "-y", "--l-threshold" -> line.next("a number");
                case "--tun-type", "--tun-port" -> line.next("a value");
                case "--tun-nocsum", "--tun-csum", "--tun-remcsum" -> {}
                default -> throw line.wrong("an option of a real server");
            }
        }
        draft.servers.add(
                new RealServer(place.address(), place.port(), forwarding, weight, line.line()));
    }
}
