package dev.pointsman.netlink;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A rule as the kernel lists it, with its expressions as the kernel encodes them.
///
/// @param handle unique in its table
/// @param userdata bytes that were given with the rule; empty for none
@SuppressWarnings("ArrayRecordComponent") // compared by content below; kept, not copied
public record NftListedRule(
        String table, String chain, long handle, List<Expression> expressions, byte[] userdata) {
    public NftListedRule {
        expressions = List.copyOf(expressions);
    }

    /// One expression of a listed rule.
    ///
    /// @param name the kernel's name of it
    /// @param attributes its attributes, encoded
    @SuppressWarnings("ArrayRecordComponent") // compared by content below; kept, not copied
    public record Expression(String name, byte[] attributes) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Expression(var theirName, var theirAttributes)
                    && name.equals(theirName)
                    && Arrays.equals(attributes, theirAttributes);
        }

        @Override
        public int hashCode() {
            return name.hashCode() * 31 + Arrays.hashCode(attributes);
        }

        @Override
        public String toString() {
            return name + " " + Hex.of(attributes);
        }
    }

    /// Whether this is the rule that was sent: the same place and user data, the same expressions
    /// in the same order, and every attribute that is sent present with equal bytes. The kernel may
    /// list more attributes than were sent, such as those that were left to their defaults.
    public boolean sameAs(NftRule sent) {
        if (!table.equals(sent.table())
                || !chain.equals(sent.chain())
                || expressions.size() != sent.expressions().size()
                || !Arrays.equals(userdata, sent.userdata())) {
            return false;
        }
        var out = new MessageWriter();
        NftBatch.rule(out, new NftEncoder(out), named(sent));
        NftListedRule asListed = NftDecoder.rule(new Attributes(out.buffer(), 0, out.length()));
        for (int i = 0; i < expressions.size(); i++) {
            Expression mine = expressions.get(i);
            Expression theirs = asListed.expressions().get(i);
            if (!mine.name().equals(theirs.name())
                    || !holds(mine.attributes(), theirs.attributes())) {
                return false;
            }
        }
        return true;
    }

    /// The rule that was sent, with the names that the kernel gave to its anonymous sets.
    private NftRule named(NftRule sent) {
        List<NftExpression> named = new ArrayList<>(sent.expressions().size());
        for (int i = 0; i < expressions.size(); i++) {
            Expression listed = expressions.get(i);
            named.add(
                    switch (sent.expressions().get(i)) {
                        case NftExpression.Lookup(var set, var sreg, var sense) ->
                                new NftExpression.Lookup(name(listed, set), sreg, sense);
                        case NftExpression.MapLookup(var map, var sreg, var dreg) ->
                                new NftExpression.MapLookup(name(listed, map), sreg, dreg);
                        case NftExpression other -> other;
                    });
        }
        return new NftRule(table, chain, named, userdata);
    }

    private static String name(Expression listed, String pattern) {
        if (NftSet.isPattern(pattern)) {
            var attributes = new Attributes(listed.attributes(), 0, listed.attributes().length);
            while (attributes.next()) {
                if (attributes.type() == NfTables.LOOKUP_SET
                        && NftSet.matches(pattern, attributes.string())) {
                    return attributes.string();
                }
            }
        }
        return pattern;
    }

    private static boolean holds(byte[] listed, byte[] sent) {
        var wanted = new Attributes(sent, 0, sent.length);
        while (wanted.next()) {
            if (!holdsOne(listed, wanted)) {
                return false;
            }
        }
        return true;
    }

    private static boolean holdsOne(byte[] listed, Attributes wanted) {
        var present = new Attributes(listed, 0, listed.length);
        while (present.next()) {
            if (present.type() == wanted.type()) {
                return wanted.isNested()
                        ? holds(present.bytes(), wanted.bytes())
                        : Arrays.equals(present.bytes(), wanted.bytes());
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NftListedRule that
                && table.equals(that.table)
                && chain.equals(that.chain)
                && handle == that.handle
                && expressions.equals(that.expressions)
                && Arrays.equals(userdata, that.userdata);
    }

    @Override
    public int hashCode() {
        return chain.hashCode() * 31 + Long.hashCode(handle);
    }

    @Override
    public String toString() {
        return "NftListedRule["
                + table
                + " "
                + chain
                + " handle "
                + handle
                + " "
                + expressions
                + " userdata="
                + Hex.of(userdata)
                + "]";
    }
}
