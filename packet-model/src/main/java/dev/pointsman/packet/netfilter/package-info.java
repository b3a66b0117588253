/// Netfilter in a JVM: what one node's rules do to one packet.
///
/// Readers of every tool's output build one intermediate form; [PacketPath] evaluates it. No I/O,
/// clock, threads or randomness: chance is followed exhaustively, with exact probabilities, and
/// time is part of [Memory].
///
/// ```
/// Ruleset   = Table*, IpvsTable, Unread*                        what a kernel holds
/// Table     = ip | ip6 | inet, name, Chain*, NamedSet*          names are looked up inside a table
/// Chain     = name, Hooked(type, hook, priority, policy) | Called, Rule*
/// Rule      = Step*, line, text                                 steps are taken in order
/// Step      = Match | Statement | Unknown
/// Match     = In(Operand, set) | AnyBit(Operand, bits) | Chance | Recent
/// Statement = Take(Verdict) | Choose(Operand, verdict map) | Assign | Translate | Update | Untrack
/// Operand   = Field | Address | AddressType | Constant | Masked | Mixed | Random | Concatenation | Lookup
/// IpvsTable = VirtualServer*, addresses, switches               what takes packets for the node itself
/// VirtualServer = address and port | mark, Scheduler, Persistence, RealServer*
/// Elements  = (Range per field -> nothing | values | verdict, until when)*
/// ```
///
/// IPVS sees requests after the filters of input, and of what the node sends after the translation
/// of output; what it sends on sees the whole output hook and postrouting ([Balancer]). Schedulers
/// are the shares they give over many connections ([Scheduler]): which place a ring is at, whom a
/// hash means and how busy a real server is are not predicted. A client that a hash binds to one
/// real server is, to the model, a new one each time.
///
/// A match whose operand the packet does not have (an address of the other family, the original
/// destination of an untracked one) fails, negated or not. A rule that ends early keeps what its
/// earlier statements did.
///
/// What the model leaves out, and every user of it must say: conntrack zones and helpers, IP
/// fragments, policy routing, reverse path filtering, the choice of a source port when an address
/// is translated, packets that a bridge forwards, tunnels (a packet has left when it is given to
/// the tunnel's interface), and load: a limit is [Step.Unknown]. Of IPVS: real servers that are not
/// reached by translation, limits of their connections, one-packet scheduling and persistence
/// engines, which are all doubted; helpers for FTP, synchronised connections, the timeouts that
/// `ipvsadm --set` changes, and `conn_reuse_mode`, which only packets of old connections meet.
@NullMarked
package dev.pointsman.packet.netfilter;

import org.jspecify.annotations.NullMarked;
