package dev.pointsman.graph;

/// Where a graph is planned for: one family of one node under given settings.
record Site(Family family, NodeView node, Settings settings, NodeRules.Programmed rules) {
    static Site of(Family family, NodeView node, Settings settings) {
        return new Site(family, node, settings, NodeRules.resolve(family, node, settings));
    }

    boolean detectsPods() {
        return !(rules.detector() instanceof LocalDetector.None);
    }
}
