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

    /// Runs restores of which each changes every table that it names.
    Programs.Answer restore(List<Restore> restores) {
        Programs.Answer answer = programs.restore(restores, waiting);
        if (answer.isSuccess()) {
            switch (programs.variant()) {
                // What is done before a refusal is not counted, and looks like somebody else's:
                // then the tables are read.
                case NFT -> restores.forEach(restore -> commits.count(restore.parts().size()));
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
