package io.holdfast.lock.engine.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who has had the lock lets others go first, and does not wait for those who never come. */
class TurnsTest {

    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private long now;

    @Test
    void aTurnHasItsBounds() {
        Turns turns = new Turns(now, false);
        for (int i = 0; i < 32; i++) {
            assertThat(turns.mayGoOn(now)).isTrue();
            turns.handedOver();
        }
        assertThat(turns.mayGoOn(now)).isFalse();

        turns.granted(now);
        assertThat(turns.mayGoOn(now)).isTrue();
        now += TimeUnit.MILLISECONDS.toNanos(50);
        assertThat(turns.mayGoOn(now)).isFalse();
    }

    @Test
    void aTurnIsShorterWhereOthersAreTold() {
        Turns turns = new Turns(now, false);
        release(turns, 1);
        turns.granted(now);
        for (int i = 0; i < 16; i++) {
            assertThat(turns.mayGoOn(now)).isTrue();
            turns.handedOver();
        }
        assertThat(turns.mayGoOn(now)).isFalse();

        release(turns, 0);
        turns.granted(now);
        for (int i = 0; i < 32; i++) {
            assertThat(turns.mayGoOn(now)).isTrue();
            turns.handedOver();
        }
        assertThat(turns.mayGoOn(now)).isFalse();
    }

    @Test
    void aTurnBesideRedissonsClientsIsAsLongAsTheirs() {
        Turns turns = new Turns(now, true);
        for (int theirs = 0; theirs <= 5; theirs++) {
            release(turns, 1);
            hear(turns, theirs);
            turns.granted(now);
            assertThat(passesLeft(turns)).as("behind %d of theirs", theirs).isEqualTo(Math.max(0, theirs - 1));
        }
    }

    /** Else two clients that hear each other's turns would take longer ones each time. */
    @Test
    void aTurnIsAsLongAsThatOfOneOtherNotOfAll() {
        Turns turns = new Turns(now, true);
        release(turns, 3);
        hear(turns, 6);
        turns.granted(now);

        assertThat(passesLeft(turns)).isEqualTo(1);
    }

    @Test
    void whereNobodyElseListensRedissonsKeysMakeNoDifference() {
        Turns turns = new Turns(now, true);
        assertThat(passesLeft(turns)).isEqualTo(32);

        release(turns, 0);
        turns.granted(now);
        assertThat(passesLeft(turns)).isEqualTo(32);
        assertThat(turns.pauseNanos(now)).isZero();
    }

    @Test
    void whoSharesWithRedissonWaitsLongerAndForOneTurnOnly() {
        Turns turns = new Turns(now, true);
        release(turns, 1);

        assertThat(turns.pauseNanos(now)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
        hear(turns, 1);
        assertThat(turns.pauseNanos(now)).isZero();
    }

    @Test
    void aRequestThatFollowsAReleaseGoesOnWithTheTurn() {
        Turns turns = new Turns(now, false);
        for (int i = 0; i < 32; i++) {
            turns.followed();
            turns.granted(now);
        }

        assertThat(turns.mayGoOn(now)).isFalse();
    }

    @Test
    void whoHadNoTurnAsksAtOnce() {
        Turns turns = new Turns(now, false);
        turns.heard();

        assertThat(turns.pauseNanos(now)).isZero();
    }

    @Test
    void whoHadATurnWaitsForEachOther() {
        Turns turns = new Turns(now, false);
        haveTurns(turns, 3, 3);

        release(turns, 3);
        assertThat(turns.pauseNanos(now)).isEqualTo(TimeUnit.MICROSECONDS.toNanos(900));
        turns.heard();
        assertThat(turns.pauseNanos(now)).isEqualTo(TimeUnit.MICROSECONDS.toNanos(600));
        turns.heard();
        turns.heard();
        assertThat(turns.pauseNanos(now)).isZero();
    }

    @Test
    void aTurnLongAgoIsForgotten() {
        Turns turns = new Turns(now, false);
        release(turns, 3);

        now += TimeUnit.SECONDS.toNanos(1);

        assertThat(turns.pauseNanos(now)).isZero();
    }

    @Test
    void whoIsAloneWaitsForNobody() {
        Turns turns = new Turns(now, false);
        release(turns, 0);

        assertThat(turns.hasOthers()).isFalse();
        assertThat(turns.pauseNanos(now)).isZero();
    }

    @Test
    void thePauseIsShortHoweverManyListen() {
        Turns turns = new Turns(now, false);
        haveTurns(turns, 500, 500);
        release(turns, 500);

        assertThat(turns.pauseNanos(now)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(2));
    }

    @Test
    void thoseWhoListenAndDoNotComeAreNotWaitedFor() {
        Turns turns = new Turns(now, false);
        haveTurns(turns, 50, 50);
        long paused = 0;

        for (int i = 0; i < 20; i++) {
            release(turns, 50);
            turns.heard();
            paused += turns.pauseNanos(now);
            turns.granted(now);
        }

        assertThat(paused).as("one of fifty comes").isLessThan(TimeUnit.MILLISECONDS.toNanos(10));
    }

    /** A server tells of releases in the same order each time, and who is told first would win each time. */
    @Test
    void fourClientsHaveTheLockInTurn() {
        List<Turns> clients = new ArrayList<>();
        int[] turnsHad = new int[4];
        for (int i = 0; i < 4; i++) {
            clients.add(new Turns(now, false));
        }
        Turns holder = clients.get(0);
        for (int i = 0; i < 400; i++) {
            now += TURN_NANOS;
            holder.releasing(now);
            holder.released(4, true);
            clients.forEach(Turns::heard);
            holder = clients.stream()
                    .min(Comparator.comparingLong(each -> each.pauseNanos(now)))
                    .orElseThrow();
            holder.granted(now);
            turnsHad[clients.indexOf(holder)]++;
        }
        assertThat(turnsHad).satisfies(had -> {
            for (int each : had) {
                assertThat(each).isBetween(90, 110);
            }
        });
    }

    /** Teaches it how many there are. */
    private void haveTurns(Turns turns, int rivals, int others) {
        for (int i = 0; i < rivals; i++) {
            release(turns, others);
            for (int each = 0; each < others; each++) {
                turns.heard();
            }
            turns.pauseNanos(now);
            turns.granted(now);
        }
    }

    private static void hear(Turns turns, int releases) {
        for (int i = 0; i < releases; i++) {
            turns.heard();
        }
    }

    /** Uses up the turn. */
    private int passesLeft(Turns turns) {
        int passes = 0;
        while (turns.mayGoOn(now)) {
            turns.handedOver();
            passes++;
        }
        return passes;
    }

    private void release(Turns turns, int others) {
        turns.releasing(now);
        turns.released(others + 1, true);
        turns.heard();
    }
}
