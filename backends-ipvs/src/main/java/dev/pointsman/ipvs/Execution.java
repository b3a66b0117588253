package dev.pointsman.ipvs;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.iptables.KubeChains;
import dev.pointsman.iptables.Restore;
import dev.pointsman.iptables.Subject;
import dev.pointsman.netlink.Answer;
import dev.pointsman.netlink.IpsetCommand;
import dev.pointsman.netlink.IpsetSocket;
import dev.pointsman.netlink.IpvsCommand;
import dev.pointsman.netlink.LinkAddress;
import dev.pointsman.netlink.LinkCommand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/// Carries out operations. One that is refused does not stop the others; all refusals are told
/// together.
final class Execution {
    private final Sockets sockets;
    private final KubeChains chains;
    private final KubeChains.Wanted wantedChains;
    private final Family family;
    private final Set<IpAddress> elsewhere;

    private final List<String> refusals = new ArrayList<>();
    private final SortedSet<ServiceName> services = new TreeSet<>();
    private Optional<Commit> ofChains = Optional.empty();
    private int done;

    /// @param elsewhere addresses that other interfaces have, which are not bound a second time
    Execution(
            Sockets sockets,
            KubeChains chains,
            KubeChains.Wanted wantedChains,
            Family family,
            Set<IpAddress> elsewhere) {
        this.sockets = sockets;
        this.chains = chains;
        this.wantedChains = wantedChains;
        this.family = family;
        this.elsewhere = elsewhere;
    }

    Commit run(List<Operation> operations) {
        int start = 0;
        while (start < operations.size() && ofChains.isEmpty()) {
            Operation.Tool tool = operations.get(start).tool();
            int end = start;
            while (end < operations.size() && operations.get(end).tool() == tool) {
                end++;
            }
            run(tool, operations.subList(start, end));
            start = end;
        }
        return answer();
    }

    private Commit answer() {
        if (ofChains.isPresent()) {
            return ofChains.get();
        }
        if (refusals.isEmpty()) {
            return new Commit.Applied();
        }
        String others = refusals.size() == 1 ? "" : " (and " + (refusals.size() - 1) + " more)";
        return new Commit.Torn(
                done + " changes",
                new Commit.Refused(
                        "IPVS " + family.title(), refusals.getFirst() + others, services));
    }

    private void run(Operation.Tool tool, List<Operation> operations) {
        switch (tool) {
            case IPSET -> sets(operations);
            case IPVSADM -> servers(operations);
            case IP -> addresses(operations);
            case IPTABLES -> rules(operations);
        }
    }

    /// What the chains answer ends the run: what comes after them relies on them.
    private void rules(List<Operation> operations) {
        List<Restore> restores = new ArrayList<>();
        for (Operation operation : operations) {
            if (operation instanceof Operation.Rules(var restore)) {
                restores.add(restore);
            }
        }
        Commit commit = chains.commit(restores, wantedChains);
        switch (commit) {
            case Commit.Applied _ -> done += restores.size();
            case Commit.Refused refused -> ofChains = Optional.of(torn(refused));
            case Commit.Torn _ -> ofChains = Optional.of(commit);
            case Commit.Busy(var who) ->
                    ofChains =
                            Optional.of(
                                    done == 0
                                            ? commit
                                            : torn(
                                                    new Commit.Refused(
                                                            "the iptables rules",
                                                            who,
                                                            Collections.emptySortedSet())));
        }
    }

    private Commit torn(Commit.Refused refused) {
        return done == 0 ? refused : new Commit.Torn(done + " changes", refused);
    }

    private record Request<C>(C command, Subject subject) {}

    private void sets(List<Operation> operations) {
        List<Request<IpsetCommand>> requests = new ArrayList<>();
        for (Operation operation : operations) {
            if (operation instanceof Operation.OfSets sets) {
                add(sets, requests);
            }
        }
        send(requests, all -> sockets.sets().commit(all, IpsetSocket.Existing.ACCEPTED));
    }

    private void add(Operation.OfSets operation, List<Request<IpsetCommand>> out) {
        Subject node = new Subject.Node();
        switch (operation) {
            case Operation.CreateSet(var set) ->
                    out.add(
                            new Request<>(
                                    new IpsetCommand.Create(
                                            Netlink.definition(set, set.name(family), family)),
                                    node));
            case Operation.AddMember(var set, var member, var subject) -> {
                if (!(set == ServiceSet.BOUND_IP && isElsewhere(member))) {
                    out.add(
                            new Request<>(
                                    new IpsetCommand.Add(set.name(family), Netlink.member(member)),
                                    subject));
                }
            }
            case Operation.DeleteMember(var set, var member, var subject) ->
                    out.add(
                            new Request<>(
                                    new IpsetCommand.Delete(
                                            set.name(family), Netlink.member(member)),
                                    subject));
            case Operation.DestroySet(var set) ->
                    out.add(new Request<>(new IpsetCommand.Destroy(set.name(family)), node));
            case Operation.DestroyLeftover(var set) ->
                    out.add(new Request<>(new IpsetCommand.Destroy(set), node));
            case Operation.ReplaceSet(var set, var members) -> {
                String other = ServiceSet.substitute(family);
                out.add(
                        new Request<>(
                                new IpsetCommand.Create(Netlink.definition(set, other, family)),
                                node));
                for (Operation.AddMember add : members) {
                    out.add(
                            new Request<>(
                                    new IpsetCommand.Add(other, Netlink.member(add.member())),
                                    add.subject()));
                }
                out.add(new Request<>(new IpsetCommand.Swap(other, set.name(family)), node));
                out.add(new Request<>(new IpsetCommand.Destroy(other), node));
            }
        }
    }

    private boolean isElsewhere(Member member) {
        return member instanceof Member.Address(var address) && elsewhere.contains(address);
    }

    /// What is there already is edited, and what is not there any more need not be deleted: a
    /// server that drained comes back in place.
    private void servers(List<Operation> operations) {
        List<Request<IpvsCommand>> requests = new ArrayList<>();
        for (Operation operation : operations) {
            if (operation instanceof Operation.OfServers servers) {
                requests.add(new Request<>(command(servers), servers.subject()));
            }
        }
        List<Answer> answers =
                sockets.ipvs().commit(requests.stream().map(Request::command).toList());
        List<Request<IpvsCommand>> again = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            Request<IpvsCommand> request = requests.get(i);
            switch (answers.get(i)) {
                case Answer.Done _ -> done++;
                case Answer.Refused refused ->
                        instead(request.command(), refused.cause())
                                .ifPresentOrElse(
                                        other ->
                                                other.forEach(
                                                        command ->
                                                                again.add(
                                                                        new Request<>(
                                                                                command,
                                                                                request
                                                                                        .subject()))),
                                        () -> refuse(refused.reason(), request.subject()));
            }
        }
        if (!again.isEmpty()) {
            send(again, all -> sockets.ipvs().commit(all));
        }
    }

    private static IpvsCommand command(Operation.OfServers operation) {
        var key = Netlink.key(operation.key());
        return switch (operation) {
            case Operation.AddServer(var server) ->
                    new IpvsCommand.AddService(Netlink.service(server));
            case Operation.EditServer(var server) ->
                    new IpvsCommand.EditService(Netlink.service(server));
            case Operation.DeleteServer _ -> new IpvsCommand.DeleteService(key);
            case Operation.AddReal(_, var real, _) ->
                    new IpvsCommand.AddDestination(key, Netlink.destination(real));
            case Operation.RestoreReal(_, var real, _) ->
                    new IpvsCommand.EditDestination(key, Netlink.destination(real));
            case Operation.DrainReal(_, var real, _, _) ->
                    new IpvsCommand.EditDestination(key, Netlink.destination(real).withWeight(0));
            case Operation.DeleteReal(_, var real, _) ->
                    new IpvsCommand.DeleteDestination(key, Netlink.destination(real).key());
        };
    }

    /// What to do where a command is refused because somebody came first: nothing, the same in
    /// place of what is there, or, by an empty answer, to tell of it.
    private static Optional<List<IpvsCommand>> instead(IpvsCommand command, Answer.Cause cause) {
        return switch (command) {
            case IpvsCommand.AddService(var service) ->
                    cause == Answer.Cause.EXISTS
                            ? Optional.of(List.of(new IpvsCommand.EditService(service)))
                            : Optional.empty();
            case IpvsCommand.AddDestination(var key, var real) ->
                    cause == Answer.Cause.EXISTS
                            ? Optional.of(List.of(new IpvsCommand.EditDestination(key, real)))
                            : Optional.empty();
            case IpvsCommand.EditDestination(_, var real) ->
                    cause == Answer.Cause.MISSING && real.weight() == 0
                            ? Optional.of(List.of())
                            : Optional.empty();
            case IpvsCommand.DeleteService _, IpvsCommand.DeleteDestination _ ->
                    cause == Answer.Cause.MISSING ? Optional.of(List.of()) : Optional.empty();
            case IpvsCommand.EditService _ -> Optional.empty();
        };
    }

    private void addresses(List<Operation> operations) {
        OptionalInt device = sockets.device();
        if (device.isEmpty()
                && operations.stream().anyMatch(Operation.CreateDevice.class::isInstance)) {
            sockets.links().createDummy(Script.DEVICE);
            done++;
            device = sockets.device();
        }
        List<Request<LinkCommand>> requests = new ArrayList<>();
        for (Operation operation : operations) {
            if (operation instanceof Operation.Bind(var address) && !elsewhere.contains(address)) {
                device.ifPresentOrElse(
                        index ->
                                requests.add(
                                        new Request<>(
                                                new LinkCommand.AddAddress(whole(address, index)),
                                                new Subject.Node())),
                        () -> refuse("there is no " + Script.DEVICE, new Subject.Node()));
            } else if (operation instanceof Operation.Unbind(var address)) {
                device.ifPresent(
                        index ->
                                requests.add(
                                        new Request<>(
                                                new LinkCommand.DeleteAddress(
                                                        whole(address, index)),
                                                new Subject.Node())));
            }
        }
        send(requests, all -> sockets.links().commit(all));
        if (operations.stream().anyMatch(Operation.DeleteDevice.class::isInstance)) {
            device.ifPresent(this::deleteIfEmpty);
        }
    }

    /// IPv6 gives every interface a link-local address of its own.
    private void deleteIfEmpty(int device) {
        boolean isUsed =
                sockets.links().addresses(device).stream()
                        .anyMatch(address -> address.scope() != LinkAddress.SCOPE_LINK);
        if (!isUsed) {
            sockets.links().deleteLink(device);
            done++;
        }
    }

    private static LinkAddress whole(IpAddress address, int device) {
        return new LinkAddress(
                device,
                Netlink.address(address),
                address.family().bits(),
                LinkAddress.SCOPE_GLOBAL);
    }

    private <C> void send(List<Request<C>> requests, Function<List<C>, List<Answer>> commit) {
        if (requests.isEmpty()) {
            return;
        }
        List<Answer> answers = commit.apply(requests.stream().map(Request::command).toList());
        for (int i = 0; i < answers.size(); i++) {
            switch (answers.get(i)) {
                case Answer.Done _ -> done++;
                case Answer.Refused refused -> {
                    if (isHarmless(requests.get(i).command(), refused.cause())) {
                        done++;
                    } else {
                        refuse(refused.reason(), requests.get(i).subject());
                    }
                }
            }
        }
    }

    /// An address that is there, and one or a set that is gone, are as they shall be. A set of
    /// kube-proxy that a rule of others refers to stays with that rule.
    private boolean isHarmless(Object command, Answer.Cause cause) {
        return switch (cause) {
            case EXISTS -> command instanceof LinkCommand.AddAddress;
            case MISSING ->
                    command instanceof LinkCommand.DeleteAddress
                            || command instanceof IpsetCommand.Destroy;
            case IN_USE ->
                    command instanceof IpsetCommand.Destroy(var set)
                            && KubeProxySets.isLeftover(set, family);
            case OTHER -> false;
        };
    }

    private void refuse(String reason, Subject subject) {
        refusals.add(reason);
        if (subject instanceof Subject.Service(var name)) {
            services.add(name);
        }
    }
}
