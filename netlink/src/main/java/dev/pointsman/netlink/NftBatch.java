package dev.pointsman.netlink;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// One atomic nf_tables transaction, encoded as it is put together: begin, messages, end.
///
/// Every operation carries a `subject`, any object of the caller's; a refusal hands back the
/// subject of the operation that was refused. Consecutive elements of one set share messages of up
/// to 60 KiB. Operations take effect in order, all or none. A batch that has been committed takes
/// no more of them.
///
/// Names are ASCII, as the kernel's are; another name gives a [NetlinkException] at once.
public final class NftBatch {
    static final int REQUEST = 0x1;
    static final int ACKNOWLEDGE = 0x4;
    static final int CREATE = 0x400;
    static final int APPEND = 0x800;

    /// The attribute that holds the elements of a message has a length of 16 bits.
    private static final int FULL = 60 * 1024;

    private static final NftValue NO_VALUE = new NftValue.None();

    private final NftFamily family;
    private final MessageWriter out = new MessageWriter();
    private final NftEncoder encoder = new NftEncoder(out);

    /// Where each message starts; the message at index i has sequence number i + 1, the begin has
    /// 0.
    private int[] messages = new int[16];

    private int messageCount;

    /// Where each operation starts: at its message, or at its element within one.
    private int[] operations = new int[64];

    private Object[] subjects = new Object[64];
    private int operationCount;

    private int openType;
    private String openTable = "";
    private String openSet = "";
    private int openList;
    private boolean complete;

    public NftBatch(NftFamily family) {
        this.family = family;
        int begin = out.beginMessage(NfTables.BATCH_BEGIN, REQUEST, 0);
        out.nfHeader(0, NfTables.SUBSYSTEM);
        out.endMessage(begin);
    }

    /// Adds a table, or does nothing if it is there.
    public void addTable(String table, Object subject) {
        addTable(table, Set.of(), new byte[0], subject);
    }

    /// Adds a table with flags and user data. Of a table that is there already only the flag
    /// `DORMANT` changes: the kernel never changes a table's user data.
    public void addTable(String table, Set<NftTable.Flag> flags, byte[] userdata, Object subject) {
        int start = begin(NfTables.NEW_TABLE, CREATE, subject);
        out.string(NfTables.TABLE_NAME, table);
        out.u32(NfTables.TABLE_FLAGS, NftTable.Flag.bits(flags));
        if (userdata.length > 0) {
            out.bytes(NfTables.TABLE_USERDATA, userdata);
        }
        out.endMessage(start);
    }

    /// Deletes a table and all that is in it.
    public void deleteTable(String table, Object subject) {
        int start = begin(NfTables.DELETE_TABLE, 0, subject);
        out.string(NfTables.TABLE_NAME, table);
        out.endMessage(start);
    }

    /// Adds a chain, or does nothing if it is there.
    public void addChain(NftChain chain, Object subject) {
        int start = begin(NfTables.NEW_CHAIN, CREATE, subject);
        encoder.chain(chain);
        out.endMessage(start);
    }

    /// Deletes a chain and its rules; refused while anything jumps to it.
    public void deleteChain(String table, String chain, Object subject) {
        named(
                NfTables.DELETE_CHAIN,
                NfTables.CHAIN_TABLE,
                table,
                NfTables.CHAIN_NAME,
                chain,
                subject);
    }

    /// Deletes all rules of a chain.
    public void flushChain(String table, String chain, Object subject) {
        named(
                NfTables.DELETE_RULE,
                NfTables.RULE_TABLE,
                table,
                NfTables.RULE_CHAIN,
                chain,
                subject);
    }

    /// Adds a rule at the end of its chain.
    public void addRule(NftRule rule, Object subject) {
        int start = begin(NfTables.NEW_RULE, CREATE | APPEND, subject);
        rule(out, encoder, rule);
        out.endMessage(start);
    }

    static void rule(MessageWriter out, NftEncoder encoder, NftRule rule) {
        out.string(NfTables.RULE_TABLE, rule.table());
        out.string(NfTables.RULE_CHAIN, rule.chain());
        int expressions = out.begin(NfTables.RULE_EXPRESSIONS);
        for (NftExpression expression : rule.expressions()) {
            encoder.expression(expression);
        }
        out.end(expressions);
        if (rule.userdata().length > 0) {
            out.bytes(NfTables.RULE_USERDATA, rule.userdata());
        }
    }

    /// Deletes one rule.
    ///
    /// @param handle as [NftListedRule] gives it
    public void deleteRule(String table, String chain, long handle, Object subject) {
        int start = begin(NfTables.DELETE_RULE, 0, subject);
        out.string(NfTables.RULE_TABLE, table);
        out.string(NfTables.RULE_CHAIN, chain);
        out.u64(NfTables.RULE_HANDLE, handle);
        out.endMessage(start);
    }

    /// Adds a set or map, or does nothing if the same one is there. The kernel never changes a
    /// set's user data.
    public void addSet(NftSet set, Object subject) {
        int start = begin(NfTables.NEW_SET, CREATE, subject);
        encoder.set(set);
        out.endMessage(start);
    }

    /// Deletes a set; refused while a rule uses it.
    public void deleteSet(String table, String set, Object subject) {
        named(NfTables.DELETE_SET, NfTables.SET_TABLE, table, NfTables.SET_NAME, set, subject);
    }

    /// Deletes all elements of a set.
    public void flushSet(String table, String set, Object subject) {
        named(
                NfTables.DELETE_ELEMENT,
                NfTables.ELEMENTS_TABLE,
                table,
                NfTables.ELEMENTS_SET,
                set,
                subject);
    }

    /// Adds an element; refused with `EEXIST` if its key is there with another value.
    public void addElement(String table, String set, NftElement element, Object subject) {
        element(NfTables.NEW_ELEMENT, CREATE, table, set, subject);
        encoder.element(element, element.value());
        closeIfFull();
    }

    /// Deletes an element by its key; refused with `ENOENT` if it is not there.
    public void deleteElement(String table, String set, NftElement element, Object subject) {
        element(NfTables.DELETE_ELEMENT, 0, table, set, subject);
        encoder.element(element, NO_VALUE);
        closeIfFull();
    }

    /// Size of the encoded batch.
    public int bytes() {
        return out.length();
    }

    /// Number of operations; an element counts as one.
    public int operations() {
        return operationCount;
    }

    public boolean isEmpty() {
        return operationCount == 0;
    }

    /// Closes the batch and gives its bytes. Only the last message asks for an acknowledgement: the
    /// kernel reports errors of every message anyway.
    MessageWriter complete() {
        if (!complete) {
            closeElements();
            if (messageCount > 0) {
                out.addFlags(messages[messageCount - 1], ACKNOWLEDGE);
            }
            int end = out.beginMessage(NfTables.BATCH_END, REQUEST, messageCount + 1);
            out.nfHeader(0, NfTables.SUBSYSTEM);
            out.endMessage(end);
            complete = true;
        }
        return out;
    }

    /// The sequence number of the message that asks for an acknowledgement.
    int lastSequence() {
        return messageCount;
    }

    /// The refusal of the message with a sequence number that this batch gave out.
    ///
    /// @param offset where in the message the kernel found fault, 0 if it did not say
    NftAnswer.Refused refusal(int sequence, int errno, String kernelText, int offset) {
        int start = messages[sequence - 1];
        int until = sequence < messageCount ? messages[sequence] : out.length();
        int first = firstOperationFrom(start);
        int after = firstOperationFrom(until);
        if (offset > 0 && after - first > 1) {
            int culprit = firstOperationFrom(start + offset + 1) - 1;
            if (culprit >= first && culprit < after) {
                first = culprit;
                after = culprit + 1;
            }
        }
        List<Object> suspects = new ArrayList<>(Arrays.asList(subjects).subList(first, after));
        String operation =
                new NftOperationText(family, out.buffer(), start)
                        .of(operations[first], after - first);
        return new NftAnswer.Refused(errno, Errno.name(errno), kernelText, suspects, operation);
    }

    boolean gaveOut(int sequence) {
        return sequence >= 1 && sequence <= messageCount;
    }

    private int firstOperationFrom(int position) {
        int found = Arrays.binarySearch(operations, 0, operationCount, position);
        return found >= 0 ? found : -found - 1;
    }

    private void named(
            int type, int tableType, String table, int nameType, String name, Object subject) {
        int start = begin(type, 0, subject);
        out.string(tableType, table);
        out.string(nameType, name);
        out.endMessage(start);
    }

    private int begin(int type, int flags, Object subject) {
        closeElements();
        operation(out.length(), subject);
        return message(type, flags);
    }

    private int message(int type, int flags) {
        if (complete) {
            throw new IllegalStateException("the batch is committed and takes no more operations");
        }
        if (messageCount == messages.length) {
            messages = Arrays.copyOf(messages, messageCount * 2);
        }
        messages[messageCount++] = out.length();
        int start = out.beginMessage(type, REQUEST | flags, messageCount);
        out.nfHeader(family.number(), 0);
        return start;
    }

    private void operation(int position, Object subject) {
        if (operationCount == operations.length) {
            operations = Arrays.copyOf(operations, operationCount * 2);
            subjects = Arrays.copyOf(subjects, operationCount * 2);
        }
        operations[operationCount] = position;
        subjects[operationCount++] = subject;
    }

    private void element(int type, int flags, String table, String set, Object subject) {
        if (openType != type || !openSet.equals(set) || !openTable.equals(table)) {
            closeElements();
            message(type, flags);
            out.string(NfTables.ELEMENTS_TABLE, table);
            out.string(NfTables.ELEMENTS_SET, set);
            encoder.setId(NfTables.ELEMENTS_SET_ID, set);
            openList = out.begin(NfTables.ELEMENTS_LIST);
            openType = type;
            openTable = table;
            openSet = set;
        }
        operation(out.length(), subject);
    }

    private void closeIfFull() {
        if (out.length() - openList >= FULL) {
            closeElements();
        }
    }

    private void closeElements() {
        if (openType != 0) {
            out.end(openList);
            out.endMessage(messages[messageCount - 1]);
            openType = 0;
        }
    }
}
