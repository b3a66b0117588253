package dev.pointsman.nftables;

import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The bytes of an element's key or value as they stand in registers: fields one after the other,
/// each padded to 4 bytes, addresses and ports in network order and slot numbers in the machine's.
final class KeyBytes {
    private KeyBytes() {}

    static byte[] of(IpAddress address) {
        return address.bytes();
    }

    static byte[] pair(IpAddress first, IpAddress second) {
        return join(first.bytes(), second.bytes());
    }

    /// [Key#FRONTEND] or [Key#NODE_PORT].
    static byte[] of(Frontend frontend) {
        return switch (frontend) {
            case Frontend.Address(var address, var protocol, int port) ->
                    join(address.bytes(), protocolAndPort(protocol, port));
            case Frontend.NodePort(var protocol, int port) -> protocolAndPort(protocol, port);
        };
    }

    /// [Key#ENDPOINT].
    static byte[] endpoint(IpAddress address, int port) {
        byte[] ip = address.bytes();
        return ByteBuffer.allocate(ip.length + 4).put(ip).putShort((short) port).array();
    }

    /// A slot of what `prefix` identifies.
    static byte[] slot(byte[] prefix, int slot) {
        return ByteBuffer.allocate(prefix.length + 4)
                .put(prefix)
                .order(ByteOrder.nativeOrder())
                .putInt(slot)
                .array();
    }

    static byte[] join(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
    }

    private static byte[] protocolAndPort(Protocol protocol, int port) {
        return ByteBuffer.allocate(8)
                .put(0, (byte) protocol.number())
                .putShort(4, (short) port)
                .array();
    }
}
