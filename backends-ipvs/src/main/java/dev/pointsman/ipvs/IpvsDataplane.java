package dev.pointsman.ipvs;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Settings;
import dev.pointsman.iptables.IptablesMode;
import dev.pointsman.iptables.KubeChains;
import dev.pointsman.iptables.Subject;
import dev.pointsman.ipvs.Found.FoundReal;
import dev.pointsman.netlink.IpsetHeader;
import dev.pointsman.netlink.NetlinkException;
import dev.pointsman.netlink.NftOwnCommits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Virtual servers, sets, rules and the device of one family, in the network namespace of the
/// thread that first commits or repairs.
final class IpvsDataplane implements Dataplane {
    /// How many looks go by from one that asks for connections to the next: kube-proxy asks once a
    /// minute.
    private static final int LOOKS = 50;

    private static final Subject NODE = new Subject.Node();

    private final Family family;
    private final KubeChains chains;
    private Optional<Sockets> opened = Optional.empty();
    private Optional<IpvsSettings> applied = Optional.empty();
    private final Set<ServerKey> draining = new HashSet<>();
    private Optional<Integer> seen = Optional.empty();
    private final Occupancy occupancy;
    private boolean programmed;
    private int looks;

    /// @param commits those of this process to nf_tables in the network namespace
    IpvsDataplane(Family family, IptablesMode.Choice choice, NftOwnCommits commits) {
        this.family = family;
        occupancy = new Occupancy(family, ServiceSet.CAPACITY);
        chains = new KubeChains(family, choice, commits);
    }

    @Override
    public void prepare(Settings settings) {
        ask(sockets -> setUp(sockets, settings.ipvs()));
    }

    @Override
    public Transaction render(RuleGraph from, Delta delta) {
        return Renderer.render(from, delta);
    }

    @Override
    public Commit commit(Transaction transaction) {
        if (!(transaction instanceof IpvsTransaction(var target, var operations))
                || target.family() != family) {
            throw new IllegalArgumentException(
                    "a transaction of another dataplane: " + transaction.getClass());
        }
        return ask(
                sockets -> {
                    Set<ServerKey> kept = programmed(target) ? kept(operations) : Set.of();
                    List<Operation> now = without(kept, operations);
                    Optional<Commit.Refused> full = occupancy.take(now);
                    if (full.isPresent()) {
                        return full.get();
                    }
                    setUp(sockets, target);
                    return commit(sockets, target, now, kept);
                });
    }

    private Commit commit(
            Sockets sockets,
            RuleGraph target,
            List<Operation> operations,
            Collection<ServerKey> kept) {
        boolean binds = operations.stream().anyMatch(Operation.Bind.class::isInstance);
        Execution execution =
                new Execution(
                        sockets,
                        chains,
                        programmed(target) ? KubeChains.Wanted.CHAINS : KubeChains.Wanted.NO_CHAINS,
                        family,
                        binds ? Found.elsewhere(sockets, family) : Set.of());
        Commit commit = execution.run(operations);
        if (commit instanceof Commit.Applied) {
            List<Operation> idle = idle(sockets, target, operations, kept);
            if (!idle.isEmpty()) {
                occupancy.take(idle);
                commit = execution.run(idle);
            }
        }
        seen = Optional.empty();
        programmed = programmed(target);
        return commit;
    }

    /// The virtual servers that drain since an earlier commit and that `operations` take away, or
    /// the address of: they stay for their connections.
    private Set<ServerKey> kept(Collection<Operation> operations) {
        Set<ServerKey> gone = new HashSet<>();
        Set<IpAddress> unbound = new HashSet<>();
        for (Operation operation : operations) {
            switch (operation) {
                case Operation.DeleteServer(var key, _) -> gone.add(key);
                case Operation.Unbind(var address) -> unbound.add(address);
                default -> {}
            }
        }
        Set<ServerKey> kept = new HashSet<>(draining);
        kept.removeIf(key -> !gone.contains(key) && !unbound.contains(key.address()));
        return kept;
    }

    private static List<Operation> without(
            Collection<ServerKey> kept, Collection<Operation> operations) {
        Set<IpAddress> addresses = new HashSet<>();
        kept.forEach(key -> addresses.add(key.address()));
        return operations.stream()
                .filter(
                        operation ->
                                switch (operation) {
                                    case Operation.DeleteServer(var key, _) -> !kept.contains(key);
                                    case Operation.Unbind(var address) ->
                                            !addresses.contains(address);
                                    case Operation.DeleteMember(
                                                    _,
                                                    Member.Address(var address),
                                                    _) ->
                                            !addresses.contains(address);
                                    default -> true;
                                })
                .toList();
    }

    /// Of the real servers that were told to drain, and of those of kept virtual servers, the ones
    /// that have nothing to wait for.
    private List<Operation> idle(
            Sockets sockets,
            RuleGraph target,
            Collection<Operation> operations,
            Collection<ServerKey> kept) {
        Set<ServerKey> told = new HashSet<>(kept);
        Set<ServerKey> leaving = new HashSet<>(kept);
        for (Operation operation : operations) {
            if (operation instanceof Operation.DrainReal drain) {
                told.add(drain.key());
                if (drain.server() == Operation.Server.GOES) {
                    leaving.add(drain.key());
                }
            }
        }
        List<Operation> idle = new ArrayList<>();
        Set<IpAddress> unbound = new HashSet<>();
        for (ServerKey key : told) {
            draining.remove(key);
            var reals = Found.reals(sockets.ipvs().destinations(Netlink.key(key)));
            if (leaving.contains(key) && reals.values().stream().allMatch(FoundReal::isIdle)) {
                idle.add(new Operation.DeleteServer(key, NODE));
                unbound.add(key.address());
                continue;
            }
            reals.forEach(
                    (real, found) -> {
                        if (found.waits()) {
                            draining.add(key);
                        } else if (found.drains()) {
                            idle.add(new Operation.DeleteReal(key, real, NODE));
                        }
                    });
        }
        draining.forEach(key -> unbound.remove(key.address()));
        unbound.removeIf(address -> isUsed(target, address));
        unbound.forEach(address -> idle.add(new Operation.Unbind(address)));
        for (IpAddress address : unbound) {
            idle.add(
                    new Operation.DeleteMember(
                            ServiceSet.BOUND_IP, new Member.Address(address), NODE));
        }
        return idle;
    }

    private static boolean isUsed(RuleGraph graph, IpAddress address) {
        return address.equals(NodePortAddress.of(graph.family())) || graph.hasAddress(address);
    }

    @Override
    public Transaction repair(RuleGraph desired) {
        return ask(
                sockets -> {
                    setUp(sockets, desired);
                    Inventory wanted = Compiler.all(desired);
                    Found found =
                            Found.read(
                                    sockets, family, wanted.servers().keySet(), excluded(desired));
                    occupancy.read(found);
                    draining.clear();
                    found.servers()
                            .forEach(
                                    (key, server) -> {
                                        if (server.reals().values().stream()
                                                .anyMatch(FoundReal::waits)) {
                                            draining.add(key);
                                        }
                                    });
                    seen = Optional.empty();
                    programmed = wanted.programmed();
                    return new IpvsTransaction(
                            desired, Repair.of(found, wanted, chains.repair(wanted.chains())));
                });
    }

    private List<Cidr> excluded(RuleGraph graph) {
        return graph.node() instanceof NodeRules.Programmed node
                ? node.ipvs().excluded(family)
                : applied.map(settings -> settings.excluded(family)).orElse(List.of());
    }

    private static boolean programmed(RuleGraph graph) {
        return graph.node() instanceof NodeRules.Programmed;
    }

    private void setUp(Sockets sockets, RuleGraph graph) {
        if (graph.node() instanceof NodeRules.Programmed node) {
            setUp(sockets, node.ipvs());
        }
    }

    private IpvsSettings setUp(Sockets sockets, IpvsSettings settings) {
        if (!applied.equals(Optional.of(settings))) {
            NodeSetup.apply(sockets, family, settings);
            applied = Optional.of(settings);
        }
        return settings;
    }

    /// The chains, the device and how many members our sets have. Every fiftieth look asks as well
    /// whether a real server that drains has become idle, which a repair then removes. What others
    /// do to virtual servers only a repair finds: the kernel has no count of them.
    @Override
    public Condition condition() {
        if (!programmed) {
            return Condition.INTACT;
        }
        Condition ofChains = chains.condition();
        Condition ofOthers = ask(this::condition);
        return ofChains.compareTo(ofOthers) > 0 ? ofChains : ofOthers;
    }

    private Condition condition(Sockets sockets) {
        looks++;
        int now = sizes(sockets);
        boolean changed = seen.isPresent() && seen.get() != now;
        seen = Optional.of(now);
        if (changed || sockets.device().isEmpty()) {
            return Condition.DAMAGED;
        }
        return looks % LOOKS == 0 && draining.stream().anyMatch(key -> hasIdle(sockets, key))
                ? Condition.DISTURBED
                : Condition.INTACT;
    }

    /// A number that changes when one of our sets gains or loses members.
    private int sizes(Sockets sockets) {
        int sizes = 0;
        for (IpsetHeader header : sockets.sets().headers()) {
            if (KubeProxySets.isOurs(header.name(), family)) {
                sizes += Objects.hash(header.name(), header.entries());
            }
        }
        return sizes;
    }

    private static boolean hasIdle(Sockets sockets, ServerKey key) {
        var reals = Found.reals(sockets.ipvs().destinations(Netlink.key(key))).values();
        return reals.isEmpty() || reals.stream().anyMatch(real -> real.drains() && real.isIdle());
    }

    private <T> T ask(Function<Sockets, T> question) {
        try {
            if (opened.isEmpty()) {
                opened = Optional.of(Sockets.open());
            }
            return question.apply(opened.get());
        } catch (NetlinkException e) {
            throw new DataplaneUnavailable(
                    family.title()
                            + " rules of mode ipvs: "
                            + e.getMessage()
                            + " (needed: CAP_NET_ADMIN in the node's network namespace, and the"
                            + " modules ip_vs, ip_set and dummy)",
                    e);
        }
    }

    @Override
    public void close() {
        opened.ifPresent(Sockets::close);
        opened = Optional.empty();
    }
}
