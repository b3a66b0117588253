package dev.pointsman.netlink;

/// Message and attribute numbers of `linux/netfilter/nf_tables.h` and
/// `linux/netfilter/nfnetlink.h`.
final class NfTables {
    /// `NFNL_SUBSYS_NFTABLES`; the high byte of every message type.
    static final int SUBSYSTEM = 10;

    static final int BATCH_BEGIN = 0x10;
    static final int BATCH_END = 0x11;

    static final int NEW_TABLE = SUBSYSTEM << 8;
    static final int GET_TABLE = NEW_TABLE + 1;
    static final int DELETE_TABLE = NEW_TABLE + 2;
    static final int NEW_CHAIN = NEW_TABLE + 3;
    static final int GET_CHAIN = NEW_TABLE + 4;
    static final int DELETE_CHAIN = NEW_TABLE + 5;
    static final int NEW_RULE = NEW_TABLE + 6;
    static final int GET_RULE = NEW_TABLE + 7;
    static final int DELETE_RULE = NEW_TABLE + 8;
    static final int NEW_SET = NEW_TABLE + 9;
    static final int GET_SET = NEW_TABLE + 10;
    static final int DELETE_SET = NEW_TABLE + 11;
    static final int NEW_ELEMENT = NEW_TABLE + 12;
    static final int GET_ELEMENT = NEW_TABLE + 13;
    static final int DELETE_ELEMENT = NEW_TABLE + 14;
    static final int NEW_GENERATION = NEW_TABLE + 15;
    static final int GET_GENERATION = NEW_TABLE + 16;

    static final int LIST_ELEMENT = 1;

    static final int TABLE_NAME = 1;
    static final int TABLE_FLAGS = 2;
    static final int TABLE_USE = 3;
    static final int TABLE_HANDLE = 4;
    static final int TABLE_USERDATA = 6;

    static final int CHAIN_TABLE = 1;
    static final int CHAIN_HANDLE = 2;
    static final int CHAIN_NAME = 3;
    static final int CHAIN_HOOK = 4;
    static final int CHAIN_POLICY = 5;
    static final int CHAIN_USE = 6;
    static final int CHAIN_TYPE = 7;

    static final int HOOK_NUMBER = 1;
    static final int HOOK_PRIORITY = 2;

    static final int RULE_TABLE = 1;
    static final int RULE_CHAIN = 2;
    static final int RULE_HANDLE = 3;
    static final int RULE_EXPRESSIONS = 4;
    static final int RULE_USERDATA = 7;

    static final int EXPRESSION_NAME = 1;
    static final int EXPRESSION_DATA = 2;

    static final int LOOKUP_SET = 1;

    static final int SET_TABLE = 1;
    static final int SET_NAME = 2;
    static final int SET_FLAGS = 3;
    static final int SET_KEY_TYPE = 4;
    static final int SET_KEY_LENGTH = 5;
    static final int SET_DATA_TYPE = 6;
    static final int SET_DATA_LENGTH = 7;
    static final int SET_DESCRIPTION = 9;
    static final int SET_ID = 10;
    static final int SET_TIMEOUT = 11;
    static final int SET_USERDATA = 13;
    static final int SET_HANDLE = 16;

    static final int DESCRIPTION_SIZE = 1;
    static final int DESCRIPTION_CONCATENATION = 2;
    static final int FIELD_LENGTH = 1;

    static final int ELEMENTS_TABLE = 1;
    static final int ELEMENTS_SET = 2;
    static final int ELEMENTS_LIST = 3;
    static final int ELEMENTS_SET_ID = 4;

    static final int ELEMENT_KEY = 1;
    static final int ELEMENT_DATA = 2;
    static final int ELEMENT_FLAGS = 3;
    static final int ELEMENT_TIMEOUT = 4;
    static final int ELEMENT_EXPIRATION = 5;
    static final int ELEMENT_KEY_END = 10;

    static final int DATA_VALUE = 1;
    static final int DATA_VERDICT = 2;

    static final int VERDICT_CODE = 1;
    static final int VERDICT_CHAIN = 2;

    static final int GENERATION_ID = 1;

    private NfTables() {}
}
