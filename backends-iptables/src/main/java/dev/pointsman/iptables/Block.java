package dev.pointsman.iptables;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;

/// All Frontends of one form whose key begins with the same hexadecimal digits. The key is address
/// (of an address only), protocol and port, so blocks sort as Frontends do, and one that ends
/// within the address is an address range.
///
/// @param digits what the keys begin with
record Block(Form form, Family family, String digits) {

    /// Which of the two kinds of Frontend it holds.
    enum Form {
        ADDRESS,
        NODE_PORT
    }

    private static final HexFormat HEX = HexFormat.of();
    private static final int PROTOCOL_DIGITS = 1;
    private static final int PORT_DIGITS = 4;
    private static final int BITS = 4;

    static Block everything(Form form, Family family) {
        return new Block(form, family, "");
    }

    /// The smallest block that holds both.
    static Block around(Form form, Family family, Frontend one, Frontend other) {
        String first = key(one);
        String second = key(other);
        int same = 0;
        while (same < first.length() && first.charAt(same) == second.charAt(same)) {
            same++;
        }
        return new Block(form, family, first.substring(0, same));
    }

    /// The part of this block with one digit more.
    Block part(int digit) {
        return new Block(form, family, digits + Character.forDigit(digit, 16));
    }

    boolean isSingle() {
        return digits.length() == addressDigits() + PROTOCOL_DIGITS + PORT_DIGITS;
    }

    /// False where the digits name no protocol.
    boolean isPossible() {
        return digits.length() <= addressDigits()
                || Character.digit(digits.charAt(addressDigits()), 16) < Protocol.values().length;
    }

    boolean contains(Frontend frontend) {
        return switch (frontend) {
            case Frontend.Address _ -> form == Form.ADDRESS && key(frontend).startsWith(digits);
            case Frontend.NodePort _ -> form == Form.NODE_PORT && key(frontend).startsWith(digits);
        };
    }

    boolean contains(Block other) {
        return form == other.form && other.digits.startsWith(digits);
    }

    /// The entries of `all` that lie in this block.
    <V> SortedMap<Frontend, V> of(SortedMap<Frontend, V> all) {
        return all.subMap(frontend('0', 0), frontend('f', 1));
    }

    /// The Frontend whose key is ours filled up with `fill`, `beyond` ports further.
    private Frontend frontend(char fill, int beyond) {
        int length = addressDigits() + PROTOCOL_DIGITS + PORT_DIGITS;
        String key = digits + String.valueOf(fill).repeat(length - digits.length());
        Protocol protocol = protocol(Character.digit(key.charAt(addressDigits()), 16));
        int port = HexFormat.fromHexDigits(key, addressDigits() + PROTOCOL_DIGITS, length) + beyond;
        return switch (form) {
            case ADDRESS ->
                    new Frontend.Address(
                            IpAddress.of(HEX.parseHex(key, 0, addressDigits())), protocol, port);
            case NODE_PORT -> new Frontend.NodePort(protocol, port);
        };
    }

    /// What a packet for this block must be.
    List<Match> matches() {
        Frontend first = frontend('0', 0);
        Frontend last = frontend('f', 0);
        Match protocol = new Match.ProtocolIs(first.protocol());
        Match ports = new Match.DestinationPort(first.protocol(), first.port(), last.port());
        int more = digits.length() - addressDigits();
        return switch (first) {
            case Frontend.NodePort _ ->
                    more < PROTOCOL_DIGITS
                            ? List.of()
                            : more == PROTOCOL_DIGITS
                                    ? List.of(protocol)
                                    : List.of(protocol, ports);
            case Frontend.Address(var address, _, _) -> {
                Match destination =
                        new Match.Destination(
                                Match.Sense.IS,
                                new Cidr(
                                        address,
                                        Math.min(digits.length(), addressDigits()) * BITS));
                yield more < PROTOCOL_DIGITS
                        ? List.of(destination)
                        : more == PROTOCOL_DIGITS
                                ? List.of(destination, protocol)
                                : List.of(destination, protocol, ports);
            }
        };
    }

    /// The name of the chain that deals with this block: readable where that fits.
    String chainName(String prefix) {
        String readable = prefix + label();
        return readable.length() <= ChainNames.LONGEST
                ? readable
                : prefix + ChainNames.hash(label());
    }

    private String label() {
        Frontend first = frontend('0', 0);
        Frontend last = frontend('f', 0);
        int more = digits.length() - addressDigits();
        StringBuilder label = new StringBuilder();
        if (first instanceof Frontend.Address(var address, _, _)) {
            label.append(address)
                    .append('/')
                    .append(Math.min(digits.length(), addressDigits()) * BITS);
        }
        if (more >= PROTOCOL_DIGITS) {
            label.append(label.isEmpty() ? "" : "-").append(first.protocol().keyword());
        }
        if (more > PROTOCOL_DIGITS) {
            label.append('-').append(first.port()).append('-').append(last.port());
        }
        return label.toString();
    }

    private int addressDigits() {
        return switch (form) {
            case ADDRESS -> family.bits() / BITS;
            case NODE_PORT -> 0;
        };
    }

    private static String key(Frontend frontend) {
        String rest = digit(frontend.protocol()) + HEX.toHexDigits(frontend.port(), PORT_DIGITS);
        return switch (frontend) {
            case Frontend.Address(var address, _, _) -> HEX.formatHex(address.bytes()) + rest;
            case Frontend.NodePort _ -> rest;
        };
    }

    /// Digits in the order in which Frontends are sorted.
    private static String digit(Protocol protocol) {
        return switch (protocol) {
            case TCP -> "0";
            case UDP -> "1";
            case SCTP -> "2";
        };
    }

    /// The protocol of `digit`, or the nearest one.
    private static Protocol protocol(int digit) {
        return switch (digit) {
            case 0 -> Protocol.TCP;
            case 1 -> Protocol.UDP;
            default -> Protocol.SCTP;
        };
    }
}
