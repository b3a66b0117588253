package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Reads what `ip -j addr` prints (ip-address(8)).
public final class AddressReader {

    /// An interface. Who is behind it `ip` does not tell.
    ///
    /// @param master the bridge or bond it belongs to, empty for none
    public record Device(
            int index, String name, String master, State state, List<Node.Address> addresses) {
        public Device {
            addresses = List.copyOf(addresses);
        }

        public Node.Interface behind(Node.Side side) {
            return new Node.Interface(name, side, addresses);
        }
    }

    /// Whether it was set up.
    public enum State {
        UP,
        DOWN
    }

    private AddressReader() {}

    /// The interfaces in the order of their indexes.
    ///
    /// @throws SyntaxException where the text is no JSON, or not that of `ip`
    public static List<Device> read(String text) {
        List<Device> devices = new ArrayList<>();
        for (Json item : JsonReader.read(text).items()) {
            Json.Fields fields = item.fields();
            // Interfaces that a filter of ip left out are empty objects.
            if (!fields.values().isEmpty()) {
                devices.add(device(fields));
            }
        }
        devices.sort(Comparator.comparingInt(Device::index));
        return devices;
    }

    private static Device device(Json.Fields fields) {
        List<Node.Address> addresses = new ArrayList<>();
        if (fields.find("addr_info").isPresent()) {
            for (Json address : fields.get("addr_info").items()) {
                // Seen with those of interfaces that were just deleted.
                if (!address.fields().values().isEmpty()) {
                    addresses.add(address(address.fields()));
                }
            }
        }
        boolean up = fields.get("flags").items().stream().anyMatch(AddressReader::isUp);
        return new Device(
                fields.get("ifindex").number(),
                fields.get("ifname").text(),
                fields.find("master").map(Json::text).orElse(""),
                up ? State.UP : State.DOWN,
                addresses);
    }

    private static boolean isUp(Json flag) {
        return flag.text().equals("UP");
    }

    private static Node.Address address(Json.Fields fields) {
        Json family = fields.get("family");
        Json local = fields.get("local");
        IpAddress address = address(local, family(family));
        Json length = fields.get("prefixlen");
        if (length.number() < 0 || length.number() > address.family().bits()) {
            throw length.wrong("the length of a prefix");
        }
        return new Node.Address(address, length.number());
    }

    private static Family family(Json family) {
        return switch (family.text()) {
            case "inet" -> Family.IPV4;
            case "inet6" -> Family.IPV6;
            default -> throw family.wrong("inet or inet6");
        };
    }

    static IpAddress address(Json text, Family family) {
        IpAddress address;
        try {
            address = IpAddress.parse(text.text());
        } catch (IllegalArgumentException _) {
            throw text.wrong("an address");
        }
        if (address.family() != family) {
            throw text.wrong("an address of the family");
        }
        return address;
    }
}
