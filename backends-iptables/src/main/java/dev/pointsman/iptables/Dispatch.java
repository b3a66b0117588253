package dev.pointsman.iptables;

import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.Treatment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/// A tree of blocks over some Frontends: every packet meets a few rules on each level, however many
/// Frontends there are, and a change of one Frontend changes one path.
///
/// The tree depends on the set of Frontends alone, not on how it came about. A block of few
/// Frontends is a leaf; a larger one is cut at the first digit in which its Frontends differ.
final class Dispatch {
    // 16 rules on each inner level and half of this in a leaf, on average. Smaller leaves mean more
    // chains, which iptables-nft pays for at each load (docs/backends/iptables.md).
    static final int LEAF = 64;

    private final Block whole;
    private final SortedMap<Frontend, Treatment> frontends;

    /// A block of the tree with what lies in it.
    record Node(Block block, SortedMap<Frontend, Treatment> content) {
        boolean isLeaf() {
            return content.size() <= LEAF || block.isSingle();
        }

        /// The blocks that this one is cut into, in order; none for a leaf.
        List<Node> parts() {
            if (isLeaf()) {
                return List.of();
            }
            Block common = common();
            List<Node> parts = new ArrayList<>(16);
            for (int digit = 0; digit < 16; digit++) {
                Block part = common.part(digit);
                if (!part.isPossible()) {
                    continue;
                }
                SortedMap<Frontend, Treatment> inside = part.of(content);
                if (!inside.isEmpty()) {
                    Node node = new Node(part, inside);
                    parts.add(node.isLeaf() ? node : new Node(node.common(), inside));
                }
            }
            return parts;
        }

        private Block common() {
            return Block.around(
                    block.form(), block.family(), content.firstKey(), content.lastKey());
        }
    }

    /// @param frontends of any form; those of the form of `whole` are dispatched
    Dispatch(Block whole, SortedMap<Frontend, Treatment> frontends) {
        this.whole = whole;
        this.frontends = frontends;
    }

    Node root() {
        return new Node(whole, whole.of(frontends));
    }

    /// The nodes that a packet for `frontend` passes, from the root on; the last is a leaf unless
    /// nothing of the tree is near it.
    List<Node> path(Frontend frontend) {
        List<Node> path = new ArrayList<>();
        Optional<Node> next = Optional.of(root());
        while (next.isPresent()) {
            Node node = next.get();
            path.add(node);
            next = node.parts().stream().filter(n -> n.block().contains(frontend)).findFirst();
        }
        return path;
    }

    /// Every node that `frontend` may make different from those of `other`, a tree that has it
    /// where this one lacks it, or the other way round; deepest first.
    void near(Frontend frontend, Dispatch other, Consumer<Node> out) {
        Node end = other.path(frontend).getLast();
        List<Node> path = path(frontend);
        if (end.isLeaf()) {
            // What is one leaf there may be cut here.
            path.stream()
                    .filter(node -> !node.isLeaf() && end.block().contains(node.common()))
                    .findFirst()
                    .ifPresent(node -> node.parts().forEach(part -> walk(part, out)));
        }
        path.reversed().forEach(out);
    }

    /// Every node below and including `node`, deepest first.
    static void walk(Node node, Consumer<Node> out) {
        node.parts().forEach(part -> walk(part, out));
        out.accept(node);
    }
}
