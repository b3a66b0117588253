package dev.pointsman;

import dev.pointsman.packet.netfilter.Path;

/// What was not understood of rules, in words.
final class Doubt {
    private Doubt() {}

    /// Where it is, what it is, and what to give so that it is understood.
    static String words(Path.Note note) {
        String where = note.line() == 0 ? "" : "line " + note.line() + ": ";
        return where + note.text() + remedy(note.text());
    }

    private static String remedy(String text) {
        if (text.contains("xt match ") || text.contains("xt target ")) {
            return "; iptables-nft wrote that: give what iptables-save printed instead";
        }
        if (text.contains("--match-set ")) {
            return "; give what ipset save printed as well";
        }
        return "";
    }
}
