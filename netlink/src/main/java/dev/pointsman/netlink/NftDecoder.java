package dev.pointsman.netlink;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// nf_tables objects as the kernel lists them.
final class NftDecoder {
    private NftDecoder() {}

    static NftTable table(Attributes in) {
        String name = "";
        long handle = 0;
        int use = 0;
        Set<NftTable.Flag> flags = Set.of();
        byte[] userdata = {};
        while (in.next()) {
            switch (in.type()) {
                case NfTables.TABLE_NAME -> name = in.string();
                case NfTables.TABLE_FLAGS -> flags = NftTable.Flag.of(in.u32());
                case NfTables.TABLE_USE -> use = in.u32();
                case NfTables.TABLE_HANDLE -> handle = in.u64();
                case NfTables.TABLE_USERDATA -> userdata = in.bytes();
                default -> {}
            }
        }
        return new NftTable(name, handle, use, flags, userdata);
    }

    static NftListedChain chain(Attributes in) {
        String table = "";
        String name = "";
        String type = "";
        long handle = 0;
        int use = 0;
        int policy = 1;
        int hooknum = -1;
        int priority = 0;
        while (in.next()) {
            switch (in.type()) {
                case NfTables.CHAIN_TABLE -> table = in.string();
                case NfTables.CHAIN_NAME -> name = in.string();
                case NfTables.CHAIN_HANDLE -> handle = in.u64();
                case NfTables.CHAIN_USE -> use = in.u32();
                case NfTables.CHAIN_TYPE -> type = in.string();
                case NfTables.CHAIN_POLICY -> policy = in.u32();
                case NfTables.CHAIN_HOOK -> {
                    var hook = in.nested();
                    while (hook.next()) {
                        switch (hook.type()) {
                            case NfTables.HOOK_NUMBER -> hooknum = hook.u32();
                            case NfTables.HOOK_PRIORITY -> priority = hook.u32();
                            default -> {}
                        }
                    }
                }
                default -> {}
            }
        }
        NftChain.Hook hook =
                hooknum < 0
                        ? new NftChain.Hook.None()
                        : new NftChain.Hook.Base(
                                type, hooknum, priority, NftChain.Policy.of(policy));
        return new NftListedChain(new NftChain(table, name, hook), handle, use);
    }

    static NftListedRule rule(Attributes in) {
        String table = "";
        String chain = "";
        long handle = 0;
        byte[] userdata = {};
        List<NftListedRule.Expression> expressions = List.of();
        while (in.next()) {
            switch (in.type()) {
                case NfTables.RULE_TABLE -> table = in.string();
                case NfTables.RULE_CHAIN -> chain = in.string();
                case NfTables.RULE_HANDLE -> handle = in.u64();
                case NfTables.RULE_USERDATA -> userdata = in.bytes();
                case NfTables.RULE_EXPRESSIONS -> expressions = expressions(in.nested());
                default -> {}
            }
        }
        return new NftListedRule(table, chain, handle, expressions, userdata);
    }

    private static List<NftListedRule.Expression> expressions(Attributes list) {
        List<NftListedRule.Expression> expressions = new ArrayList<>();
        while (list.next()) {
            String name = "";
            byte[] attributes = {};
            var expression = list.nested();
            while (expression.next()) {
                switch (expression.type()) {
                    case NfTables.EXPRESSION_NAME -> name = expression.string();
                    case NfTables.EXPRESSION_DATA -> attributes = expression.bytes();
                    default -> {}
                }
            }
            expressions.add(new NftListedRule.Expression(name, attributes));
        }
        return expressions;
    }

    static NftListedSet set(Attributes in) {
        String table = "";
        String name = "";
        int flags = 0;
        int keyType = 0;
        int keyLength = 0;
        int dataType = 0;
        int dataLength = 0;
        int size = 0;
        List<Integer> fields = List.of();
        long timeout = 0;
        byte[] userdata = {};
        long handle = 0;
        while (in.next()) {
            switch (in.type()) {
                case NfTables.SET_TABLE -> table = in.string();
                case NfTables.SET_NAME -> name = in.string();
                case NfTables.SET_FLAGS -> flags = in.u32();
                case NfTables.SET_KEY_TYPE -> keyType = in.u32();
                case NfTables.SET_KEY_LENGTH -> keyLength = in.u32();
                case NfTables.SET_DATA_TYPE -> dataType = in.u32();
                case NfTables.SET_DATA_LENGTH -> dataLength = in.u32();
                case NfTables.SET_TIMEOUT -> timeout = in.u64();
                case NfTables.SET_USERDATA -> userdata = in.bytes();
                case NfTables.SET_HANDLE -> handle = in.u64();
                case NfTables.SET_DESCRIPTION -> {
                    var description = in.nested();
                    while (description.next()) {
                        switch (description.type()) {
                            case NfTables.DESCRIPTION_SIZE -> size = description.u32();
                            case NfTables.DESCRIPTION_CONCATENATION ->
                                    fields = fields(description.nested());
                            default -> {}
                        }
                    }
                }
                default -> {}
            }
        }
        var set =
                new NftSet(
                        table,
                        name,
                        keyType,
                        keyLength,
                        fields,
                        NftSet.Flag.of(flags),
                        setValue(NftSet.Flag.of(flags), dataType, dataLength),
                        userdata,
                        0,
                        size,
                        Duration.ofMillis(timeout));
        return new NftListedSet(set, handle);
    }

    private static NftSet.Value setValue(Set<NftSet.Flag> flags, int dataType, int dataLength) {
        if (!flags.contains(NftSet.Flag.MAP)) {
            return new NftSet.Value.None();
        }
        return dataType == NftDatatype.VERDICT
                ? new NftSet.Value.Verdict()
                : new NftSet.Value.Data(dataType, dataLength);
    }

    private static List<Integer> fields(Attributes list) {
        List<Integer> lengths = new ArrayList<>();
        while (list.next()) {
            var field = list.nested();
            while (field.next()) {
                if (field.type() == NfTables.FIELD_LENGTH) {
                    lengths.add(field.u32());
                }
            }
        }
        return lengths;
    }

    static NftElement element(Attributes in) {
        byte[] key = {};
        byte[] keyEnd = {};
        NftValue value = new NftValue.None();
        int flags = 0;
        long timeout = 0;
        long expiration = 0;
        while (in.next()) {
            switch (in.type()) {
                case NfTables.ELEMENT_KEY -> key = data(in.nested());
                case NfTables.ELEMENT_KEY_END -> keyEnd = data(in.nested());
                case NfTables.ELEMENT_DATA -> value = value(in.nested());
                case NfTables.ELEMENT_FLAGS -> flags = in.u32();
                case NfTables.ELEMENT_TIMEOUT -> timeout = in.u64();
                case NfTables.ELEMENT_EXPIRATION -> expiration = in.u64();
                default -> {}
            }
        }
        long left = expiration == 0 ? timeout : expiration;
        return new NftElement(
                key, keyEnd, value, NftElement.Kind.of(flags), Duration.ofMillis(left));
    }

    private static byte[] data(Attributes in) {
        byte[] data = {};
        while (in.next()) {
            if (in.type() == NfTables.DATA_VALUE) {
                data = in.bytes();
            }
        }
        return data;
    }

    private static NftValue value(Attributes in) {
        NftValue value = new NftValue.None();
        while (in.next()) {
            switch (in.type()) {
                case NfTables.DATA_VALUE -> value = new NftValue.Data(in.bytes());
                case NfTables.DATA_VERDICT -> value = verdict(in.nested());
                default -> {}
            }
        }
        return value;
    }

    private static NftValue verdict(Attributes in) {
        int code = 0;
        String chain = "";
        while (in.next()) {
            switch (in.type()) {
                case NfTables.VERDICT_CODE -> code = in.u32();
                case NfTables.VERDICT_CHAIN -> chain = in.string();
                default -> {}
            }
        }
        return switch (code) {
            case 0 -> new NftValue.Drop();
            case 1 -> new NftValue.Accept();
            case -1 -> new NftValue.Continue();
            case -2 -> new NftValue.Break();
            case -3 -> new NftValue.Jump(chain);
            case -4 -> new NftValue.Goto(chain);
            case -5 -> new NftValue.Return();
            default ->
                    throw new NetlinkException(
                            "malformed netlink message: no verdict has code " + code);
        };
    }

    static long generation(Attributes in) {
        long generation = 0;
        while (in.next()) {
            if (in.type() == NfTables.GENERATION_ID) {
                generation = Integer.toUnsignedLong(in.u32());
            }
        }
        return generation;
    }
}
