package dev.pointsman.nftables;

import dev.pointsman.graph.Family;
import dev.pointsman.netlink.NftExpression;
import dev.pointsman.netlink.NftRegister;
import dev.pointsman.netlink.NftTypeof;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a rule looks up in a set: one field or several side by side.
record Key(List<Field> fields) {
    /// An address of a Service with protocol and port.
    static final Key FRONTEND =
            Key.of(Field.Packet.DESTINATION, Field.Packet.PROTOCOL, Field.Packet.PORT);

    /// A port of every node-port address.
    static final Key NODE_PORT = Key.of(Field.Packet.PROTOCOL, Field.Packet.PORT);

    /// What a connection was dialled as, once its destination is translated.
    static final Key ORIGINAL_FRONTEND =
            Key.of(
                    Field.Packet.ORIGINAL_DESTINATION,
                    Field.Packet.PROTOCOL,
                    Field.Packet.ORIGINAL_PORT);

    static final Key ORIGINAL_NODE_PORT = Key.of(Field.Packet.PROTOCOL, Field.Packet.ORIGINAL_PORT);
    static final Key ENDPOINT = Key.of(Field.Packet.DESTINATION, Field.Packet.PORT);
    static final Key DESTINATION = Key.of(Field.Packet.DESTINATION);
    static final Key ORIGINAL_DESTINATION = Key.of(Field.Packet.ORIGINAL_DESTINATION);
    static final Key SOURCE = Key.of(Field.Packet.SOURCE);
    static final Key BOTH_ENDS = Key.of(Field.Packet.SOURCE, Field.Packet.DESTINATION);

    Key {
        fields = List.copyOf(fields);
    }

    static Key of(Field... fields) {
        return new Key(Arrays.asList(fields));
    }

    /// This key with one more field.
    Key and(Field last) {
        List<Field> more = new ArrayList<>(fields);
        more.add(last);
        return new Key(more);
    }

    String text(Family family) {
        StringBuilder text = new StringBuilder();
        for (Field field : fields) {
            text.append(text.isEmpty() ? "" : " . ").append(field.text(family));
        }
        return text.toString();
    }

    /// Loads the fields into consecutive registers from the first one on.
    List<NftExpression> load(Family family) {
        List<NftExpression> loads = new ArrayList<>(fields.size());
        int word = 0;
        for (Field field : fields) {
            loads.add(field.load(family, NftRegister.word(word)));
            word += field.words(family);
        }
        return loads;
    }

    List<NftTypeof.Field> types(Family family) {
        return fields.stream().map(field -> field.type(family)).toList();
    }

    /// A value of the key as nft writes it.
    String value(Family family, byte[] bytes) {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        StringBuilder text = new StringBuilder();
        for (Field field : fields) {
            text.append(text.isEmpty() ? "" : " . ").append(field.value(family, rest));
        }
        return text.toString();
    }
}
