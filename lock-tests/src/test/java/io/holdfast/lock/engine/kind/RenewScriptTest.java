package io.holdfast.lock.engine.kind;

import static io.holdfast.lock.engine.kind.ScriptRun.CHANNEL;
import static io.holdfast.lock.engine.kind.ScriptRun.LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What renewing, looking and the guard of fenced values do on a real server, branch by branch. */
@RedisTest
class RenewScriptTest {
    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    @Test
    void renewingRaisesTheTimeToLiveAndNothingElse() {
        List<Long> granted = scripts.acquire("a:1:1", 5_000);

        assertThat(scripts.renew("a:1:1", 20_000)).containsExactly(1L);

        assertThat(scripts.timeToLiveMillis()).isBetween(19_000L, 20_000L);
        assertThat(redis.map("HGETALL", LOCK))
                .containsEntry("a:1:1", "1")
                .containsEntry("token", granted.get(1).toString())
                .hasSize(2);
    }

    @Test
    void renewingNeverLowersTheTimeToLive() {
        scripts.acquire("a:1:1", 20_000);

        assertThat(scripts.renew("a:1:1", 1)).containsExactly(1L);
        assertThat(scripts.timeToLiveMillis()).isBetween(19_000L, 20_000L);
    }

    @Test
    void renewingGivesALockWithoutExpiryNone() {
        redis.command("HSET", LOCK, "a:1:1", "1");

        assertThat(scripts.renew("a:1:1", 5_000)).containsExactly(1L);
        assertThat(scripts.timeToLiveMillis()).isEqualTo(-1);
    }

    @Test
    void renewingCreatesNothingAndLeavesASuccessorAlone() {
        assertThat(scripts.renew("a:1:1", 20_000)).containsExactly(0L);
        assertThat(redis.list("KEYS", "*")).isEmpty();

        scripts.acquire("b:1:1", 5_000);
        assertThat(scripts.renew("a:1:1", 20_000)).containsExactly(0L);
        assertThat(scripts.timeToLiveMillis()).isLessThanOrEqualTo(5_000);
    }

    @Test
    void renewingManyAnswersForEachInTurn() {
        redis.command("HSET", "one", "a", "1");
        redis.command("PEXPIRE", "one", "5000");
        redis.command("HSET", "three", "c", "1");
        redis.command("PEXPIRE", "three", "5000");

        assertThat(scripts.renew(List.of("one", "two", "three"), "a", 20_000, "b", 20_000, "c", 30_000))
                .containsExactly(1L, 0L, 1L);

        assertThat(redis.integer("PTTL", "one")).isBetween(19_000L, 20_000L);
        assertThat(redis.integer("PTTL", "three")).isBetween(29_000L, 30_000L);
    }

    @Test
    void aKeyOfAnotherTypeDoesNotSpoilTheRenewalOfTheOthers() {
        redis.command("SET", "intruder", "text");
        scripts.acquire("a:1:1", 5_000);

        assertThat(scripts.renew(List.of("intruder", LOCK), "x", 20_000, "a:1:1", 20_000))
                .containsExactly(0L, 1L);

        assertThat(scripts.timeToLiveMillis()).isBetween(19_000L, 20_000L);
        assertThat(redis.text("GET", "intruder")).isEqualTo("text");
    }

    @Test
    void lookingAtAFreeLockShowsThatItIsFree() {
        assertThat(scripts.inspect()).isEqualTo(List.of(-2L, 0L));
    }

    @Test
    void lookingAtAHeldLockShowsItsTimeToLiveItsListenersAndItsFields(RedisServer server) {
        List<Long> granted = scripts.acquire("a:1:1", 5_000);
        try (RawRedis waiter = server.connect()) {
            waiter.command("SUBSCRIBE", CHANNEL);

            List<?> seen = scripts.inspect();

            assertThat((Long) seen.get(0)).isBetween(4_000L, 5_000L);
            assertThat(seen.get(1)).isEqualTo(1L);
            assertThat(seen.subList(2, seen.size()).stream().map(Object::toString))
                    .containsExactlyInAnyOrder(
                            "a:1:1", "1", "token", granted.get(1).toString());
        }
    }

    @Test
    void aFencedValueRefusesAnOlderTokenOnly() {
        assertThat(scripts.fencedSet(8_999_999_999_999_998L, "first")).isEqualTo(1);
        assertThat(scripts.fencedSet(8_999_999_999_999_997L, "stale")).isZero();
        assertThat(scripts.fencedSet(8_999_999_999_999_998L, "same holder")).isEqualTo(1);
        assertThat(scripts.fencedSet(8_999_999_999_999_999L, "next holder")).isEqualTo(1);

        assertThat(redis.map("HGETALL", "holdfast:fenced:{price}"))
                .containsEntry("token", "8999999999999999")
                .containsEntry("value", "next holder");
    }

    @Test
    void aFencedValueThatWasNeverWrittenIsNothing() {
        assertThat(scripts.run(Scripts.FENCED_GET, List.of("holdfast:fenced:{price}"), "0", "100"))
                .isNull();

        scripts.fencedSet(1, "ten");
        assertThat(scripts.run(Scripts.FENCED_GET, List.of("holdfast:fenced:{price}"), "0", "100"))
                .isEqualTo("ten");
    }

    @Test
    void aReadUnderATokenRefusesOlderWritesFromThenOn() {
        scripts.fencedSet(5, "ten");
        assertThat(scripts.run(Scripts.FENCED_GET, List.of("holdfast:fenced:{price}"), "7", "100"))
                .isEqualTo("ten");

        assertThat(scripts.fencedSet(6, "stale")).isZero();
        assertThat(scripts.run(Scripts.FENCED_GET, List.of("holdfast:fenced:{price}"), "3", "100"))
                .isEqualTo("ten");
        assertThat(scripts.fencedSet(6, "still stale")).isZero();
        assertThat(scripts.fencedSet(7, "nine")).isEqualTo(1);
    }

    @Test
    void aFencedValueThatIsTooLongStaysAndTheReadDoesNotCount() {
        scripts.fencedSet(5, "ten");
        assertThat(scripts.run(Scripts.FENCED_GET, List.of("holdfast:fenced:{price}"), "7", "2"))
                .isEqualTo(List.of(3L));
        assertThat(scripts.fencedSet(6, "nine")).isEqualTo(1);
    }

    @Test
    void lookingAtWhatIsNoLockShowsNoneOfIt() {
        redis.command("HSET", LOCK, "a:1:1", "1", "mode", "read", "b:1:1", "9".repeat(19), "x".repeat(257), "1");
        assertThat(scripts.inspect()).isEqualTo(List.of(-1L, 0L, "a:1:1", "1"));
    }

    @Test
    void lookingAtAKeyOfManyFieldsShowsThatItIsTaken() {
        for (int i = 0; i <= 100; i++) {
            redis.command("HSET", LOCK, "a:1:" + i, "1");
        }
        assertThat(scripts.inspect()).isEqualTo(List.of(-1L, 0L));
    }
}
