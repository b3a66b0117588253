package dev.pointsman.netlink;

import java.net.InetAddress;

/// One UDP entry of conntrack, named so that it is deleted and no other: by the ends of its answers
/// and its id.
///
/// From Linux 5.3 on the id (`CTA_ID`, `nf_ct_get_id`) is a keyed hash of the entry's place in
/// memory and of the packet that it began with; before, the place alone. A place is used again at
/// once, so that the next flow of the same client to the same Service often has the same id. What
/// tells it apart is who answers it: hence the ends of the answers, and not those of the packet.
///
/// @param answerer where answers are awaited from
/// @param receiver where they go to: the client, or the node for one whose address was hidden
public record ConntrackFlow(
        InetAddress answerer, int answererPort, InetAddress receiver, int receiverPort, int id) {

    public ConntrackFlow {
        if (IpFamily.of(answerer) != IpFamily.of(receiver)) {
            throw new IllegalArgumentException(
                    answerer + " and " + receiver + " are of two families");
        }
    }

    IpFamily family() {
        return IpFamily.of(answerer);
    }

    String text() {
        return "UDP flow that "
                + answerer.getHostAddress()
                + " port "
                + answererPort
                + " answers to "
                + receiver.getHostAddress()
                + " port "
                + receiverPort;
    }
}
