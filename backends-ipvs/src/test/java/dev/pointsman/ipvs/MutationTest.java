package dev.pointsman.ipvs;

import dev.pointsman.packet.verify.MutantHunt;
import org.junit.jupiter.api.Test;

/// Rules with one thing wrong are told from right ones, unless no packet can tell them.
final class MutationTest {
    @Test
    void no_mutant_that_treats_a_packet_differently_is_proved() throws Exception {
        MutantHunt.run("ipvs", Rendered::rules);
    }
}
