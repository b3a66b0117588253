package dev.pointsman.netlink;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// A conversation with IPVS, the kernel's load balancer, in the network namespace of the thread
/// that opened it. One thread at a time.
///
/// Commands, attributes and their numbers are those of `linux/ip_vs.h`.
public final class IpvsSocket implements AutoCloseable {
    private final NetlinkSocket socket;
    private final IpvsEncoder encoder;

    private IpvsSocket(NetlinkSocket socket, int family) {
        this.socket = socket;
        this.encoder = new IpvsEncoder(family);
    }

    /// Opens the socket and makes the kernel load IPVS; a kernel without it gives a
    /// [NetlinkException].
    public static IpvsSocket open() {
        return openIfThere()
                .orElseThrow(
                        () ->
                                new NetlinkException(
                                        "open a socket of IPVS: the kernel has no IPVS and could"
                                                + " not load it by itself; run `modprobe ip_vs` on"
                                                + " the node, or use a kernel that was built with"
                                                + " CONFIG_IP_VS"));
    }

    /// As [#open]; nothing in a kernel without IPVS.
    public static Optional<IpvsSocket> openIfThere() {
        NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.Protocol.GENERIC);
        try {
            OptionalInt family = GenericNetlink.family(socket, IpVs.FAMILY);
            if (family.isPresent()) {
                return Optional.of(new IpvsSocket(socket, family.getAsInt()));
            }
        } catch (NetlinkException e) {
            socket.close();
            throw e;
        }
        socket.close();
        return Optional.empty();
    }

    public IpvsVersion info() {
        return IpvsDecoder.info(read(IpVs.GET_INFO, "read the version of IPVS"));
    }

    public IpvsTimeouts timeouts() {
        return IpvsDecoder.timeouts(read(IpVs.GET_CONFIG, "read the timeouts of IPVS"));
    }

    /// Sets timeouts; one of 0 leaves the kernel's as it is.
    public void setTimeouts(IpvsTimeouts timeouts) {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = encoder.begin(out, IpVs.SET_CONFIG, NftBatch.ACKNOWLEDGE, sequence);
        encoder.timeouts(out, timeouts);
        out.endMessage(start);
        var _ = answered(socket.request(out, sequence), "set the timeouts of IPVS to " + timeouts);
    }

    /// All virtual servers of the network namespace.
    public List<IpvsService> services() {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = encoder.begin(out, IpVs.GET_SERVICE, NftSocket.DUMP, sequence);
        out.endMessage(start);
        List<IpvsService> services = new ArrayList<>();
        for (Message message :
                answered(socket.dump(out, sequence), "list the virtual servers of IPVS")) {
            IpvsDecoder.service(message.attributes(GenericNetlink.HEADER_LENGTH))
                    .ifPresent(services::add);
        }
        return services;
    }

    /// The real servers of a virtual server, none if there is no such virtual server.
    public List<IpvsListedDestination> destinations(IpvsService.Key service) {
        socket.drain();
        return destinations(service, new MessageWriter());
    }

    /// The real servers of each of many virtual servers, in their order, as [#destinations] for
    /// one.
    ///
    /// A socket lists one thing at a time, so this takes a request and about two answers for each.
    public Map<IpvsService.Key, List<IpvsListedDestination>> destinations(
            Collection<? extends IpvsService.Key> services) {
        Map<IpvsService.Key, List<IpvsListedDestination>> all =
                LinkedHashMap.newLinkedHashMap(services.size());
        socket.drain();
        var out = new MessageWriter();
        for (IpvsService.Key service : services) {
            all.put(service, destinations(service, out));
        }
        return all;
    }

    private List<IpvsListedDestination> destinations(IpvsService.Key service, MessageWriter out) {
        out.clear();
        int sequence = socket.nextSequence();
        int start = encoder.begin(out, IpVs.GET_DESTINATION, NftSocket.DUMP, sequence);
        encoder.service(out, service);
        out.endMessage(start);
        return switch (socket.dumpNext(out, sequence)) {
            case NetlinkSocket.Reply.Answered(var messages) -> {
                List<IpvsListedDestination> listed = new ArrayList<>(messages.size());
                for (Message message : messages) {
                    IpvsDecoder.destination(
                                    message.attributes(GenericNetlink.HEADER_LENGTH),
                                    service.family())
                            .ifPresent(listed::add);
                }
                yield listed;
            }
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused(
                            "list the real servers of " + service.text(), errno, text);
        };
    }

    /// Carries out commands in their order and gives the answer to each, in the same order.
    public List<Answer> commit(List<? extends IpvsCommand> commands) {
        List<Answer> answers =
                new ArrayList<>(Collections.nCopies(commands.size(), new Answer.Done()));
        new Exchange(socket)
                .run(
                        new Exchange.Requests() {
                            @Override
                            public int count() {
                                return commands.size();
                            }

                            @Override
                            public int write(int index, int sequence, MessageWriter out) {
                                return encoder.command(out, sequence, commands.get(index));
                            }

                            @Override
                            public void refused(int index, Message error) {
                                answers.set(index, refusal(commands.get(index), error.verdict()));
                            }
                        });
        return answers;
    }

    static Answer.Refused refusal(IpvsCommand command, Message.Verdict verdict) {
        int errno = verdict.errno();
        Answer.Cause cause = cause(command, errno);
        String reason = NetlinkException.describe(command.text(), errno, verdict.text());
        return new Answer.Refused(cause, errno, reason + words(command, errno));
    }

    private static Answer.Cause cause(IpvsCommand command, int errno) {
        return switch (errno) {
            case Errno.EEXIST -> Answer.Cause.EXISTS;
            // No such virtual server.
            case Errno.ESRCH -> Answer.Cause.MISSING;
            // No such real server; of a virtual server it is the scheduler that is missing.
            case Errno.ENOENT ->
                    switch (command) {
                        case IpvsCommand.AddService _, IpvsCommand.EditService _ ->
                                Answer.Cause.OTHER;
                        case IpvsCommand.DeleteService _,
                                IpvsCommand.AddDestination _,
                                IpvsCommand.EditDestination _,
                                IpvsCommand.DeleteDestination _ ->
                                Answer.Cause.MISSING;
                    };
            default -> Answer.Cause.OTHER;
        };
    }

    private static String words(IpvsCommand command, int errno) {
        return switch (errno) {
            case Errno.EEXIST -> "; it is there already";
            case Errno.ESRCH -> "; there is no such virtual server";
            case Errno.ENOENT ->
                    switch (command) {
                        case IpvsCommand.AddService(var service) -> noScheduler(service);
                        case IpvsCommand.EditService(var service) -> noScheduler(service);
                        case IpvsCommand.DeleteService _,
                                IpvsCommand.AddDestination _,
                                IpvsCommand.EditDestination _,
                                IpvsCommand.DeleteDestination _ ->
                                "; there is no such real server";
                    };
            default -> "";
        };
    }

    private static String noScheduler(IpvsService service) {
        return "; the kernel has no scheduler "
                + service.scheduler()
                + ": run `modprobe ip_vs_"
                + service.scheduler()
                + "` on the node or choose another";
    }

    /// How many system calls this socket has made.
    public long systemCalls() {
        return socket.systemCalls();
    }

    private Attributes read(int command, String tried) {
        var out = new MessageWriter();
        int sequence = socket.nextSequence();
        int start = encoder.begin(out, command, 0, sequence);
        out.endMessage(start);
        List<Message> messages = answered(socket.request(out, sequence), tried);
        if (messages.isEmpty()) {
            throw new NetlinkException(tried + ": the kernel's answer is empty");
        }
        return messages.getFirst().attributes(GenericNetlink.HEADER_LENGTH);
    }

    private static List<Message> answered(NetlinkSocket.Reply reply, String tried) {
        return switch (reply) {
            case NetlinkSocket.Reply.Answered(var messages) -> messages;
            case NetlinkSocket.Reply.Failed(var errno, var text) ->
                    throw NetlinkException.refused(tried, errno, text);
        };
    }

    @Override
    public void close() {
        socket.close();
    }
}
