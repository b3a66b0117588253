package dev.pointsman.netlink;

/// The words for an operation of a batch, read back from its bytes: text is made only for the
/// operation that was refused.
final class NftOperationText {
    private final NftFamily family;
    private final byte[] bytes;
    private final int message;

    NftOperationText(NftFamily family, byte[] bytes, int message) {
        this.family = family;
        this.bytes = bytes;
        this.message = message;
    }

    /// The operation at a position, one of `count` that the kernel cannot tell apart.
    String of(int position, int count) {
        int type = (short) MessageWriter.NATIVE_SHORT.get(bytes, message + 4);
        int until = message + (int) MessageWriter.NATIVE_INT.get(bytes, message);
        var attributes = new Attributes(bytes, message + MessageWriter.HEADER_LENGTH + 4, until);
        var words = new StringBuilder(verb(type)).append(' ').append(familyName());
        boolean listed = false;
        boolean hasHandle = false;
        while (attributes.next()) {
            // Table and name are attributes 1 and 2 of every object, except that a chain's name is
            // 3.
            int attribute = attributes.type();
            if (attribute == 1
                    || (attribute == 2 && !isTable(type))
                    || (attribute == 3 && isChain(type))) {
                words.append(' ').append(attributes.string());
            } else if (attribute == NfTables.ELEMENTS_LIST && isElement(type)) {
                listed = true;
                elements(attributes.nested(), position, count, words);
            } else if (attribute == NfTables.RULE_HANDLE && type == NfTables.DELETE_RULE) {
                hasHandle = true;
                words.append(" handle ").append(attributes.u64());
            }
        }
        if (type == NfTables.DELETE_ELEMENT && !listed) {
            words.replace(0, "delete element".length(), "flush set");
        }
        if (type == NfTables.DELETE_RULE && !hasHandle) {
            words.replace(0, "delete rule".length(), "flush chain");
        }
        return words.toString();
    }

    private static void elements(Attributes list, int position, int count, StringBuilder words) {
        if (count > 1) {
            words.append(" one of ").append(count).append(" elements");
            return;
        }
        while (list.next()) {
            if (list.offset() - 4 == position) {
                NftElement element = NftDecoder.element(list.nested());
                words.append(" { ").append(element).append(" }");
            }
        }
    }

    private static String verb(int type) {
        return switch (type) {
            case NfTables.NEW_TABLE -> "add table";
            case NfTables.DELETE_TABLE -> "delete table";
            case NfTables.NEW_CHAIN -> "add chain";
            case NfTables.DELETE_CHAIN -> "delete chain";
            case NfTables.NEW_RULE -> "add rule";
            case NfTables.DELETE_RULE -> "delete rule";
            case NfTables.NEW_SET -> "add set";
            case NfTables.DELETE_SET -> "delete set";
            case NfTables.NEW_ELEMENT -> "add element";
            case NfTables.DELETE_ELEMENT -> "delete element";
            default -> "message " + type;
        };
    }

    private static boolean isTable(int type) {
        return type == NfTables.NEW_TABLE || type == NfTables.DELETE_TABLE;
    }

    private static boolean isChain(int type) {
        return type == NfTables.NEW_CHAIN || type == NfTables.DELETE_CHAIN;
    }

    private static boolean isElement(int type) {
        return type == NfTables.NEW_ELEMENT || type == NfTables.DELETE_ELEMENT;
    }

    private String familyName() {
        return switch (family) {
            case IPV4 -> "ip";
            case IPV6 -> "ip6";
            case INET -> "inet";
        };
    }
}
