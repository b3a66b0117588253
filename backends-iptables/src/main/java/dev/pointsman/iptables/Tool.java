package dev.pointsman.iptables;

import dev.pointsman.netlink.NftOwnCommits;
import java.util.List;

/// The iptables programs as they are called on this node.
///
/// @param waiting the options with which they wait for the lock
/// @param commits those of this process to nf_tables
record Tool(Programs programs, List<String> waiting, NftOwnCommits commits) {
    static Tool of(Programs programs, NftOwnCommits commits) {
        return new Tool(programs, programs.waiting(), commits);
    }

    /// Runs a restore, in which every table that it names changes.
    Programs.Answer restore(Restore restore) {
        Programs.Answer answer = programs.restore(restore, waiting);
        if (answer.isSuccess()) {
            switch (programs.variant()) {
                // Each table is a commit of its own. What a restore did before it failed is not
                // counted, and looks like somebody else's: then the tables are read.
                case NFT -> commits.count(restore.parts().size());
                case LEGACY -> {}
            }
        }
        return answer;
    }

    /// The rules of one chain.
    Programs.Answer list(Table table, String chain) {
        return programs.list(table, chain, waiting);
    }
}
