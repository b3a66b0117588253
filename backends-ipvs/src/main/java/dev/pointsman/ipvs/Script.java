package dev.pointsman.ipvs;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import java.io.IOException;
import java.util.List;

/// Prints operations as a shell script that has them carried out by the tools of iproute2,
/// ipvsadm(8), ipset(8) and iptables(8).
final class Script {
    static final String DEVICE = "kube-ipvs0";

    private final Family family;
    private final Appendable out;

    Script(Family family, Appendable out) {
        this.family = family;
        this.out = out;
    }

    void print(List<Operation> operations) throws IOException {
        int start = 0;
        while (start < operations.size()) {
            Operation.Tool tool = operations.get(start).tool();
            int end = start;
            while (end < operations.size() && operations.get(end).tool() == tool) {
                end++;
            }
            section(tool, operations.subList(start, end));
            start = end;
        }
    }

    private void section(Operation.Tool tool, List<Operation> operations) throws IOException {
        out.append(
                switch (tool) {
                    case IPSET -> "ipset restore -exist";
                    case IPVSADM -> "ipvsadm -R";
                    case IP -> "ip -force -batch -";
                    case IPTABLES ->
                            switch (family) {
                                case IPV4 -> "iptables-restore --noflush";
                                case IPV6 -> "ip6tables-restore --noflush";
                            };
                });
        out.append(" <<'EOF'\n");
        for (Operation operation : operations) {
            switch (operation) {
                case Operation.OfSets sets -> print(sets);
                case Operation.OfServers servers -> line(text(servers));
                case Operation.OfAddresses addresses -> line(text(addresses));
                case Operation.Rules(var restore) -> restore.print(out);
            }
        }
        out.append("EOF\n");
    }

    private void print(Operation.OfSets operation) throws IOException {
        switch (operation) {
            case Operation.CreateSet(var set) ->
                    line("create " + set.definition(set.name(family), family));
            case Operation.AddMember(var set, var member, _) ->
                    line("add " + set.name(family) + " " + member.text());
            case Operation.DeleteMember(var set, var member, _) ->
                    line("del " + set.name(family) + " " + member.text());
            case Operation.DestroySet(var set) -> line("destroy " + set.name(family));
            case Operation.DestroyLeftover(var set) -> line("destroy " + set);
            case Operation.ReplaceSet(var set, var members) -> {
                String other = ServiceSet.substitute(family);
                line("create " + set.definition(other, family));
                for (Operation.AddMember add : members) {
                    line("add " + other + " " + add.member().text());
                }
                line("swap " + other + " " + set.name(family));
                line("destroy " + other);
            }
        }
    }

    private static String text(Operation.OfServers operation) {
        String key = operation.key().text();
        return switch (operation) {
            case Operation.AddServer(var server) -> "-A " + key + " " + server.balancing().text();
            case Operation.EditServer(var server) -> "-E " + key + " " + server.balancing().text();
            case Operation.DeleteServer _ -> "-D " + key;
            case Operation.AddReal(_, var real, _) -> "-a " + key + weighted(real, 1);
            case Operation.RestoreReal(_, var real, _) -> "-e " + key + weighted(real, 1);
            case Operation.DrainReal(_, var real, _, _) -> "-e " + key + weighted(real, 0);
            case Operation.DeleteReal(_, var real, _) -> "-d " + key + " -r " + real.text();
        };
    }

    private static String weighted(RealServer real, int weight) {
        return " -r " + real.text() + " -m -w " + weight;
    }

    private static String text(Operation.OfAddresses operation) {
        return switch (operation) {
            case Operation.CreateDevice() -> "link add " + DEVICE + " type dummy";
            case Operation.Bind(var address) -> "address add " + whole(address) + " dev " + DEVICE;
            case Operation.Unbind(var address) ->
                    "address del " + whole(address) + " dev " + DEVICE;
            case Operation.DeleteDevice() ->
                    "# link delete " + DEVICE + ", unless the other family has addresses there";
        };
    }

    private static String whole(IpAddress address) {
        return address + "/" + address.family().bits();
    }

    private void line(String text) throws IOException {
        out.append(text).append('\n');
    }
}
