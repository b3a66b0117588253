# What a node with one Service of two ports gets.
sysctl -w net.ipv4.vs.conntrack=1
sysctl -w net.ipv4.vs.expire_quiescent_template=0
ipvsadm --set 900 120 300
ipset restore -exist <<'EOF'
create KUBE-CLUSTER-IP hash:ip,port family inet hashsize 1024 maxelem 65536
create KUBE-CLUSTER-IP hash:ip,port family inet hashsize 1024 maxelem 65536
add KUBE-CLUSTER-IP 10.96.0.10,tcp:80
add KUBE-CLUSTER-IP 10.96.0.10,udp:53
add KUBE-CLUSTER-IP 10.96.0.99,tcp:80
create KUBE-LOOP-BACK hash:ip,port,ip family inet
add KUBE-LOOP-BACK 10.8.0.9,tcp:8080,10.8.0.9
create GONE hash:ip family inet
add GONE 10.96.0.10
EOF
ip -batch - <<'EOF'
link add kube-ipvs0 type dummy
link set kube-ipvs0 arp off
address add 10.96.0.10/32 dev kube-ipvs0
address add 10.96.0.99/32 dev kube-ipvs0
address add fd00:10:96::a/128 dev kube-ipvs0
EOF
ipvsadm -R <<'EOF'
-A -t 10.96.0.10:80 -s rr
-a -t 10.96.0.10:80 -r 10.8.0.9:8080 -m -w 1
-A -u 10.96.0.10:53 -s mh -b mh-fallback,mh-port -p 10800
-a -u 10.96.0.10:53 -r 10.8.0.9:5353 -m -w 1
-A -t [fd00:10:96::a]:80 -s wrr
-a -t [fd00:10:96::a]:80 -r [fd00:8::9]:8080 -m -w 3
-A --sctp-service 10.96.0.99:80 -s rr
EOF

iptables-restore -w 5 --noflush <<'RULES'
*nat
:KUBE-SERVICES - [0:0]
:KUBE-POSTROUTING - [0:0]
-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-A POSTROUTING -j KUBE-POSTROUTING
-A KUBE-SERVICES ! -s 10.8.0.0/16 -m set --match-set KUBE-CLUSTER-IP dst,dst -j MARK --set-xmark 0x4000/0x4000
-A KUBE-POSTROUTING -m set --match-set KUBE-LOOP-BACK dst,dst,src -j MASQUERADE
-A KUBE-POSTROUTING -m mark --mark 0x4000/0x4000 -j MASQUERADE
COMMIT
*filter
:KUBE-IPVS-OUT-FILTER - [0:0]
-A OUTPUT -j KUBE-IPVS-OUT-FILTER
COMMIT
RULES
ip6tables-restore --noflush <<'EOF'
*nat
-A POSTROUTING -j MASQUERADE
COMMIT
EOF
# Later: one Service port and one address are gone.
ipvsadm -R <<'EOF'
-e -t 10.96.0.10:80 -r 10.8.0.9:8080 -m -w 2
-D --sctp-service 10.96.0.99:80
EOF
ip -batch - <<'EOF'
# No Service has it any more.
address del 10.96.0.99/32 dev kube-ipvs0
EOF
ipset restore -exist <<'EOF'
del KUBE-CLUSTER-IP 10.96.0.99,tcp:80
del KUBE-CLUSTER-IP 10.96.0.98,tcp:80
create NEW hash:ip family inet
swap NEW GONE
flush GONE
destroy GONE
destroy NEW
EOF
iptables-restore --noflush <<'EOF'
*filter
-A KUBE-IPVS-OUT-FILTER -s 10.96.0.10/32 -m ipvs --vaddr 10.96.0.10 --vproto 6 --vport 80 -j DROP
COMMIT
EOF
