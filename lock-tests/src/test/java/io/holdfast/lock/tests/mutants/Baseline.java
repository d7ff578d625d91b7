package io.holdfast.lock.tests.mutants;

import io.holdfast.lock.tests.mutants.Killer.Simulated;
import io.holdfast.lock.tests.mutants.Killer.Tested;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the unchanged code has to pass before mutants are hunted: all that is set on any of them. A killer that kills the
 * healthy too proves nothing.
 */
record Baseline(List<Mutant> mutants) {

    List<Tested> tests() {
        return mutants.stream()
                .map(Mutant::killer)
                .filter(Tested.class::isInstance)
                .map(Tested.class::cast)
                .distinct()
                .toList();
    }

    /** A healthy one for each workload, with as many seeds as any mutant gets. */
    List<Mutant> simulated() {
        Map<String, Long> seeds = new LinkedHashMap<>();
        for (Mutant mutant : mutants) {
            if (mutant.killer() instanceof Simulated simulated) {
                seeds.merge(simulated.workload(), simulated.seeds(), Math::max);
            }
        }
        List<Mutant> healthy = new ArrayList<>();
        seeds.forEach((workload, most) -> healthy.add(healthy(new Simulated(workload, most))));
        return healthy;
    }

    /** A mutant without a change. */
    static Mutant healthy(Killer killer) {
        String name = "unchanged-" + (killer instanceof Simulated simulated ? simulated.workload() : "tests");
        return new Mutant(name, 0, "nothing", "no failure", killer, "", new Patch(Map.of()));
    }
}
