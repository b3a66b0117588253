package dev.pointsman.packet.read;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Scheduler;
import dev.pointsman.packet.netfilter.Transport;
import dev.pointsman.packet.netfilter.VirtualServer;
import dev.pointsman.packet.netfilter.VirtualServer.Forwarding;
import dev.pointsman.packet.netfilter.VirtualServer.Persistence;
import dev.pointsman.packet.netfilter.VirtualServer.RealServer;
import dev.pointsman.packet.netfilter.VirtualServer.Traffic;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Reads what `ipvsadm-save -n` and `ipvsadm -S -n` print, and the scripts for `ipvsadm -R` that
/// change an empty table: commands, each done after the one before.
public final class IpvsadmSaveReader {
    private final SequencedMap<Traffic, Draft> drafts = new LinkedHashMap<>();

    /// A virtual server while it is read.
    private static final class Draft {
        private final int line;
        private final SequencedMap<Place, RealServer> servers = new LinkedHashMap<>();

        /// What limits the connections of real servers.
        private final SequencedMap<Place, String> limits = new LinkedHashMap<>();

        private ServerOptions options;

        Draft(int line, ServerOptions options) {
            this.line = line;
            this.options = options;
        }

        VirtualServer finished(Traffic traffic) {
            List<String> unread = new ArrayList<>(options.unread());
            unread.addAll(limits.values());
            return new VirtualServer(
                    traffic,
                    options.scheduler(),
                    options.persistence(),
                    List.copyOf(servers.values()),
                    unread,
                    line);
        }
    }

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
        reader.drafts.forEach((traffic, draft) -> servers.add(draft.finished(traffic)));
        return servers;
    }

    public static List<VirtualServer> read(String text) {
        return read(new StringReader(text));
    }

    private void line(SavedLine line) {
        switch (line.next("a command of ipvsadm")) {
            case "-A", "--add-service" -> {
                Traffic traffic = traffic(line);
                Draft draft = new Draft(line.line(), ServerOptions.of(traffic.family(), line));
                if (drafts.putIfAbsent(traffic, draft) != null) {
                    throw line.wrong("a virtual server that is new");
                }
            }
            case "-E", "--edit-service" -> {
                Traffic traffic = traffic(line);
                known(traffic, line).options = ServerOptions.of(traffic.family(), line);
            }
            case "-D", "--delete-service" -> {
                Traffic traffic = traffic(line);
                known(traffic, line);
                line.end("the line");
                drafts.remove(traffic);
            }
            case "-a", "--add-server" -> {
                Draft draft = known(traffic(line), line);
                Place place = realServer(line);
                if (draft.servers.containsKey(place)) {
                    throw line.wrong("a real server that is new");
                }
                options(draft, place, line);
            }
            case "-e", "--edit-server" -> {
                Draft draft = known(traffic(line), line);
                options(draft, added(draft, line), line);
            }
            case "-d", "--delete-server" -> {
                Draft draft = known(traffic(line), line);
                Place place = added(draft, line);
                line.end("the line");
                draft.servers.remove(place);
                draft.limits.remove(place);
            }
            case "-C", "--clear" -> {
                line.end("the line");
                drafts.clear();
            }
            default -> throw line.wrong("-A, -a, -E, -e, -D, -d or -C");
        }
    }

    private Draft known(Traffic traffic, SavedLine line) {
        Draft draft = drafts.get(traffic);
        if (draft == null) {
            throw line.wrong("a virtual server that was added before");
        }
        return draft;
    }

    private static Place added(Draft draft, SavedLine line) {
        Place place = realServer(line);
        if (!draft.servers.containsKey(place)) {
            throw line.wrong("a real server that was added before");
        }
        return place;
    }

    private static Place realServer(SavedLine line) {
        if (!line.accept("-r") && !line.accept("--real-server")) {
            throw line.expected("-r");
        }
        return Place.of(line);
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
            int bracket = word.indexOf(']');
            int colon = word.indexOf(':', bracket + 1);
            String address = colon < 0 ? word : word.substring(0, colon);
            int port = colon < 0 ? 0 : (int) line.number(word.substring(colon + 1), 65535);
            return address.startsWith("[") && address.endsWith("]")
                    ? new Place(
                            line.address(address.substring(1, address.length() - 1), Family.IPV6),
                            port)
                    : new Place(line.address(address, Family.IPV4), port);
        }
    }

    /// What a command says of a virtual server; an edit says all of it anew.
    private record ServerOptions(
            Scheduler scheduler, Persistence persistence, List<String> unread) {
        private static final int DEFAULT_SECONDS = 300;

        static ServerOptions of(Family family, SavedLine line) {
            String scheduler = "wlc";
            String flags = "";
            int seconds = 0;
            int netmask = family.bits();
            List<String> unread = new ArrayList<>();
            while (line.hasNext()) {
                switch (line.next("an option")) {
                    case "-s", "--scheduler" -> scheduler = line.next("a scheduler");
                    case "-p", "--persistent" ->
                            seconds =
                                    line.hasNext() && !line.isAtOption()
                                            ? (int) line.number(Integer.MAX_VALUE)
                                            : DEFAULT_SECONDS;
                    case "-M", "--netmask" -> netmask = netmask(family, line);
                    case "-b", "--sched-flags" -> flags = line.next("flags");
                    case "--pe" -> unread.add("--pe " + line.next("an engine"));
                    case "-o", "--ops" -> unread.add("--ops");
                    default -> throw line.wrong("an option of a virtual server");
                }
            }
            return new ServerOptions(
                    SchedulerFlags.of(scheduler, flags, unread),
                    new Persistence(seconds, netmask),
                    unread);
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
    }

    private static void options(Draft draft, Place place, SavedLine line) {
        Forwarding forwarding = Forwarding.DIRECT_ROUTING;
        int weight = 1;
        draft.limits.remove(place);
        while (line.hasNext()) {
            String option = line.next("an option");
            switch (option) {
                case "-m", "--masquerading" -> forwarding = Forwarding.MASQUERADING;
                case "-g", "--gatewaying" -> forwarding = Forwarding.DIRECT_ROUTING;
                case "-i", "--ipip" -> forwarding = Forwarding.TUNNELLING;
                case "-w", "--weight" -> weight = (int) line.number(65535);
                case "-x", "--u-threshold" -> {
                    if (line.number(Integer.MAX_VALUE) > 0) {
                        draft.limits.put(place, option + " of " + place.address());
                    }
                }
                case "-y", "--l-threshold" -> line.number(Integer.MAX_VALUE);
                case "--tun-type", "--tun-port" -> line.next("a value");
                case "--tun-nocsum", "--tun-csum", "--tun-remcsum" -> {}
                default -> throw line.wrong("an option of a real server");
            }
        }
        draft.servers.put(
                place,
                new RealServer(place.address(), place.port(), forwarding, weight, line.line()));
    }
}
