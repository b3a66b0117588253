/// Netlink sockets and codecs: the only package that knows file descriptors, errno and jnr-ffi.
///
/// Everything here speaks one of the kernel's netlink families. The grammar of a message, from
/// `linux/netlink.h` and `linux/netfilter/nfnetlink.h`:
///
/// ```
/// Datagram  = Message*                                each aligned to 4 bytes
/// Message   = length u32, type u16, flags u16, sequence u32, port u32, Header, Attribute*
/// Header    = nfgenmsg | ifinfomsg | ifaddrmsg | genlmsghdr    by family
/// Attribute = length u16, type u16, (bytes | Attribute*), padding to 4 bytes
/// ```
///
/// Lengths and types are in the machine's byte order. Numbers inside nf_tables and ip_set
/// attributes are in network byte order, numbers inside rtnetlink and IPVS attributes in the
/// machine's, except for ports.
///
/// - [MessageWriter] and [Attributes] write and read that grammar; reading is total: bytes of any
///   content give values or a [NetlinkException], never another exception.
/// - [NetlinkSocket] moves datagrams. [NftSocket], [IpvsSocket], [IpsetSocket] and [LinkSocket] are
///   the conversations on top.
/// - [NftBatch] is one atomic nf_tables transaction; a refusal names the caller's own object. IPVS,
///   ip_set and rtnetlink have no transactions: their commands stand for themselves, go out many to
///   a datagram ([Exchange]), and each has its [Answer].
/// - [NetworkNamespace] runs code in another network namespace; sockets opened there stay there.
@NullMarked
package dev.pointsman.netlink;

import org.jspecify.annotations.NullMarked;
