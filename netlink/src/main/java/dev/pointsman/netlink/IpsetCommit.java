package dev.pointsman.netlink;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToIntFunction;

/// One run of commands for ip_set.
///
/// A message that adds members to a set, or deletes some, holds many of them. The kernel stops in
/// such a message at the first member that it refuses, and says which it was; those after it are
/// sent again, each in a message of its own. So that they still take effect before the commands
/// that follow, additions and deletions are never under way at the same time, nor with anything
/// else.
final class IpsetCommit {
    /// Of at most 84 bytes each, so that a message stays below [Exchange#LONGEST_MESSAGE].
    static final int MEMBERS_PER_MESSAGE = 128;

    private final NetlinkSocket socket;
    private final List<? extends IpsetCommand> commands;
    private final int flags;
    private final ToIntFunction<IpsetDefinition> revision;
    private final List<Answer> answers;

    /// @param flags of every message
    IpsetCommit(
            NetlinkSocket socket,
            List<? extends IpsetCommand> commands,
            int flags,
            ToIntFunction<IpsetDefinition> revision) {
        this.socket = socket;
        this.commands = commands;
        this.flags = flags;
        this.revision = revision;
        this.answers = new ArrayList<>(Collections.nCopies(commands.size(), new Answer.Done()));
    }

    List<Answer> run() {
        var exchange = new Exchange(socket);
        int from = 0;
        while (from < commands.size()) {
            int kind = kind(commands.get(from));
            int to = from + 1;
            while (to < commands.size() && kind(commands.get(to)) == kind) {
                to++;
            }
            var first = new Messages(runs(from, to));
            exchange.run(first);
            if (!first.again.isEmpty()) {
                exchange.run(new Messages(first.again));
            }
            from = to;
        }
        return answers;
    }

    /// The number of the message: the same for commands that may be under way together.
    private static int kind(IpsetCommand command) {
        return switch (command) {
            case IpsetCommand.Add _ -> IpSets.ADD;
            case IpsetCommand.Delete _ -> IpSets.DELETE;
            case IpsetCommand.Create _,
                    IpsetCommand.Destroy _,
                    IpsetCommand.Flush _,
                    IpsetCommand.Swap _ ->
                    IpSets.CREATE;
        };
    }

    /// The commands of one message, from a first one to before a last one.
    private record Run(int from, int to) {
        int size() {
            return to - from;
        }
    }

    private List<Run> runs(int from, int to) {
        List<Run> runs = new ArrayList<>();
        int start = from;
        for (int next = from + 1; next <= to; next++) {
            if (next == to
                    || next - start == MEMBERS_PER_MESSAGE
                    || !together(commands.get(start), commands.get(next))) {
                runs.add(new Run(start, next));
                start = next;
            }
        }
        return runs;
    }

    private static boolean together(IpsetCommand one, IpsetCommand other) {
        return switch (one) {
            case IpsetCommand.Add(var set, _) ->
                    other instanceof IpsetCommand.Add(var its, _) && its.equals(set);
            case IpsetCommand.Delete(var set, _) ->
                    other instanceof IpsetCommand.Delete(var its, _) && its.equals(set);
            case IpsetCommand.Create _,
                    IpsetCommand.Destroy _,
                    IpsetCommand.Flush _,
                    IpsetCommand.Swap _ ->
                    false;
        };
    }

    /// Messages for runs of commands.
    private final class Messages implements Exchange.Requests {
        private final List<Run> runs;

        /// What the kernel has not looked at.
        private final List<Run> again = new ArrayList<>();

        Messages(List<Run> runs) {
            this.runs = runs;
        }

        @Override
        public int count() {
            return runs.size();
        }

        @Override
        public int write(int index, int sequence, MessageWriter out) {
            Run run = runs.get(index);
            var encoder = new IpsetEncoder(out);
            int start =
                    switch (commands.get(run.from())) {
                        case IpsetCommand.Create(var definition) -> {
                            int at =
                                    encoder.begin(
                                            IpSets.CREATE, flags, sequence, definition.name());
                            encoder.definition(definition, revision.applyAsInt(definition));
                            yield at;
                        }
                        case IpsetCommand.Destroy(var set) ->
                                encoder.begin(IpSets.DESTROY, flags, sequence, set);
                        case IpsetCommand.Flush(var set) ->
                                encoder.begin(IpSets.FLUSH, flags, sequence, set);
                        case IpsetCommand.Swap(var one, var other) -> {
                            int at = encoder.begin(IpSets.SWAP, flags, sequence, one);
                            out.string(IpSets.SECOND_NAME, other);
                            yield at;
                        }
                        case IpsetCommand.Add(var set, _) -> {
                            int at = encoder.begin(IpSets.ADD, flags, sequence, set);
                            members(run, encoder, out);
                            yield at;
                        }
                        case IpsetCommand.Delete(var set, _) -> {
                            int at = encoder.begin(IpSets.DELETE, flags, sequence, set);
                            members(run, encoder, out);
                            yield at;
                        }
                    };
            out.endMessage(start);
            return start;
        }

        private void members(Run run, IpsetEncoder encoder, MessageWriter out) {
            if (run.size() == 1) {
                encoder.member(member(run.from()), 0);
                return;
            }
            // The kernel puts the line of the member that it refuses here, in a copy of the
            // message.
            out.nativeU32(IpSets.LINE, 0);
            int list = out.begin(IpSets.ENTRIES);
            for (int i = run.from(); i < run.to(); i++) {
                encoder.member(member(i), i - run.from() + 1);
            }
            out.end(list);
        }

        private IpsetMember member(int index) {
            return switch (commands.get(index)) {
                case IpsetCommand.Add(_, var member) -> member;
                case IpsetCommand.Delete(_, var member) -> member;
                case IpsetCommand.Create _,
                        IpsetCommand.Destroy _,
                        IpsetCommand.Flush _,
                        IpsetCommand.Swap _ ->
                        throw new IllegalStateException("no member in " + commands.get(index));
            };
        }

        @Override
        public void refused(int index, Message error) {
            Run run = runs.get(index);
            Message.Verdict verdict = error.verdict();
            int line = run.size() == 1 ? 0 : line(error);
            if (line < 1 || line > run.size()) {
                // It looked at none of them.
                for (int i = run.from(); i < run.to(); i++) {
                    if (!isGone(commands.get(i), verdict.errno())) {
                        answers.set(i, refusal(commands.get(i), verdict));
                    }
                }
                return;
            }
            int refused = run.from() + line - 1;
            answers.set(refused, refusal(commands.get(refused), verdict));
            for (int i = refused + 1; i < run.to(); i++) {
                again.add(new Run(i, i + 1));
            }
        }
    }

    /// Whether a set is not there that need not be: older kernels refuse to destroy it all the
    /// same.
    private boolean isGone(IpsetCommand command, int errno) {
        return flags == 0 && errno == Errno.ENOENT && command instanceof IpsetCommand.Destroy;
    }

    /// The line of the refused member, 0 if the kernel did not name one.
    static int line(Message error) {
        if (error.isCapped()) {
            return 0;
        }
        Attributes in = error.attributes(4 + MessageWriter.HEADER_LENGTH + NftSocket.HEADER_LENGTH);
        while (in.next()) {
            if (in.type() == IpSets.LINE) {
                return in.nativeU32();
            }
        }
        return 0;
    }

    static Answer.Refused refusal(IpsetCommand command, Message.Verdict verdict) {
        int errno = verdict.errno();
        String words = words(command, errno);
        String reason =
                words.isEmpty()
                        ? NetlinkException.describe(command.text(), errno, verdict.text())
                        : command.text() + ": " + words + " (" + errno + ")";
        return new Answer.Refused(cause(command, errno), errno, reason);
    }

    private static Answer.Cause cause(IpsetCommand command, int errno) {
        return switch (errno) {
            case Errno.EEXIST -> Answer.Cause.EXISTS;
            case Errno.ENOENT, IpSets.SECOND_NAME_EXISTS -> Answer.Cause.MISSING;
            case IpSets.BUSY, IpSets.REFERENCED -> Answer.Cause.IN_USE;
            case IpSets.ENTRY_EXISTS ->
                    command instanceof IpsetCommand.Delete
                            ? Answer.Cause.MISSING
                            : Answer.Cause.EXISTS;
            default -> Answer.Cause.OTHER;
        };
    }

    private static String words(IpsetCommand command, int errno) {
        if (errno == Errno.ENOENT) {
            return "there is no such set";
        }
        return switch (command) {
            case IpsetCommand.Create(var definition) ->
                    errno == Errno.EEXIST
                            ? "there is a set of that name already"
                            : IpSets.words(errno, definition.type());
            case IpsetCommand.Destroy _, IpsetCommand.Flush _, IpsetCommand.Swap _ ->
                    IpSets.words(errno);
            case IpsetCommand.Add(_, var member) ->
                    errno == IpSets.ENTRY_EXISTS
                            ? "it is there already"
                            : IpSets.words(errno, member.type());
            case IpsetCommand.Delete(_, var member) ->
                    errno == IpSets.ENTRY_EXISTS
                            ? "it is not there"
                            : IpSets.words(errno, member.type());
        };
    }
}
