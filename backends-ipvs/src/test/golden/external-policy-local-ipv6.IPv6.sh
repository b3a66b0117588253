ipset restore -exist <<'EOF'
create KUBE-6-SERVICE-IP hash:ip,port family inet6 hashsize 1024 maxelem 1048576
create KUBE-6-MASQUERADE hash:ip,port family inet6 hashsize 1024 maxelem 1048576
create KUBE-6-MASQUERADE-NOT-PODS hash:ip,port family inet6 hashsize 1024 maxelem 1048576
create KUBE-6-LOCAL-POLICY hash:ip,port family inet6 hashsize 1024 maxelem 1048576
create KUBE-6-DROP hash:ip,port family inet6 hashsize 1024 maxelem 1048576
create KUBE-6-DROP-OUTSIDE hash:ip,port family inet6 hashsize 1024 maxelem 1048576
create KUBE-6-RESTRICTED hash:ip,port family inet6 hashsize 1024 maxelem 1048576
create KUBE-6-SOURCE-RANGES hash:ip,port,net family inet6 hashsize 1024 maxelem 1048576
create KUBE-6-NODE-PORT hash:net,port family inet6 hashsize 1024 maxelem 1048576
create KUBE-6-NODE-PORT-MASQUERADE hash:net,port family inet6 hashsize 1024 maxelem 1048576
create KUBE-6-NODE-PORT-LOCAL-POLICY hash:net,port family inet6 hashsize 1024 maxelem 1048576
create KUBE-6-NODE-PORT-DROP-OUTSIDE hash:net,port family inet6 hashsize 1024 maxelem 1048576
create KUBE-6-HAIRPIN hash:net,net family inet6 hashsize 1024 maxelem 1048576
create KUBE-6-BOUND-IP hash:ip family inet6 hashsize 1024 maxelem 1048576
EOF
ip -force -batch - <<'EOF'
link add kube-ipvs0 type dummy
EOF
ipset restore -exist <<'EOF'
add KUBE-6-SERVICE-IP 2001:db8:99::22,tcp:80
add KUBE-6-SERVICE-IP 2001:db8:1234::4,tcp:80
add KUBE-6-SERVICE-IP fd00:172:30::41,tcp:80
add KUBE-6-MASQUERADE-NOT-PODS fd00:172:30::41,tcp:80
add KUBE-6-LOCAL-POLICY 2001:db8:99::22,tcp:80
add KUBE-6-LOCAL-POLICY 2001:db8:1234::4,tcp:80
add KUBE-6-NODE-PORT ::/1,tcp:3001
add KUBE-6-NODE-PORT 8000::/1,tcp:3001
add KUBE-6-NODE-PORT-LOCAL-POLICY ::/1,tcp:3001
add KUBE-6-NODE-PORT-LOCAL-POLICY 8000::/1,tcp:3001
add KUBE-6-HAIRPIN fd00:10:180::1,fd00:10:180::1
add KUBE-6-BOUND-IP 2001:db8:99::22
add KUBE-6-BOUND-IP 2001:db8:1234::4
add KUBE-6-BOUND-IP fd00:172:30::41
add KUBE-6-BOUND-IP fd70:6f69:6e74:736d:616e::1
EOF
ipvsadm -R <<'EOF'
-A -t [2001:db8:99::22]:80 -s rr
-a -t [2001:db8:99::22]:80 -r [fd00:10:180::1]:8080 -m -w 1
-A -t [2001:db8:1234::4]:80 -s rr
-a -t [2001:db8:1234::4]:80 -r [fd00:10:180::1]:8080 -m -w 1
-A -t [fd00:172:30::41]:80 -s rr
-a -t [fd00:172:30::41]:80 -r [fd00:10:180::1]:8080 -m -w 1
-a -t [fd00:172:30::41]:80 -r [fd00:10:180:1::1]:8080 -m -w 1
-A -t [fd70:6f69:6e74:736d:616e::1]:3001 -s rr
-a -t [fd70:6f69:6e74:736d:616e::1]:3001 -r [fd00:10:180::1]:8080 -m -w 1
EOF
ip -force -batch - <<'EOF'
address add 2001:db8:99::22/128 dev kube-ipvs0
address add 2001:db8:1234::4/128 dev kube-ipvs0
address add fd00:172:30::41/128 dev kube-ipvs0
address add fd70:6f69:6e74:736d:616e::1/128 dev kube-ipvs0
EOF
ip6tables-restore --noflush <<'EOF'
*mangle
:KUBE-PROXY-CANARY - [0:0]
:KUBE-REMOTE-NODEPORTS - [0:0]
:KUBE-SOURCE-RANGES-FIREWALL - [0:0]
:KUBE-PROXY-FIREWALL - [0:0]
-A KUBE-PROXY-CANARY -m comment --comment "gone once the table is flushed" -j RETURN
-A KUBE-REMOTE-NODEPORTS -m conntrack ! --ctstate NEW -j RETURN
-A KUBE-REMOTE-NODEPORTS -s fd00:10:180::/64 -j RETURN
-A KUBE-REMOTE-NODEPORTS -m set --match-set KUBE-6-SERVICE-IP dst,dst -j RETURN
-A KUBE-REMOTE-NODEPORTS -m set --match-set KUBE-6-NODE-PORT-DROP-OUTSIDE dst,dst -j DROP
-A KUBE-SOURCE-RANGES-FIREWALL -m set --match-set KUBE-6-SOURCE-RANGES dst,dst,src -j RETURN
-A KUBE-SOURCE-RANGES-FIREWALL -j DROP
-A KUBE-PROXY-FIREWALL -m set --match-set KUBE-6-RESTRICTED dst,dst -j KUBE-SOURCE-RANGES-FIREWALL
-A KUBE-PROXY-FIREWALL -m set --match-set KUBE-6-DROP dst,dst -j DROP
-A KUBE-PROXY-FIREWALL -d fd70:6f69:6e74:736d:616e::1/128 -j DROP
-A KUBE-PROXY-FIREWALL -m addrtype --src-type LOCAL -j RETURN
-A KUBE-PROXY-FIREWALL ! -s fd00:10::/32 -m set --match-set KUBE-6-DROP-OUTSIDE dst,dst -j DROP
-A KUBE-PROXY-FIREWALL -m set --match-set KUBE-6-SERVICE-IP dst,dst -j RETURN
-A KUBE-PROXY-FIREWALL ! -s fd00:10::/32 -d fd00:192::2/128 -m addrtype --dst-type LOCAL -m set ! --match-set KUBE-6-BOUND-IP dst -m set --match-set KUBE-6-NODE-PORT-DROP-OUTSIDE dst,dst -j DROP
-I PREROUTING 1 -m conntrack --ctstate NEW -m comment --comment "kubernetes packets that no endpoint may get" -j KUBE-PROXY-FIREWALL
-I OUTPUT 1 -m conntrack --ctstate NEW -m comment --comment "kubernetes packets that no endpoint may get" -j KUBE-PROXY-FIREWALL
-I PREROUTING 2 -s fd00:10::/32 -d fd00:192::2/128 -m addrtype --dst-type LOCAL --limit-iface-in -m comment --comment "pods of other nodes at nodeports of this one" -j KUBE-REMOTE-NODEPORTS
COMMIT
*filter
:KUBE-PROXY-CANARY - [0:0]
:KUBE-NODEPORTS - [0:0]
:KUBE-FORWARD - [0:0]
:KUBE-CLUSTER-IPS - [0:0]
:KUBE-IPVS-FILTER - [0:0]
:KUBE-IPVS-OUT-FILTER - [0:0]
-A KUBE-PROXY-CANARY -m comment --comment "gone once the table is flushed" -j RETURN
-A KUBE-FORWARD -m comment --comment "kubernetes forwarding rules" -m mark --mark 0x4000/0x4000 -j ACCEPT
-A KUBE-FORWARD -m comment --comment "kubernetes forwarding conntrack rule" -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
-A KUBE-CLUSTER-IPS -d fd00:172:30::/112 -m comment --comment "traffic to unallocated cluster IPs" -j DROP
-A KUBE-IPVS-FILTER -m comment --comment "kubernetes forwarding rules" -m mark --mark 0x4000/0x4000 -j ACCEPT
-A KUBE-IPVS-FILTER -m comment --comment "kubernetes forwarding conntrack rule" -m conntrack --ctstate RELATED,ESTABLISHED -m set --match-set KUBE-6-BOUND-IP dst -j ACCEPT
-A KUBE-IPVS-FILTER -m conntrack --ctstate DNAT -j RETURN
-A KUBE-IPVS-FILTER -m set --match-set KUBE-6-SERVICE-IP dst,dst -j RETURN
-A KUBE-IPVS-FILTER -m conntrack --ctstate NEW -m set --match-set KUBE-6-BOUND-IP dst -j REJECT --reject-with icmp6-port-unreachable
-A KUBE-IPVS-OUT-FILTER -m addrtype --src-type LOCAL -j RETURN
-A KUBE-IPVS-OUT-FILTER -m comment --comment "kubernetes forwarding rules" -m mark --mark 0x4000/0x4000 -j ACCEPT
-A KUBE-IPVS-OUT-FILTER -m comment --comment "kubernetes forwarding conntrack rule" -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
-I INPUT 1 -m comment --comment "kubernetes health check service ports" -j KUBE-NODEPORTS
-I INPUT 2 -m comment --comment "kubernetes ipvs access filter" -j KUBE-IPVS-FILTER
-I FORWARD 1 -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD
-I OUTPUT 1 -m comment --comment "kubernetes ipvs access filter" -j KUBE-IPVS-OUT-FILTER
-I FORWARD 2 -m conntrack --ctstate NEW -m addrtype ! --dst-type LOCAL -j KUBE-CLUSTER-IPS
-I OUTPUT 2 -m conntrack --ctstate NEW -m addrtype ! --dst-type LOCAL -j KUBE-CLUSTER-IPS
COMMIT
*nat
:KUBE-PROXY-CANARY - [0:0]
:KUBE-MARK-MASQ - [0:0]
:KUBE-REMOTE-PODS - [0:0]
:KUBE-SHORT-CUTS - [0:0]
:KUBE-NODE-PORT-SHORT-CUTS - [0:0]
:KUBE-REMOTE-NODEPORTS - [0:0]
:KUBE-SERVICE-IPS - [0:0]
:KUBE-NODE-PORT - [0:0]
:KUBE-SERVICES - [0:0]
:KUBE-POSTROUTING - [0:0]
-A KUBE-PROXY-CANARY -m comment --comment "gone once the table is flushed" -j RETURN
-A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000
-A KUBE-REMOTE-PODS -s fd00:10:180::/64 -j RETURN
-A KUBE-REMOTE-PODS -d fd00:10:180::/64 -j RETURN
-A KUBE-REMOTE-PODS -m conntrack --ctorigdst fd00:172:30::/112 -j RETURN
-A KUBE-REMOTE-PODS -j MASQUERADE
-A KUBE-SHORT-CUTS -d 2001:db8:99::22/128 -p tcp -m comment --comment "ns1/web:http for this node" -m tcp --dport 80 -j DNAT --to-destination [fd00:172:30::41]:80
-A KUBE-SHORT-CUTS -d 2001:db8:1234::4/128 -p tcp -m comment --comment "ns1/web:http for this node" -m tcp --dport 80 -j DNAT --to-destination [fd00:172:30::41]:80
-A KUBE-NODE-PORT-SHORT-CUTS -p tcp -m comment --comment "ns1/web:http for this node" -m tcp --dport 3001 -j DNAT --to-destination [fd00:172:30::41]:80
-A KUBE-REMOTE-NODEPORTS -s fd00:10:180::/64 -j RETURN
-A KUBE-REMOTE-NODEPORTS -m set --match-set KUBE-6-SERVICE-IP dst,dst -j RETURN
-A KUBE-REMOTE-NODEPORTS -m set --match-set KUBE-6-NODE-PORT-LOCAL-POLICY dst,dst -j DNAT --to-destination fd70:6f69:6e74:736d:616e::1
-A KUBE-SERVICE-IPS -m addrtype --src-type LOCAL -j KUBE-MARK-MASQ
-A KUBE-SERVICE-IPS -m set --match-set KUBE-6-MASQUERADE dst,dst -j KUBE-MARK-MASQ
-A KUBE-SERVICE-IPS ! -s fd00:10::/32 -m set --match-set KUBE-6-MASQUERADE-NOT-PODS dst,dst -j KUBE-MARK-MASQ
-A KUBE-SERVICE-IPS -m addrtype --src-type LOCAL -m set --match-set KUBE-6-LOCAL-POLICY dst,dst -j KUBE-SHORT-CUTS
-A KUBE-SERVICE-IPS -s fd00:10::/32 -m set --match-set KUBE-6-LOCAL-POLICY dst,dst -j KUBE-SHORT-CUTS
-A KUBE-SERVICE-IPS -j ACCEPT
-A KUBE-NODE-PORT -m addrtype --src-type LOCAL -j KUBE-MARK-MASQ
-A KUBE-NODE-PORT -m set --match-set KUBE-6-NODE-PORT-MASQUERADE dst,dst -j KUBE-MARK-MASQ
-A KUBE-NODE-PORT -m addrtype --src-type LOCAL -m set --match-set KUBE-6-NODE-PORT-LOCAL-POLICY dst,dst -j KUBE-NODE-PORT-SHORT-CUTS
-A KUBE-NODE-PORT -s fd00:10::/32 -m set --match-set KUBE-6-NODE-PORT-LOCAL-POLICY dst,dst -j KUBE-NODE-PORT-SHORT-CUTS
-A KUBE-NODE-PORT -j DNAT --to-destination fd70:6f69:6e74:736d:616e::1
-A KUBE-SERVICES -m set --match-set KUBE-6-SERVICE-IP dst,dst -j KUBE-SERVICE-IPS
-A KUBE-SERVICES -d fd00:192::2/128 -m addrtype --dst-type LOCAL -m set ! --match-set KUBE-6-BOUND-IP dst -m set --match-set KUBE-6-NODE-PORT dst,dst -j KUBE-NODE-PORT
-A KUBE-POSTROUTING -m comment --comment "endpoints of this node that were sent to themselves" -m ipvs --ipvs -m set --match-set KUBE-6-HAIRPIN dst,src -j MASQUERADE
-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -m conntrack --ctstate DNAT -s fd00:10::/32 -j KUBE-REMOTE-PODS
-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
-A KUBE-POSTROUTING -j MARK --set-xmark 0x4000/0x0
-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE
-I PREROUTING 1 -s fd00:10::/32 -d fd00:192::2/128 -m addrtype --dst-type LOCAL --limit-iface-in -m comment --comment "pods of other nodes at nodeports of this one" -j KUBE-REMOTE-NODEPORTS
-I PREROUTING 2 -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-I OUTPUT 1 -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-I POSTROUTING 1 -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING
COMMIT
EOF
