package io.holdfast.lock.tests.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What a correct lock does is let through, whatever overlaps; one change that matters is found out. */
@Tag("proof")
class LinearizabilityPropertyTest {

    private static final int CALLS = 60;
    /** So few that all their orders can be tried. */
    private static final int FEW_CALLS = 11;

    @Property(tries = 500, shrinking = ShrinkingMode.OFF)
    void historiesOfACorrectLockArePossible(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int owners, @ForAll Model model) {
        // A reentrant lock's history is no history of one that is not.
        Model judge = model == Model.REENTRANT_MUTEX ? model : Model.REENTRANT_FENCED_MUTEX;
        Linearizability.require(judge, History.of(new ReferenceLock(seed).history(CALLS, owners)));
    }

    @Property(tries = 500, shrinking = ShrinkingMode.OFF)
    void aCorruptedHistoryIsImpossible(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 6) int owners,
            @ForAll @IntRange(max = CALLS / 2) int at,
            @ForAll Corruption corruption) {
        List<Operation> history = new ReferenceLock(seed).history(CALLS, owners);
        Optional<List<Operation>> corrupted = corruption.of(history, at);
        corrupted.ifPresent(
                changed -> assertThat(Linearizability.check(Model.REENTRANT_FENCED_MUTEX, History.of(changed)))
                        .as(() -> corruption + " in " + String.join("\n", lines(changed)))
                        .hasSize(1));
    }

    /** What the search leaves out to be quick makes no difference. */
    @Property(tries = 2_000, shrinking = ShrinkingMode.OFF)
    void theSearchAgreesWithTryingEveryOrder(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 4) int owners,
            @ForAll @IntRange(max = 3) int changes,
            @ForAll Model model) {
        Random random = new Random(seed);
        List<Operation> calls = new ReferenceLock(seed).history(FEW_CALLS, owners);
        for (int i = 0; i < changes; i++) {
            int place = random.nextInt(FEW_CALLS);
            calls.set(place, changed(calls.get(place), random));
        }
        History history = History.of(calls);
        assertThat(Linearizability.check(model, history).isEmpty())
                .as(() -> "as " + model + ": " + String.join("\n", lines(calls)))
                .isEqualTo(new EveryOrder(model, history).isPossible());
    }

    /** Another answer, or other times: the history may be possible or not. */
    private static Operation changed(Operation call, Random random) {
        int lot = random.nextInt(6);
        return new Operation(
                call.number(),
                call.lock(),
                call.owner(),
                call.call(),
                lot == 0 ? Outcome.values()[random.nextInt(Outcome.values().length)] : call.outcome(),
                lot == 1 ? call.invokedNanos() - random.nextInt(20) : call.invokedNanos(),
                lot == 2 ? call.completedNanos() + random.nextInt(30) : call.completedNanos(),
                lot == 3 ? Math.max(0, call.token() + random.nextInt(3) - 1) : call.token(),
                lot == 4 ? Math.max(0, call.count() + random.nextInt(3) - 1) : call.count(),
                lot == 5 ? call.validUntilNanos() + random.nextInt(40) - 20 : call.validUntilNanos());
    }

    /** A corruption that can hardly ever be made would prove nothing. */
    @Test
    void everyCorruptionCanBeMade() {
        Map<Corruption, Integer> made = new EnumMap<>(Corruption.class);
        for (int seed = 0; seed < 100; seed++) {
            List<Operation> history = new ReferenceLock(seed).history(CALLS, 4);
            for (Corruption corruption : Corruption.values()) {
                made.merge(corruption, corruption.of(history, 0).isPresent() ? 1 : 0, Integer::sum);
            }
        }
        assertThat(made.values()).as(made::toString).allMatch(count -> count >= 30);
    }

    private static List<String> lines(List<Operation> history) {
        return history.stream().map(operation -> operation.line(0)).toList();
    }
}
