package dev.pointsman;

import dev.pointsman.graph.Family;
import java.util.List;

/// `--family` as it is written.
enum FamilyChoice {
    ipv4,
    ipv6,
    all;

    List<Family> families() {
        return switch (this) {
            case ipv4 -> List.of(Family.IPV4);
            case ipv6 -> List.of(Family.IPV6);
            case all -> List.of(Family.IPV4, Family.IPV6);
        };
    }
}
