package dev.pointsman.kube;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.store.ClusterEvent.NodeSeen;
import dev.pointsman.store.ClusterEvent.ServiceRangesSeen;
import dev.pointsman.store.Outlook;
import java.util.ArrayList;
import java.util.List;

/// Reads Nodes, Pods and ServiceCIDRs (behaviour document 1.7 and 1.8).
final class NodeDecoder {
    /// Put on by the cluster autoscaler before it takes a Node down.
    private static final String TO_BE_TAKEN_DOWN = "ToBeDeletedByClusterAutoscaler";

    private NodeDecoder() {}

    static Decoded node(ObjectName object, Field root, Report report) {
        List<Field> internal = new ArrayList<>();
        List<Field> external = new ArrayList<>();
        for (Field entry : root.get("status").get("addresses").items()) {
            switch (entry.get("type").text()) {
                case "InternalIP" -> internal.add(entry.get("address"));
                case "ExternalIP" -> external.add(entry.get("address"));
                default -> {} // Host names and whatever a cloud adds are no addresses.
            }
        }
        internal.addAll(external);
        List<IpAddress> addresses = AddressReader.addresses(internal, report);
        if (addresses.isEmpty()) {
            report.warning(
                    root.get("status").get("addresses"),
                    "has no usable InternalIP or ExternalIP",
                    "node ports do not answer on this Node");
        }
        return new Decoded.Seen(
                new NodeSeen(
                        new NodeView(
                                object.name(),
                                Labels.value(root, Labels.ZONE).intern(),
                                addresses,
                                AddressReader.ranges(
                                        root.get("spec").get("podCIDRs").items(), report)),
                        outlook(root)));
    }

    private static Outlook outlook(Field root) {
        if (root.get("metadata").get("deletionTimestamp").present()) {
            return Outlook.BEING_DELETED;
        }
        return root.get("spec").get("taints").items().stream()
                        .anyMatch(taint -> taint.get("key").text().equals(TO_BE_TAKEN_DOWN))
                ? Outlook.TO_BE_TAKEN_DOWN
                : Outlook.STAYS;
    }

    static Decoded serviceRanges(ObjectName object, Field root, Report report) {
        return new Decoded.Seen(
                new ServiceRangesSeen(
                        object.name(),
                        AddressReader.ranges(root.get("spec").get("cidrs").items(), report)));
    }

    static Decoded pod(ObjectName object, Field root, Report report) {
        Field spec = root.get("spec");
        Field status = root.get("status");
        String phase = status.get("phase").text();
        boolean finished = phase.equals("Succeeded") || phase.equals("Failed");
        return new Decoded.OfPod(
                new Pod(
                        object.namespace(),
                        object.name(),
                        finished ? List.of() : podAddresses(status, report),
                        spec.get("nodeName").text().intern(),
                        spec.get("hostNetwork").flag(false) ? Pod.Network.HOST : Pod.Network.POD));
    }

    private static List<IpAddress> podAddresses(Field status, Report report) {
        List<Field> all = new ArrayList<>();
        for (Field entry : status.get("podIPs").items()) {
            all.add(entry.get("ip"));
        }
        if (all.isEmpty()) {
            all.add(status.get("podIP"));
        }
        return AddressReader.addresses(all, report);
    }
}
