package io.holdfast.lock.engine.wait;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.engine.ScriptedBackend;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.step.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who has had the lock lets others go first, and does not wait for those who never come. */
class CourtesyTest {

    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private static final Outcome.Granted GRANTED =
            new Outcome.Granted(1, StoreLease.asked(new Store(0, new ScriptedBackend())));

    private long now;

    @Test
    void aTurnHasItsBounds() {
        Courtesy turns = new Courtesy(now, false);
        for (int i = 0; i < 32; i++) {
            assertThat(turns.mayGoOn(now)).isTrue();
            turns.handedOver(Outcome.Others.NONE, now);
        }
        assertThat(turns.mayGoOn(now)).isFalse();

        turns.granted(GRANTED, now);
        assertThat(turns.mayGoOn(now)).isTrue();
        now += TimeUnit.MILLISECONDS.toNanos(50);
        assertThat(turns.mayGoOn(now)).isFalse();
    }

    @Test
    void aTurnIsShorterWhereOthersAreTold() {
        Courtesy turns = new Courtesy(now, false);
        release(turns, 1);
        turns.granted(GRANTED, now);
        for (int i = 0; i < 16; i++) {
            assertThat(turns.mayGoOn(now)).isTrue();
            turns.handedOver(Outcome.Others.NONE, now);
        }
        assertThat(turns.mayGoOn(now)).isFalse();

        release(turns, 0);
        turns.granted(GRANTED, now);
        for (int i = 0; i < 32; i++) {
            assertThat(turns.mayGoOn(now)).isTrue();
            turns.handedOver(Outcome.Others.NONE, now);
        }
        assertThat(turns.mayGoOn(now)).isFalse();
    }

    @Test
    void aTurnBesideRedissonsClientsIsAsLongAsTheirs() {
        Courtesy turns = new Courtesy(now, true);
        for (int theirs = 0; theirs <= 5; theirs++) {
            release(turns, 1);
            hear(turns, theirs);
            turns.granted(GRANTED, now);
            assertThat(passesLeft(turns)).as("behind %d of theirs", theirs).isEqualTo(Math.max(0, theirs - 1));
        }
    }

    /** Else two clients that hear each other's turns would take longer ones each time. */
    @Test
    void aTurnIsAsLongAsThatOfOneOtherNotOfAll() {
        Courtesy turns = new Courtesy(now, true);
        release(turns, 3);
        hear(turns, 6);
        turns.granted(GRANTED, now);

        assertThat(passesLeft(turns)).isEqualTo(1);
    }

    @Test
    void whereNobodyElseListensRedissonsKeysMakeNoDifference() {
        Courtesy turns = new Courtesy(now, true);
        assertThat(passesLeft(turns)).isEqualTo(32);

        release(turns, 0);
        turns.granted(GRANTED, now);
        assertThat(passesLeft(turns)).isEqualTo(32);
        assertThat(turns.pauseNanos(now)).isZero();
    }

    @Test
    void whoSharesWithRedissonWaitsLongerAndForOneTurnOnly() {
        Courtesy turns = new Courtesy(now, true);
        release(turns, 1);

        assertThat(turns.pauseNanos(now)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
        hear(turns, 1);
        assertThat(turns.pauseNanos(now)).isZero();
    }

    @Test
    void aRequestThatFollowsAReleaseGoesOnWithTheTurn() {
        Courtesy turns = new Courtesy(now, false);
        for (int i = 0; i < 32; i++) {
            turns.followed();
            turns.granted(GRANTED, now);
        }

        assertThat(turns.mayGoOn(now)).isFalse();
    }

    @Test
    void whoHadNoTurnAsksAtOnce() {
        Courtesy turns = new Courtesy(now, false);
        turns.heard();

        assertThat(turns.pauseNanos(now)).isZero();
    }

    @Test
    void whoHadATurnWaitsForEachOther() {
        Courtesy turns = new Courtesy(now, false);
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
        Courtesy turns = new Courtesy(now, false);
        release(turns, 3);

        now += TimeUnit.SECONDS.toNanos(1);

        assertThat(turns.pauseNanos(now)).isZero();
    }

    @Test
    void whoIsAloneWaitsForNobody() {
        Courtesy turns = new Courtesy(now, false);
        release(turns, 0);

        assertThat(turns.letsOthersGo()).isFalse();
        assertThat(turns.pauseNanos(now)).isZero();
    }

    @Test
    void thePauseIsShortHoweverManyListen() {
        Courtesy turns = new Courtesy(now, false);
        haveTurns(turns, 500, 500);
        release(turns, 500);

        assertThat(turns.pauseNanos(now)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(2));
    }

    @Test
    void thoseWhoListenAndDoNotComeAreNotWaitedFor() {
        Courtesy turns = new Courtesy(now, false);
        haveTurns(turns, 50, 50);
        long paused = 0;

        for (int i = 0; i < 20; i++) {
            release(turns, 50);
            turns.heard();
            paused += turns.pauseNanos(now);
            turns.granted(GRANTED, now);
        }

        assertThat(paused).as("one of fifty comes").isLessThan(TimeUnit.MILLISECONDS.toNanos(10));
    }

    /** A server tells of releases in the same order each time, and who is told first would win each time. */
    @Test
    void fourClientsHaveTheLockInTurn() {
        List<Courtesy> clients = new ArrayList<>();
        int[] turnsHad = new int[4];
        for (int i = 0; i < 4; i++) {
            clients.add(new Courtesy(now, false));
        }
        Courtesy holder = clients.get(0);
        for (int i = 0; i < 400; i++) {
            now += TURN_NANOS;
            holder.releasing(now);
            holder.released(new Outcome.Applied(4, false), true);
            clients.forEach(Courtesy::heard);
            holder = clients.stream()
                    .min(Comparator.comparingLong(each -> each.pauseNanos(now)))
                    .orElseThrow();
            holder.granted(GRANTED, now);
            turnsHad[clients.indexOf(holder)]++;
        }
        assertThat(turnsHad).satisfies(had -> {
            for (int each : had) {
                assertThat(each).isBetween(90, 110);
            }
        });
    }

    /** Teaches it how many there are. */
    private void haveTurns(Courtesy turns, int rivals, int others) {
        for (int i = 0; i < rivals; i++) {
            release(turns, others);
            for (int each = 0; each < others; each++) {
                turns.heard();
            }
            turns.pauseNanos(now);
            turns.granted(GRANTED, now);
        }
    }

    private static void hear(Courtesy turns, int releases) {
        for (int i = 0; i < releases; i++) {
            turns.heard();
        }
    }

    /** Uses up the turn. */
    private int passesLeft(Courtesy turns) {
        int passes = 0;
        while (turns.mayGoOn(now)) {
            turns.handedOver(Outcome.Others.NONE, now);
            passes++;
        }
        return passes;
    }

    private void release(Courtesy turns, int others) {
        turns.releasing(now);
        turns.released(new Outcome.Applied(others + 1, false), true);
        turns.heard();
    }
}
