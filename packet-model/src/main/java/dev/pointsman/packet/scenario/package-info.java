/// Scenarios: what the cluster says, and what must then become of packets, in one short file per
/// situation. The same files are answered by the oracle, by backends and by real kernels.
///
/// One statement a line; words are separated by blanks; `#` at the start of a word begins a
/// comment. The first line is a comment and says what the file shows. `[…]` may be left out, `|`
/// separates alternatives, `,` the items of a list without blanks.
///
/// ```
/// node      NAME ADDRESS,… [zone=ZONE] [pods=RANGE,…]
/// settings  [cluster-range=RANGE,… | detect=none|node|bridge:NAME|prefix:LETTERS]
///           [service-range=RANGE,…] [node-ports=primary|all|localhost|RANGE,…] [masquerade-bit=N]
///           [masquerade-all] [guard=off] [external-ips=ignored]
/// service   NAMESPACE/NAME[:PORT-NAME] tcp|udp|sctp cluster=ADDRESS:PORT,… [nodeport=PORT]
///           [external=ADDRESS,…] [lb=ADDRESS,…] [ranges=RANGE,…] [external-policy=Local]
///           [internal-policy=Local] [affinity=SECONDS] [healthcheck=PORT]
///           [type=ClusterIP|NodePort|LoadBalancer] [created=INSTANT]
/// endpoint  NAMESPACE/NAME[:PORT-NAME] ADDRESS:PORT [on=NODE] [ready] [serving] [terminating]
///           [not-ready] [zones=ZONE,…] [nodes=NODE,…] [slice=NAME]
/// flow      pod|host|outside ADDRESS -> tcp|udp|sctp ADDRESS:PORT = OUTCOME[, OUTCOME]… [sticky]
/// health    NAMESPACE/NAME = PORT ready=COUNT | none
/// then      node … | settings … | service … | endpoint …
/// then      remove NAMESPACE/NAME
/// then      remove-endpoint NAMESPACE/NAME[:PORT-NAME] ADDRESS:PORT [slice=NAME]
/// empty
///
/// OUTCOME = ADDRESS:PORT [source=kept|node] | drop | reject | untouched
/// ```
///
/// - `node`, `settings`, `service` and `endpoint` lines at the top are the first sync; every block
///   of neighbouring `then` lines is one more. `flow` and `health` lines say what holds after the
///   sync above them. `empty` ends every file: everything is removed, in one sync.
/// - IPv6 addresses with a port are in brackets. Both families are planned if the node has an
///   address of both.
/// - The lines of one block that name one Service are its ports, and state that Service whole; only
///   the first of them has more than `cluster` and `nodeport`. `type` follows from the addresses
///   unless it is given.
/// - An endpoint without a word on its state is ready and serving. With any such word, what is not
///   said does not hold, but for `ready`, which includes `serving`. An endpoint belongs to the port
///   with its name, and has that one's protocol; where the Service has no such port, TCP. A later
///   line for the same address, port and slice replaces the earlier one. Slices are merged in the
///   order of their names; without one, the slice is named `main`.
/// - `outside` includes pods of other nodes. `detect=none`, or no word on it, is the default.
/// - `source=` holds for all outcomes before it that have none yet. `sticky` stands where a client
///   that was seen before is bound to the earlier endpoint: at flows to a Service with affinity.
@NullMarked
package dev.pointsman.packet.scenario;

import org.jspecify.annotations.NullMarked;
