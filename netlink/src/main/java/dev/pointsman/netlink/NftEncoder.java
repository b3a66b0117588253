package dev.pointsman.netlink;

import dev.pointsman.netlink.NftExpression.Bitwise;
import dev.pointsman.netlink.NftExpression.Byteorder;
import dev.pointsman.netlink.NftExpression.Cmp;
import dev.pointsman.netlink.NftExpression.Counter;
import dev.pointsman.netlink.NftExpression.CtLoad;
import dev.pointsman.netlink.NftExpression.Dynset;
import dev.pointsman.netlink.NftExpression.Fib;
import dev.pointsman.netlink.NftExpression.Immediate;
import dev.pointsman.netlink.NftExpression.Lookup;
import dev.pointsman.netlink.NftExpression.MapLookup;
import dev.pointsman.netlink.NftExpression.Masquerade;
import dev.pointsman.netlink.NftExpression.MetaLoad;
import dev.pointsman.netlink.NftExpression.MetaSet;
import dev.pointsman.netlink.NftExpression.Nat;
import dev.pointsman.netlink.NftExpression.NatFlag;
import dev.pointsman.netlink.NftExpression.Numgen;
import dev.pointsman.netlink.NftExpression.Payload;
import dev.pointsman.netlink.NftExpression.Range;
import dev.pointsman.netlink.NftExpression.Reject;
import dev.pointsman.netlink.NftExpression.Sense;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The attributes of nf_tables objects, as `linux/netfilter/nf_tables.h` numbers them. Bare numbers
/// below are the attributes of one expression each, `enum nft_<expression>_attributes`.
final class NftEncoder {
    private final MessageWriter out;

    /// Ids of the sets of this batch that the kernel will name, by the pattern of that name.
    private final Map<String, Integer> unnamed = new HashMap<>();

    NftEncoder(MessageWriter out) {
        this.out = out;
    }

    void chain(NftChain chain) {
        out.string(NfTables.CHAIN_TABLE, chain.table());
        out.string(NfTables.CHAIN_NAME, chain.name());
        switch (chain.hook()) {
            case NftChain.Hook.None() -> {}
            case NftChain.Hook.Base(var type, var hooknum, var priority, var policy) -> {
                int hook = out.begin(NfTables.CHAIN_HOOK);
                out.u32(NfTables.HOOK_NUMBER, hooknum);
                out.u32(NfTables.HOOK_PRIORITY, priority);
                out.end(hook);
                out.u32(NfTables.CHAIN_POLICY, policy.number());
                out.string(NfTables.CHAIN_TYPE, type);
            }
        }
    }

    void set(NftSet set) {
        if (NftSet.isPattern(set.name())) {
            unnamed.put(set.name(), set.id());
        }
        out.string(NfTables.SET_TABLE, set.table());
        out.string(NfTables.SET_NAME, set.name());
        out.u32(NfTables.SET_FLAGS, NftSet.Flag.bits(set.flags()));
        out.u32(NfTables.SET_KEY_TYPE, set.keyType());
        out.u32(NfTables.SET_KEY_LENGTH, set.keyLength());
        switch (set.value()) {
            case NftSet.Value.None() -> {}
            case NftSet.Value.Data(var type, var length) -> {
                out.u32(NfTables.SET_DATA_TYPE, type);
                out.u32(NfTables.SET_DATA_LENGTH, length);
            }
            case NftSet.Value.Verdict() -> out.u32(NfTables.SET_DATA_TYPE, NftDatatype.VERDICT);
        }
        out.u32(NfTables.SET_ID, set.id());
        if (set.size() != 0 || !set.fieldLengths().isEmpty()) {
            description(set);
        }
        if (!set.timeout().isZero()) {
            out.u64(NfTables.SET_TIMEOUT, set.timeout().toMillis());
        }
        if (set.userdata().length > 0) {
            out.bytes(NfTables.SET_USERDATA, set.userdata());
        }
    }

    private void description(NftSet set) {
        int description = out.begin(NfTables.SET_DESCRIPTION);
        if (set.size() != 0) {
            out.u32(NfTables.DESCRIPTION_SIZE, set.size());
        }
        if (!set.fieldLengths().isEmpty()) {
            int fields = out.begin(NfTables.DESCRIPTION_CONCATENATION);
            for (int length : set.fieldLengths()) {
                int field = out.begin(NfTables.LIST_ELEMENT);
                out.u32(NfTables.FIELD_LENGTH, length);
                out.end(field);
            }
            out.end(fields);
        }
        out.end(description);
    }

    /// An element to add, with its value, or the key of one to delete.
    void element(NftElement element, NftValue value) {
        int start = out.begin(NfTables.LIST_ELEMENT);
        int flags = element.kind().bits();
        if (flags != 0) {
            out.u32(NfTables.ELEMENT_FLAGS, flags);
        }
        if (element.key().length > 0) {
            data(NfTables.ELEMENT_KEY, element.key());
        }
        if (element.keyEnd().length > 0) {
            data(NfTables.ELEMENT_KEY_END, element.keyEnd());
        }
        value(NfTables.ELEMENT_DATA, value);
        if (!element.timeout().isZero()) {
            out.u64(NfTables.ELEMENT_TIMEOUT, element.timeout().toMillis());
        }
        out.end(start);
    }

    void expression(NftExpression expression) {
        int start = out.begin(NfTables.LIST_ELEMENT);
        out.string(NfTables.EXPRESSION_NAME, kernelName(expression));
        int body = out.begin(NfTables.EXPRESSION_DATA);
        body(expression);
        out.end(body);
        out.end(start);
    }

    private static String kernelName(NftExpression expression) {
        return switch (expression) {
            case Payload _ -> "payload";
            case MetaLoad _, MetaSet _ -> "meta";
            case CtLoad _ -> "ct";
            case Cmp _ -> "cmp";
            case Range _ -> "range";
            case Bitwise _ -> "bitwise";
            case Byteorder _ -> "byteorder";
            case Immediate _ -> "immediate";
            case Lookup _, MapLookup _ -> "lookup";
            case Nat _ -> "nat";
            case Masquerade _ -> "masq";
            case Reject _ -> "reject";
            case Fib _ -> "fib";
            case Numgen _ -> "numgen";
            case Dynset _ -> "dynset";
            case Counter _ -> "counter";
        };
    }

    private void body(NftExpression expression) {
        switch (expression) {
            case Payload(var base, var offset, var length, var dreg) ->
                    numbers(dreg, base.number(), offset, length);
            case MetaLoad(var key, var dreg) -> numbers(dreg, key.number());
            case MetaSet(var key, var sreg) -> {
                out.u32(2, key.number());
                out.u32(3, sreg);
            }
            case CtLoad(var key, var direction, var dreg) -> {
                numbers(dreg, key.number());
                if (direction != CtLoad.Direction.NONE) {
                    out.u8(3, direction == CtLoad.Direction.ORIGINAL ? 0 : 1);
                }
            }
            case Cmp(var sreg, var op, var data) -> {
                numbers(sreg, op.number());
                data(3, data);
            }
            case Range(var sreg, var sense, var from, var to) -> {
                numbers(sreg, sense.number());
                data(3, from);
                data(4, to);
            }
            case Bitwise(var sreg, var dreg, var mask, var xor) -> {
                numbers(sreg, dreg, mask.length);
                data(4, mask);
                data(5, xor);
            }
            case Byteorder(var sreg, var dreg, var op, var length, var size) ->
                    numbers(sreg, dreg, op.number(), length, size);
            case Immediate(var value, var dreg) -> {
                numbers(dreg);
                value(2, value);
            }
            case Lookup(var set, var sreg, var sense) -> {
                out.string(1, set);
                setId(4, set);
                out.u32(2, sreg);
                if (sense == Sense.NOT_IN) {
                    out.u32(5, 1);
                }
            }
            case MapLookup(var map, var sreg, var dreg) -> {
                out.string(1, map);
                setId(4, map);
                out.u32(2, sreg);
                out.u32(3, dreg);
            }
            case Nat(var type, var family, var address, var port, var flags) -> {
                numbers(type.number(), family.number(), address);
                if (port != NftRegister.VERDICT) {
                    out.u32(5, port);
                }
                flags(7, natFlags(port, flags));
            }
            case Masquerade(var flags) -> flags(1, NatFlag.bits(flags));
            case Reject(var type, var code) -> {
                numbers(type.number());
                out.u8(2, code);
            }
            case Fib(var result, var of, var dreg) ->
                    numbers(dreg, result.number(), Fib.Of.bits(of));
            case Numgen(var mode, var modulus, var offset, var dreg) ->
                    numbers(dreg, modulus, mode.number(), offset);
            case Dynset(var set, var op, var key, var data, var timeout) -> {
                out.string(1, set);
                out.u32(3, op.number());
                out.u32(4, key);
                if (data != NftRegister.VERDICT) {
                    out.u32(5, data);
                }
                if (!timeout.isZero()) {
                    out.u64(6, timeout.toMillis());
                }
            }
            case Counter() -> {}
        }
    }

    /// Numbers as attributes 1, 2, 3 and so on.
    private void numbers(int... values) {
        for (int i = 0; i < values.length; i++) {
            out.u32(i + 1, values[i]);
        }
    }

    /// The kernel adds these bits itself (`nft_nat_init`) and lists them; sent along, a listed rule
    /// stays comparable with the rule that was sent. Without flags there is nothing to compare.
    private static int natFlags(int portReg, Set<NatFlag> flags) {
        int mapAddress = 0x1;
        int portGiven = portReg == NftRegister.VERDICT ? 0 : 0x2;
        return flags.isEmpty() ? 0 : NatFlag.bits(flags) | mapAddress | portGiven;
    }

    private void flags(int type, int bits) {
        if (bits != 0) {
            out.u32(type, bits);
        }
    }

    /// The id of a set, if its name is only a pattern yet.
    void setId(int type, String set) {
        if (NftSet.isPattern(set)) {
            Integer id = unnamed.get(set);
            if (id != null) {
                out.u32(type, id);
            }
        }
    }

    private void data(int type, byte[] bytes) {
        int data = out.begin(type);
        out.bytes(NfTables.DATA_VALUE, bytes);
        out.end(data);
    }

    private void value(int type, NftValue value) {
        switch (value) {
            case NftValue.None() -> {}
            case NftValue.Data(var bytes) -> data(type, bytes);
            case NftValue.Verdict verdict -> verdict(type, verdict);
        }
    }

    private void verdict(int type, NftValue.Verdict verdict) {
        int data = out.begin(type);
        int body = out.begin(NfTables.DATA_VERDICT);
        switch (verdict) { // enum nft_verdicts, and NF_DROP and NF_ACCEPT of linux/netfilter.h
            case NftValue.Drop() -> out.u32(NfTables.VERDICT_CODE, 0);
            case NftValue.Accept() -> out.u32(NfTables.VERDICT_CODE, 1);
            case NftValue.Continue() -> out.u32(NfTables.VERDICT_CODE, -1);
            case NftValue.Break() -> out.u32(NfTables.VERDICT_CODE, -2);
            case NftValue.Jump(var chain) -> {
                out.u32(NfTables.VERDICT_CODE, -3);
                out.string(NfTables.VERDICT_CHAIN, chain);
            }
            case NftValue.Goto(var chain) -> {
                out.u32(NfTables.VERDICT_CODE, -4);
                out.string(NfTables.VERDICT_CHAIN, chain);
            }
            case NftValue.Return() -> out.u32(NfTables.VERDICT_CODE, -5);
        }
        out.end(body);
        out.end(data);
    }
}
