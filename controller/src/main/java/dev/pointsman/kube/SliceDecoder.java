package dev.pointsman.kube;

import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.EndpointSlice.Conditions;
import dev.pointsman.graph.EndpointSlice.Hints;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.store.ClusterEvent.SliceGone;
import dev.pointsman.store.ClusterEvent.SliceSeen;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Reads EndpointSlices as kube-proxy does (behaviour document 1.4).
///
/// One bad endpoint or port does not take the others of its slice along: where kube-proxy would
/// ignore the entry, so is it here, and no fault of one Pod may cut off a Service.
final class SliceDecoder {
    /// When what the slice shows came about; the controller writes it.
    static final String TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";

    private static final String LEFT_OUT = "the endpoint is not used";
    private static final String PORT_LEFT_OUT = "the port has no endpoints in this slice";

    private final Shared<Hints> hints = new Shared<>();
    private final Shared<Conditions> conditions = new Shared<>();
    private final Shared<List<EndpointSlice.Port>> ports = new Shared<>();

    /// @throws Malformed when none of the slice can be used
    Decoded decode(ObjectName object, Field root, Report report) {
        Decoded gone = new Decoded.Gone(new SliceGone(object.namespace(), object.name()));
        if (Labels.hide(root)) {
            return gone;
        }
        String service = Labels.value(root, Labels.SERVICE_NAME);
        if (service.isEmpty()) {
            report.warning(
                    root.get("metadata").get("labels"),
                    "has no " + Labels.SERVICE_NAME + ", so the slice belongs to no Service",
                    "none of its endpoints is used");
            return gone;
        }
        Field addressType = root.get("addressType");
        return switch (addressType.text()) {
            case "IPv4" -> seen(object, service, Family.IPV4, root, report);
            case "IPv6" -> seen(object, service, Family.IPV6, root, report);
            case "FQDN" -> {
                report.warning(
                        addressType,
                        "FQDN: names are nothing a packet can be sent to",
                        "none of its endpoints is used");
                yield gone;
            }
            case "" -> throw addressType.malformed("is missing");
            default ->
                    throw addressType.malformed(
                            Quote.of(addressType.text()) + " is none of IPv4, IPv6 and FQDN");
        };
    }

    private Decoded seen(
            ObjectName object, String service, Family family, Field root, Report report) {
        List<EndpointSlice.Port> slicePorts = ports.copyOf(ports(root.get("ports"), report));
        List<EndpointSlice.Entry> entries = new ArrayList<>();
        for (Field endpoint : root.get("endpoints").items()) {
            entry(endpoint, family, report).ifPresent(entries::add);
        }
        if (slicePorts.isEmpty() && !entries.isEmpty()) {
            report.warning(
                    root.get("ports"),
                    "has no usable item, so the endpoints have no port to send to",
                    "none of its endpoints is used");
        }
        return new Decoded.Seen(
                new SliceSeen(
                        new EndpointSlice(
                                object.name(),
                                new ServiceName(object.namespace(), service.intern()),
                                family,
                                slicePorts,
                                entries),
                        trigger(root.get("metadata").get("annotations").get(TRIGGER), report)));
    }

    private static Instant trigger(Field annotation, Report report) {
        if (annotation.text().isEmpty()) {
            return SliceSeen.UNSAID;
        }
        try {
            return OffsetDateTime.parse(annotation.text()).toInstant();
        } catch (DateTimeParseException _) {
            report.warning(
                    annotation,
                    Quote.of(annotation.text()) + " is no time",
                    "how long the change took to get here is not measured");
            return SliceSeen.UNSAID;
        }
    }

    private static List<EndpointSlice.Port> ports(Field list, Report report) {
        Set<EndpointSlice.Port> found = new LinkedHashSet<>();
        for (Field entry : list.items()) {
            Field name = entry.get("name");
            if (!name.present()) {
                report.warning(
                        name, "is missing; a port without a name needs \"\" here", PORT_LEFT_OUT);
                continue;
            }
            Field number = entry.get("port");
            int port = number.number(0, 65535, 0);
            if (port == 0) {
                report.warning(number, number.present() ? "is 0" : "is missing", PORT_LEFT_OUT);
                continue;
            }
            Optional<Protocol> protocol = protocol(entry.get("protocol"), report);
            if (protocol.isPresent()
                    && !found.add(
                            new EndpointSlice.Port(ObjectName.port(name), protocol.get(), port))) {
                report.warning(entry, "repeats an earlier port", "the repetition is ignored");
            }
        }
        return List.copyOf(found);
    }

    private static Optional<Protocol> protocol(Field field, Report report) {
        try {
            return Optional.of(ServiceDecoder.protocol(field));
        } catch (Malformed e) {
            report.warning(field, e.reason(), PORT_LEFT_OUT);
            return Optional.empty();
        }
    }

    private Optional<EndpointSlice.Entry> entry(Field endpoint, Family family, Report report) {
        List<Field> addresses = endpoint.get("addresses").items();
        if (addresses.isEmpty()) {
            report.warning(endpoint.get("addresses"), "has no items", LEFT_OUT);
            return Optional.empty();
        }
        // Only the first counts: the API promises that all of them reach the same Pod.
        Field first = addresses.getFirst();
        IpAddress address;
        try {
            address = IpAddress.parse(first.text());
        } catch (IllegalArgumentException e) {
            report.error(
                    first.path().spelt(), Quote.plain(String.valueOf(e.getMessage())), LEFT_OUT);
            return Optional.empty();
        }
        if (address.family() != family) {
            report.error(
                    first.path().spelt(),
                    Quote.of(first.text()) + " is no " + family.title() + " address",
                    LEFT_OUT);
            return Optional.empty();
        }
        return Optional.of(
                new EndpointSlice.Entry(
                        address,
                        endpoint.get("nodeName").text().intern(),
                        conditions(endpoint.get("conditions")),
                        hints(endpoint.get("hints"))));
    }

    private Conditions conditions(Field field) {
        return conditions.copyOf(
                new Conditions(
                        field.get("ready").flag(true),
                        field.get("serving").flag(true),
                        field.get("terminating").flag(false)));
    }

    private Hints hints(Field field) {
        SortedSet<String> zones = names(field.get("forZones"));
        SortedSet<String> nodes = names(field.get("forNodes"));
        return zones.isEmpty() && nodes.isEmpty()
                ? Hints.NONE
                : hints.copyOf(new Hints(zones, nodes));
    }

    private static SortedSet<String> names(Field list) {
        SortedSet<String> names = new TreeSet<>();
        for (Field item : list.items()) {
            String name = item.get("name").text();
            if (!name.isEmpty()) {
                names.add(name.intern());
            }
        }
        return names;
    }
}
