package dev.pointsman.packet.scenario;

import java.util.List;

/// One situation: what the cluster says, sync by sync, and what must become of packets.
///
/// @param file its name, for messages
/// @param title what it shows
/// @param steps what is said and expected before everything is removed
public record Scenario(String file, String title, List<Step> steps) {

    /// One block of statements with what holds after it.
    ///
    /// @param line where it begins
    public record Step(int line, List<Fact> facts, List<Expectation> expectations) {
        public Step {
            facts = List.copyOf(facts);
            expectations = List.copyOf(expectations);
        }
    }

    public Scenario {
        steps = List.copyOf(steps);
    }

    /// The syncs of this scenario, the removal of everything being the last.
    public List<Sync> syncs(Arrival arrival) {
        return new Rehearsal(arrival).syncs(steps);
    }

    @Override
    public String toString() {
        return file;
    }
}
