package io.holdfast.lock.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.chaos.RowResult.Verdict;
import io.holdfast.lock.tests.history.Call;
import io.holdfast.lock.tests.history.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the report counts is found in a journal that is written by hand. */
class MeasuresTest {

    private static final Row ROW = new Row("1", "setup", "", "", Set.of(), stage -> {});
    private static final long MILLI = 1_000_000;
    private static final long FOREVER = Long.MAX_VALUE;

    private final List<Seen> seen = new ArrayList<>();
    private int calls;

    /** As Redisson's: nothing is told, and the first owner goes on until its release says that the lock was lost. */
    @Test
    void aLossThatIsNotToldLeavesTwoOwnersUntilTheRelease() {
        hold("a", 7, 0, 100, Outcome.LOST);
        hold("b", 7, 40, 60, Outcome.OK);
        seen.add(new Seen.Fault("failover", Seen.Harm.OUTAGE, 10 * MILLI, 30 * MILLI));

        Measures measures = measured();

        assertThat(measures.twoOwners).isEqualTo(1);
        assertThat(measures.longestTwoOwnersNanos).isEqualTo(59 * MILLI);
        assertThat(measures.tokensBack).isEqualTo(1);
        assertThat(measures.lost).isEqualTo(1);
        assertThat(measures.told).isZero();
        assertThat(measures.longestGapNanos).isEqualTo(40 * MILLI);
        assertThat(measures.longestGapDuring).isEqualTo("failover");
        assertThat(measures.calls).isEqualTo(4);
        assertThat(measures.acquires).containsOnlyKeys(Outcome.OK).containsValue(2L);
    }

    @Test
    void aLossThatIsToldInTimeLeavesOne() {
        hold("a", 7, 0, 100, Outcome.LOST);
        seen.add(new Seen.Told("a", Trial.BRIEFLY_HELD, 7, "FAILED_OVER", 30 * MILLI));
        hold("b", 8, 40, 60, Outcome.OK);

        Measures measures = measured();

        assertThat(measures.twoOwners).isZero();
        assertThat(measures.tokensBack).isZero();
        assertThat(measures.lost).isEqualTo(1);
        assertThat(measures.told).isEqualTo(1);
    }

    @Test
    void aLossThatIsSeenByALookWasNotTold() {
        hold("a", 7, 0, 100, Outcome.LOST);
        seen.add(new Seen.Told("a", Trial.BRIEFLY_HELD, 7, Seen.BY_A_LOOK, 30 * MILLI));

        assertThat(measured().told).isZero();
    }

    private Measures measured() {
        return new Measures(new RowResult(ROW, Verdict.PASSED, 1, 0, 0, List.of(), List.of(), seen, Holds.of(seen)));
    }

    private void hold(String lane, long token, long fromMillis, long toMillis, Outcome released) {
        String grant = ask(lane, Call.ACQUIRE, 0, fromMillis);
        seen.add(new Seen.Answered(grant, Outcome.OK, token, 1, FOREVER, "", (fromMillis + 1) * MILLI));
        String release = ask(lane, Call.RELEASE, token, toMillis);
        seen.add(new Seen.Answered(release, released, 0, 0, 0, "", (toMillis + 1) * MILLI));
    }

    private String ask(String lane, Call call, long token, long millis) {
        String id = lane + "/" + ++calls;
        seen.add(new Seen.Asked(id, lane, Trial.BRIEFLY_HELD, lane, call, token, 5_000, millis * MILLI));
        return id;
    }
}
