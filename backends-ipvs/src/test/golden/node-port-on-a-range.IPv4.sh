ipset restore -exist <<'EOF'
create KUBE-SERVICE-IP hash:ip,port family inet hashsize 1024 maxelem 1048576
create KUBE-MASQUERADE hash:ip,port family inet hashsize 1024 maxelem 1048576
create KUBE-MASQUERADE-NOT-PODS hash:ip,port family inet hashsize 1024 maxelem 1048576
create KUBE-LOCAL-POLICY hash:ip,port family inet hashsize 1024 maxelem 1048576
create KUBE-DROP hash:ip,port family inet hashsize 1024 maxelem 1048576
create KUBE-DROP-OUTSIDE hash:ip,port family inet hashsize 1024 maxelem 1048576
create KUBE-RESTRICTED hash:ip,port family inet hashsize 1024 maxelem 1048576
create KUBE-SOURCE-RANGES hash:ip,port,net family inet hashsize 1024 maxelem 1048576
create KUBE-NODE-PORT hash:net,port family inet hashsize 1024 maxelem 1048576
create KUBE-NODE-PORT-MASQUERADE hash:net,port family inet hashsize 1024 maxelem 1048576
create KUBE-NODE-PORT-LOCAL-POLICY hash:net,port family inet hashsize 1024 maxelem 1048576
create KUBE-NODE-PORT-DROP-OUTSIDE hash:net,port family inet hashsize 1024 maxelem 1048576
create KUBE-HAIRPIN hash:net,net family inet hashsize 1024 maxelem 1048576
create KUBE-BOUND-IP hash:ip family inet hashsize 1024 maxelem 1048576
EOF
ip -force -batch - <<'EOF'
link add kube-ipvs0 type dummy
EOF
ipset restore -exist <<'EOF'
add KUBE-SERVICE-IP 172.30.0.41,tcp:80
add KUBE-MASQUERADE-NOT-PODS 172.30.0.41,tcp:80
add KUBE-NODE-PORT 0.0.0.0/1,tcp:3001
add KUBE-NODE-PORT 128.0.0.0/1,tcp:3001
add KUBE-NODE-PORT-MASQUERADE 0.0.0.0/1,tcp:3001
add KUBE-NODE-PORT-MASQUERADE 128.0.0.0/1,tcp:3001
add KUBE-HAIRPIN 10.180.0.1,10.180.0.1
add KUBE-BOUND-IP 172.30.0.41
add KUBE-BOUND-IP 192.0.0.8
EOF
ipvsadm -R <<'EOF'
-A -t 172.30.0.41:80 -s rr
-a -t 172.30.0.41:80 -r 10.180.0.1:8080 -m -w 1
-A -t 192.0.0.8:3001 -s rr
-a -t 192.0.0.8:3001 -r 10.180.0.1:8080 -m -w 1
EOF
ip -force -batch - <<'EOF'
address add 172.30.0.41/32 dev kube-ipvs0
address add 192.0.0.8/32 dev kube-ipvs0
EOF
iptables-restore --noflush <<'EOF'
*mangle
:KUBE-PROXY-CANARY - [0:0]
:KUBE-REMOTE-NODEPORTS - [0:0]
:KUBE-SOURCE-RANGES-FIREWALL - [0:0]
:KUBE-PROXY-FIREWALL - [0:0]
-A KUBE-PROXY-CANARY -m comment --comment "gone once the table is flushed" -j RETURN
-A KUBE-REMOTE-NODEPORTS -m conntrack ! --ctstate NEW -j RETURN
-A KUBE-REMOTE-NODEPORTS -s 10.180.0.0/24 -j RETURN
-A KUBE-REMOTE-NODEPORTS -m set --match-set KUBE-SERVICE-IP dst,dst -j RETURN
-A KUBE-REMOTE-NODEPORTS -m set --match-set KUBE-NODE-PORT-DROP-OUTSIDE dst,dst -j DROP
-A KUBE-SOURCE-RANGES-FIREWALL -m set --match-set KUBE-SOURCE-RANGES dst,dst,src -j RETURN
-A KUBE-SOURCE-RANGES-FIREWALL -j DROP
-A KUBE-PROXY-FIREWALL -m set --match-set KUBE-RESTRICTED dst,dst -j KUBE-SOURCE-RANGES-FIREWALL
-A KUBE-PROXY-FIREWALL -m set --match-set KUBE-DROP dst,dst -j DROP
-A KUBE-PROXY-FIREWALL -d 192.0.0.8/32 -j DROP
-A KUBE-PROXY-FIREWALL -m addrtype --src-type LOCAL -j RETURN
-A KUBE-PROXY-FIREWALL ! -s 10.0.0.0/8 -m set --match-set KUBE-DROP-OUTSIDE dst,dst -j DROP
-A KUBE-PROXY-FIREWALL -m set --match-set KUBE-SERVICE-IP dst,dst -j RETURN
-A KUBE-PROXY-FIREWALL ! -s 10.0.0.0/8 -d 192.168.0.0/24 -m addrtype --dst-type LOCAL -m set ! --match-set KUBE-BOUND-IP dst -m set --match-set KUBE-NODE-PORT-DROP-OUTSIDE dst,dst -j DROP
-I PREROUTING 1 -m conntrack --ctstate NEW -m comment --comment "kubernetes packets that no endpoint may get" -j KUBE-PROXY-FIREWALL
-I OUTPUT 1 -m conntrack --ctstate NEW -m comment --comment "kubernetes packets that no endpoint may get" -j KUBE-PROXY-FIREWALL
-I PREROUTING 2 -s 10.0.0.0/8 -d 192.168.0.0/24 -m addrtype --dst-type LOCAL --limit-iface-in -m comment --comment "pods of other nodes at nodeports of this one" -j KUBE-REMOTE-NODEPORTS
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
-A KUBE-CLUSTER-IPS -d 172.30.0.0/16 -m comment --comment "traffic to unallocated cluster IPs" -j DROP
-A KUBE-IPVS-FILTER -m comment --comment "kubernetes forwarding rules" -m mark --mark 0x4000/0x4000 -j ACCEPT
-A KUBE-IPVS-FILTER -m comment --comment "kubernetes forwarding conntrack rule" -m conntrack --ctstate RELATED,ESTABLISHED -m set --match-set KUBE-BOUND-IP dst -j ACCEPT
-A KUBE-IPVS-FILTER -m conntrack --ctstate DNAT -j RETURN
-A KUBE-IPVS-FILTER -m set --match-set KUBE-SERVICE-IP dst,dst -j RETURN
-A KUBE-IPVS-FILTER -m conntrack --ctstate NEW -m set --match-set KUBE-BOUND-IP dst -j REJECT --reject-with icmp-port-unreachable
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
-A KUBE-REMOTE-PODS -s 10.180.0.0/24 -j RETURN
-A KUBE-REMOTE-PODS -d 10.180.0.0/24 -j RETURN
-A KUBE-REMOTE-PODS -m conntrack --ctorigdst 172.30.0.0/16 -j RETURN
-A KUBE-REMOTE-PODS -j MASQUERADE
-A KUBE-REMOTE-NODEPORTS -s 10.180.0.0/24 -j RETURN
-A KUBE-REMOTE-NODEPORTS -m set --match-set KUBE-SERVICE-IP dst,dst -j RETURN
-A KUBE-REMOTE-NODEPORTS -m set --match-set KUBE-NODE-PORT-LOCAL-POLICY dst,dst -j DNAT --to-destination 192.0.0.8
-A KUBE-SERVICE-IPS -m addrtype --src-type LOCAL -j KUBE-MARK-MASQ
-A KUBE-SERVICE-IPS -m set --match-set KUBE-MASQUERADE dst,dst -j KUBE-MARK-MASQ
-A KUBE-SERVICE-IPS ! -s 10.0.0.0/8 -m set --match-set KUBE-MASQUERADE-NOT-PODS dst,dst -j KUBE-MARK-MASQ
-A KUBE-SERVICE-IPS -m addrtype --src-type LOCAL -m set --match-set KUBE-LOCAL-POLICY dst,dst -j KUBE-SHORT-CUTS
-A KUBE-SERVICE-IPS -s 10.0.0.0/8 -m set --match-set KUBE-LOCAL-POLICY dst,dst -j KUBE-SHORT-CUTS
-A KUBE-SERVICE-IPS -j ACCEPT
-A KUBE-NODE-PORT -m addrtype --src-type LOCAL -j KUBE-MARK-MASQ
-A KUBE-NODE-PORT -m set --match-set KUBE-NODE-PORT-MASQUERADE dst,dst -j KUBE-MARK-MASQ
-A KUBE-NODE-PORT -m addrtype --src-type LOCAL -m set --match-set KUBE-NODE-PORT-LOCAL-POLICY dst,dst -j KUBE-NODE-PORT-SHORT-CUTS
-A KUBE-NODE-PORT -s 10.0.0.0/8 -m set --match-set KUBE-NODE-PORT-LOCAL-POLICY dst,dst -j KUBE-NODE-PORT-SHORT-CUTS
-A KUBE-NODE-PORT -j DNAT --to-destination 192.0.0.8
-A KUBE-SERVICES -m set --match-set KUBE-SERVICE-IP dst,dst -j KUBE-SERVICE-IPS
-A KUBE-SERVICES -d 192.168.0.0/24 -m addrtype --dst-type LOCAL -m set ! --match-set KUBE-BOUND-IP dst -m set --match-set KUBE-NODE-PORT dst,dst -j KUBE-NODE-PORT
-A KUBE-POSTROUTING -m comment --comment "endpoints of this node that were sent to themselves" -m ipvs --ipvs -m set --match-set KUBE-HAIRPIN dst,src -j MASQUERADE
-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -m conntrack --ctstate DNAT -s 10.0.0.0/8 -j KUBE-REMOTE-PODS
-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
-A KUBE-POSTROUTING -j MARK --set-xmark 0x4000/0x0
-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE
-I PREROUTING 1 -s 10.0.0.0/8 -d 192.168.0.0/24 -m addrtype --dst-type LOCAL --limit-iface-in -m comment --comment "pods of other nodes at nodeports of this one" -j KUBE-REMOTE-NODEPORTS
-I PREROUTING 2 -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-I OUTPUT 1 -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-I POSTROUTING 1 -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING
COMMIT
EOF
