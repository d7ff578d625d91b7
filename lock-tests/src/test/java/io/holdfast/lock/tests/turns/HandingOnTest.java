package io.holdfast.lock.tests.turns;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hot lock that a client hands on among its own calls, at a real server, and what other clients get of it (rules 100 to 117). */
class HandingOnTest extends ServerTest {

    private static final String HOT = "hot";
    private static final int MANY = 2_000;

    private final HotClient.Site site = new HotClient.Site();

    @Test
    void clientsHaveTheLockOneAfterTheOtherAndTokensRise() {
        try (HotClient one = new HotClient(connect(), HOT, site, 4);
                HotClient two = new HotClient(connect(), HOT, site, 4);
                HotClient third = new HotClient(connect(), HOT, site, 1)) {
            eventually(Duration.ofSeconds(20), () -> {
                assertThat(one.grants()).isGreaterThan(MANY);
                assertThat(two.grants()).isGreaterThan(MANY);
                assertThat(third.grants()).isGreaterThan(20);
            });
            assertThat(one.losses() + two.losses() + third.losses()).isZero();
        }
        assertThat(site.broken()).isZero();
    }

    @Test
    void handOversWithinOneClientAreHardlyEverAskedFor() {
        try (HotClient one = new HotClient(connect(), HOT, site, 4)) {
            eventually(() -> assertThat(one.grants()).isGreaterThan(MANY));
            int grantsBefore = one.grants();
            long scriptsBefore = scripts();
            eventually(Duration.ofSeconds(20), () -> assertThat(one.grants() - grantsBefore)
                    .isGreaterThan(MANY));
            // How many depends on how much is done in 50 ms; without handing on it would be one for each.
            assertThat(scripts() - scriptsBefore).isLessThan(MANY / 4);
        }
        assertThat(site.broken()).isZero();
    }

    /** Each of them wants the lock again as soon as it has given it back, which takes longer than the other one has it. */
    @Test
    void twoThreadsHandTheLockOnToo() {
        try (HotClient one = new HotClient(connect(), HOT, site, 2)) {
            eventually(Duration.ofSeconds(20), () -> {
                long scriptsBefore = scripts();
                int grantsBefore = one.grants();
                eventually(Duration.ofSeconds(20), () -> assertThat(one.grants() - grantsBefore)
                        .isGreaterThan(MANY));
                assertThat(scripts() - scriptsBefore).isLessThan(MANY / 4);
            });
        }
        assertThat(site.broken()).isZero();
    }

    /**
     * Again until it was handed on, which it is not where a step took longer than 50 ms. Each time with another lock: of one that
     * was handed on before, the first hand-over need not be asked for either.
     */
    @Test
    void theOwnClientSaysWhichCallHoldsTheLock() throws Exception {
        LockClient own = connect();
        LockClient other = connect();
        boolean handedOn = false;
        for (int round = 0; round < 50 && !handedOn; round++) {
            handedOn = sayWhichCallHoldsTheLock("hot-" + round, own, other);
        }
        assertThat(handedOn).isTrue();
    }

    private static boolean sayWhichCallHoldsTheLock(String name, LockClient own, LockClient other) throws Exception {
        LockHold first = own.getLock(name).acquire();
        var second = own.getLock(name).tryAcquireAsync(Duration.ofSeconds(10));
        var third = own.getLock(name).tryAcquireAsync(Duration.ofSeconds(10));
        eventually(() -> assertThat(own.inspect(name).localWaiters()).isEqualTo(2));
        first.release();
        LockHold granted = Futures.get(second).orElseThrow();
        granted.release();
        try (LockHold present = Futures.get(third).orElseThrow()) {
            LockInfo.Holder seen = own.inspect(name).holders().get(0);
            assertThat(seen.owner()).startsWith(present.owner() + ":");
            assertThat(seen.fencingToken()).hasValue(present.fencingToken());
            assertThat(seen.mayHaveHandedOn()).isFalse();
            LockInfo.Holder seenByOther = other.inspect(name).holders().get(0);
            assertThat(seenByOther.mayHaveHandedOn()).isTrue();
            if (seenByOther.fencingToken().equals(seen.fencingToken())) {
                return false;
            }
            assertThat(seenByOther.owner()).startsWith(granted.owner() + ":");
            assertThat(seenByOther.fencingToken()).hasValue(granted.fencingToken());
            assertThat(seen.since().orElseThrow()).isAfter(seenByOther.since().orElseThrow());
            return true;
        }
    }

    @Test
    void withoutTheOptionEachHandOverIsAskedFor() {
        ClientOptions asking =
                ClientOptions.builder().clientRecord(false).localHandOver(false).build();
        try (HotClient one = new HotClient(connect(asking), HOT, site, 4)) {
            long scriptsBefore = scripts();
            int grantsBefore = one.grants();
            eventually(Duration.ofSeconds(20), () -> assertThat(one.grants() - grantsBefore)
                    .isGreaterThan(MANY));
            int grants = one.grants() - grantsBefore;
            assertThat(scripts() - scriptsBefore).isGreaterThan(grants / 2);
        }
        assertThat(site.broken()).isZero();
    }

    @Test
    void anotherClientHasItsTurn() throws Exception {
        try (HotClient one = new HotClient(connect(), HOT, site, 8)) {
            LockClient other = connect();
            for (int i = 0; i < 50; i++) {
                LockHold hold =
                        other.getLock(HOT).tryAcquire(Duration.ofSeconds(2)).orElseThrow();
                site.enter(hold);
                hold.release();
            }
            assertThat(one.losses()).isZero();
        }
        assertThat(site.broken()).isZero();
    }

    /** As the server makes users by default. */
    @Test
    void aClientWithoutChannelsHasItsTurnToo() throws Exception {
        raw.command("ACL", "SETUSER", "app", "on", ">secret", "+@all", "~*", "resetchannels");
        String url = redis.url().replace("redis://", "redis://app:secret@");
        LockClient deaf = closing(LockClient.connect(
                url, ClientOptions.builder().clientRecord(false).build()));
        try (HotClient one = new HotClient(connect(), HOT, site, 8)) {
            eventually(() -> assertThat(one.grants()).isGreaterThan(MANY));
            for (int i = 0; i < 5; i++) {
                LockHold hold =
                        deaf.getLock(HOT).tryAcquire(Duration.ofSeconds(2)).orElseThrow();
                site.enter(hold);
                hold.release();
            }
        }
        assertThat(site.broken()).isZero();
    }

    @Test
    void aLockThatIsRemovedIsMissedSoon() {
        try (HotClient one = new HotClient(connect(), HOT, site, 4)) {
            eventually(() -> assertThat(one.grants()).isGreaterThan(MANY));
            raw.command("DEL", "holdfast:{hot}");
            eventually(Duration.ofSeconds(2), () -> assertThat(one.losses()).isPositive());
            int grants = one.grants();
            eventually(() -> assertThat(one.grants()).isGreaterThan(grants + MANY));
            assertThat(one.losses()).isOne();
        }
    }

    @Test
    void aLockThatIsFreedByForceIsMissedSoonAndOthersHaveIt() throws Exception {
        LockClient other = connect();
        try (HotClient one = new HotClient(connect(), HOT, site, 4)) {
            eventually(() -> assertThat(one.grants()).isGreaterThan(MANY));
            assertThat(other.getLock(HOT).forceUnlock()).isTrue();
            eventually(Duration.ofSeconds(2), () -> assertThat(one.losses()).isPositive());
        }
        assertThat(other.getLock(HOT).tryLock(1, TimeUnit.SECONDS)).isTrue();
        other.getLock(HOT).unlock();
    }

    @Test
    void itGoesOnAfterARestartWithoutData() {
        try (HotClient one = new HotClient(connect(), HOT, site, 4)) {
            eventually(() -> assertThat(one.grants()).isGreaterThan(MANY));
            redis.kill();
            redis.restart();
            int grants = one.grants();
            eventually(Duration.ofSeconds(20), () -> assertThat(one.grants()).isGreaterThan(grants + MANY));
        }
    }

    @Test
    void aClientThatDiesWithAReservationHoldsUpNoOther() throws Exception {
        LockHold hold = connect().getLock(HOT).acquire();
        raw.command("ZADD", "holdfast:{hot}:turns", "1", "dead");
        raw.command("PEXPIRE", "holdfast:{hot}:turns", "12000");
        LockClient other = connect();
        var waiting = other.getLock(HOT).acquireAsync();
        eventually(() -> assertThat(other.inspect(HOT).localWaiters()).isOne());
        hold.release();

        waiting.get(1, TimeUnit.SECONDS).release();

        assertThat(raw.list("ZRANGE", "holdfast:{hot}:turns", "0", "-1")).isEmpty();
    }

    @Tag("proof")
    @Test
    void aFairCallOfTheSameNameEndsTheTurn() throws Exception {
        LockClient other = connect();
        try (HotClient one = new HotClient(connect(), HOT, site, 4)) {
            eventually(() -> assertThat(one.grants()).isGreaterThan(MANY));
            for (int i = 0; i < 20; i++) {
                assertThat(other.getFairLock(HOT).tryLock(2, TimeUnit.SECONDS)).isTrue();
                other.getFairLock(HOT).unlock();
            }
        }
        assertThat(site.broken()).isZero();
    }
}
