package dev.pointsman.netlink;

import java.util.Arrays;
import java.util.List;

/// A rule: expressions that run in order until one of them does not match.
///
/// @param userdata bytes that the kernel keeps with the rule and hands back, at most 256; empty for
///   none. The array is kept, not copied: do not change it.
@SuppressWarnings("ArrayRecordComponent") // compared by content below; kept, not copied
public record NftRule(
        String table, String chain, List<NftExpression> expressions, byte[] userdata) {
    public NftRule {
        expressions = List.copyOf(expressions);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NftRule that
                && table.equals(that.table)
                && chain.equals(that.chain)
                && expressions.equals(that.expressions)
                && Arrays.equals(userdata, that.userdata);
    }

    @Override
    public int hashCode() {
        return chain.hashCode() * 31 + expressions.hashCode();
    }

    @Override
    public String toString() {
        return "NftRule["
                + table
                + " "
                + chain
                + " "
                + expressions
                + " userdata="
                + Hex.of(userdata)
                + "]";
    }
}
