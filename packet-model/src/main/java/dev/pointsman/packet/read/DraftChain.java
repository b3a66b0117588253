package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Chain;
import dev.pointsman.packet.netfilter.Rule;
import java.util.ArrayList;
import java.util.List;

/// A chain while a script is read.
final class DraftChain {
    private final String name;
    private Chain.Attachment attachment = new Chain.Attachment.Called();
    private final List<Rule> rules = new ArrayList<>();

    DraftChain(String name) {
        this.name = name;
    }

    void attach(Chain.Attachment.Hooked hooked) {
        attachment = hooked;
    }

    void policy(Chain.Policy policy) {
        if (attachment instanceof Chain.Attachment.Hooked(var type, var hook, int priority, _)) {
            attachment = new Chain.Attachment.Hooked(type, hook, priority, policy);
        }
    }

    void append(Rule rule) {
        rules.add(rule);
    }

    int size() {
        return rules.size();
    }

    /// @param place from 1, as `iptables -I` counts, up to one more than there are rules
    void insert(int place, Rule rule) {
        rules.add(place - 1, rule);
    }

    void flush() {
        rules.clear();
    }

    Chain finished() {
        return new Chain(name, attachment, rules);
    }

    /// As it is in a table whose base chains sleep.
    Chain dormant() {
        return new Chain(name, new Chain.Attachment.Called(), rules);
    }
}
