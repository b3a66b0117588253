package dev.pointsman.perf.api;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What goes on in a cluster at work: pods replaced one by one or by rolling updates, Services
/// scaled to nothing and back, Services deleted and made again. Always the same, and whenever it is
/// [#atRest] there are as many Services and pods as at the start.
public final class Churn {
    private static final long SEED = 20261130;

    /// Of ten changes, seven are single pods.
    private static final int KINDS_OF_CHANGE = 10;

    private final List<ObjectName> services = new ArrayList<>();
    private final List<ObjectName> slices = new ArrayList<>();
    private final Function<ObjectName, ObjectNode> now;
    private final Random chance = new Random(SEED);
    private final Deque<Write> script = new ArrayDeque<>();
    private int spare;

    /// @param objects the cluster, of which IPv4 slices with endpoints, and Services, will change
    /// @param now gives such an object as it is when it is asked for
    public Churn(Stream<ObjectNode> objects, Function<ObjectName, ObjectNode> now) {
        this.now = now;
        objects.forEach(
                object -> {
                    ObjectName name = ObjectName.of(object);
                    switch (name.kind()) {
                        case SERVICE -> services.add(name);
                        case ENDPOINT_SLICE -> {
                            if (object.path("addressType").asString("").equals("IPv4")
                                    && !object.path("endpoints").isEmpty()) {
                                slices.add(name);
                            }
                        }
                        case NODE, SERVICE_CIDR -> {}
                    }
                });
        if (services.isEmpty() || slices.isEmpty()) {
            throw new IllegalArgumentException(
                    "a cluster without Services, or without IPv4 endpoints, cannot churn");
        }
    }

    /// Does to `cluster` what goes on for `time`, and on until it is at rest, and returns how many
    /// writes that were.
    public int play(Consumer<Write> cluster, Duration time, int writesPerSecond)
            throws InterruptedException {
        Duration pause = Duration.ofSeconds(1).dividedBy(writesPerSecond);
        long start = System.nanoTime();
        int writes = 0;
        while (System.nanoTime() - start < time.toNanos() || !atRest()) {
            cluster.accept(next());
            writes++;
            TimeUnit.NANOSECONDS.sleep(start + writes * pause.toNanos() - System.nanoTime());
        }
        return writes;
    }

    /// Whether no change is half done.
    public boolean atRest() {
        return script.isEmpty();
    }

    /// What happens next. It must be done before the next call.
    public Write next() {
        if (script.isEmpty()) {
            switch (chance.nextInt(KINDS_OF_CHANGE)) {
                case 0 -> scaleToNothingAndBack();
                case 1 -> remake();
                case 2 -> rollingUpdate();
                default -> replacePod();
            }
        }
        return script.removeFirst();
    }

    private void scaleToNothingAndBack() {
        ObjectNode slice = anyOf(slices);
        script.add(with(slice, Stream.of()));
        script.add(new Write.Replace(slice));
    }

    private void remake() {
        ObjectNode service = anyOf(services);
        script.add(new Write.Delete(ObjectName.of(service)));
        script.add(new Write.Create(service));
    }

    private void replacePod() {
        ObjectNode slice = anyOf(slices);
        List<JsonNode> pods = pods(slice);
        int place = chance.nextInt(pods.size());
        pods.set(place, successor(pods.get(place)));
        script.add(with(slice, pods.stream()));
    }

    /// A quarter of the pods at a time, as Deployments do: new ones come, old ones drain, and go.
    private void rollingUpdate() {
        ObjectNode slice = anyOf(slices);
        List<JsonNode> pods = pods(slice);
        int size = pods.size();
        int surge = Math.ceilDiv(size, 4);
        for (int done = 0; done < size; done += surge) {
            List<JsonNode> old = pods.subList(0, Math.min(surge, size - done));
            List<JsonNode> others = pods.subList(old.size(), pods.size());
            List<JsonNode> after =
                    Stream.concat(others.stream(), old.stream().map(this::successor)).toList();
            script.add(with(slice, Stream.concat(old.stream(), after.stream())));
            script.add(
                    with(slice, Stream.concat(old.stream().map(Churn::draining), after.stream())));
            script.add(with(slice, after.stream()));
            pods = after;
        }
    }

    private ObjectNode anyOf(List<ObjectName> names) {
        return now.apply(names.get(chance.nextInt(names.size())));
    }

    private static List<JsonNode> pods(ObjectNode slice) {
        return new ArrayList<>(slice.withArray("endpoints").values());
    }

    private static Write with(ObjectNode slice, Stream<JsonNode> pods) {
        ObjectNode after = slice.deepCopy();
        ArrayNode endpoints = after.putArray("endpoints");
        pods.forEach(endpoints::add);
        return new Write.Replace(after);
    }

    /// A pod like `pod` that was never there before.
    private JsonNode successor(JsonNode pod) {
        spare = (spare + 1) % (1 << 16);
        ObjectNode successor = (ObjectNode) pod.deepCopy();
        successor.putArray("addresses").add("10.200." + (spare >> 8) + "." + (spare & 0xff));
        return successor;
    }

    private static JsonNode draining(JsonNode pod) {
        ObjectNode draining = (ObjectNode) pod.deepCopy();
        draining.withObject("conditions")
                .put("ready", false)
                .put("serving", true)
                .put("terminating", true);
        return draining;
    }
}
