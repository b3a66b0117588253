package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Verdict;
import dev.pointsman.packet.netfilter.Verdict.Refusal;
import java.util.List;

/// `-j REJECT`.
final class RejectTarget implements SavedPart {
    private Refusal refusal = Refusal.PORT_UNREACHABLE;

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        if (!option.equals("--reject-with")) {
            return false;
        }
        refusal =
                switch (line.next("a kind of refusal")) {
                    case "icmp-port-unreachable", "icmp6-port-unreachable", "port-unreach" ->
                            Refusal.PORT_UNREACHABLE;
                    case "icmp-host-unreachable", "host-unreach" -> Refusal.HOST_UNREACHABLE;
                    case "icmp-net-unreachable", "net-unreach" -> Refusal.NET_UNREACHABLE;
                    case "icmp-proto-unreachable", "proto-unreach" -> Refusal.PROTOCOL_UNREACHABLE;
                    case "icmp-net-prohibited", "net-prohib" -> Refusal.NET_PROHIBITED;
                    case "icmp-host-prohibited", "host-prohib" -> Refusal.HOST_PROHIBITED;
                    case "icmp-admin-prohibited",
                            "admin-prohib",
                            "icmp6-adm-prohibited",
                            "adm-prohibited" ->
                            Refusal.ADMIN_PROHIBITED;
                    case "icmp6-no-route", "no-route" -> Refusal.NO_ROUTE;
                    case "icmp6-addr-unreachable", "addr-unreach" -> Refusal.ADDRESS_UNREACHABLE;
                    case "icmp6-policy-fail", "policy-fail" -> Refusal.POLICY_FAIL;
                    case "icmp6-reject-route", "reject-route" -> Refusal.ROUTE_REJECTED;
                    case "tcp-reset", "tcp-rst" -> Refusal.TCP_RESET;
                    default -> throw line.wrong("a kind of refusal");
                };
        return true;
    }

    @Override
    public List<Step> steps() {
        return List.of(new Step.Take(new Verdict.Reject(refusal)));
    }
}
