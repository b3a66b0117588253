package dev.pointsman.netlink;

/// The registers of the nf_tables virtual machine (`enum nft_registers`).
///
/// Data registers are sixteen words of 4 bytes. Words 0, 4, 8 and 12 have two numbers, because four
/// registers of 16 bytes came first; the kernel lists them by the older number and so does
/// everything here, which keeps a listed rule comparable with the rule that was sent.
public final class NftRegister {
    /// The register a verdict goes to; where a data register is expected it means "none".
    public static final int VERDICT = 0;

    private static final int FIRST_WORD = 8;
    private static final int WORDS = 16;

    private NftRegister() {}

    /// The register that starts at a word, 0 to 15. A concatenation occupies consecutive words,
    /// each field rounded up to whole words.
    public static int word(int index) {
        if (index < 0 || index >= WORDS) {
            throw new IllegalArgumentException("nf_tables has registers 0 to 15, not " + index);
        }
        return index % 4 == 0 ? 1 + index / 4 : FIRST_WORD + index;
    }

    /// Checks a register number and gives the number that the kernel lists it by.
    static int canonical(int register) {
        if (register >= 0 && register <= 4) {
            return register;
        }
        return word(register - FIRST_WORD);
    }
}
