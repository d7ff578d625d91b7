package io.holdfast.lock.engine.kind;

import static io.holdfast.lock.engine.kind.ScriptRun.CHANNEL;
import static io.holdfast.lock.engine.kind.ScriptRun.CLOCK;
import static io.holdfast.lock.engine.kind.ScriptRun.GRANTED;
import static io.holdfast.lock.engine.kind.ScriptRun.LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What releasing, handing over and forcing do on a real server, branch by branch. */
@RedisTest
class ReleaseScriptTest {
    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    @Test
    void theLastReleaseFreesTheLockAndTellsWhoeverWaits(RedisServer server) {
        scripts.acquire("a:1:1", 5_000);
        try (RawRedis waiter = listener(server)) {
            assertThat(scripts.release("a:1:1", 0)).containsExactly(1L, 1L);
            assertThat(waiter.receive()).isEqualTo(List.of("message", CHANNEL, "0"));
        }
        assertThat(redis.list("KEYS", "*")).containsExactly(CLOCK);
    }

    @Test
    void aReleaseThatNobodyHearsOfSaysSo() {
        scripts.acquire("a:1:1", 5_000);

        assertThat(scripts.release("a:1:1", 0)).containsExactly(1L, 0L);
    }

    @Test
    void aRepeatedReleaseFindsNothingAndTellsNobody(RedisServer server) {
        scripts.acquire("a:1:1", 5_000);
        scripts.release("a:1:1", 0);
        try (RawRedis waiter = listener(server)) {
            assertThat(scripts.release("a:1:1", 0)).containsExactly(0L, 0L);
            assertThat(redis.integer("PUBLISH", CHANNEL, "probe")).isEqualTo(1);
            assertThat(waiter.receive()).isEqualTo(List.of("message", CHANNEL, "probe"));
        }
    }

    @Test
    void aReleaseLeavesASuccessorAlone() {
        scripts.acquire("b:1:1", 5_000);

        assertThat(scripts.release("a:1:1", 0)).containsExactly(0L, 0L);
        assertThat(scripts.release("a:1:1", 3)).containsExactly(0L, 0L);

        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("b:1:1", "token");
    }

    @Test
    void loweringTheCountLeavesTimeToLiveAndTokenAndTellsNobody(RedisServer server) {
        List<Long> granted = scripts.acquire("a:1:1", 20_000);
        scripts.reenter("a:1:1", 3, 1_000);
        try (RawRedis waiter = listener(server)) {
            assertThat(scripts.release("a:1:1", 2)).containsExactly(1L, 0L);
            assertThat(scripts.release("a:1:1", 2)).containsExactly(1L, 0L);
            redis.command("PUBLISH", CHANNEL, "probe");
            assertThat(waiter.receive()).isEqualTo(List.of("message", CHANNEL, "probe"));
        }
        assertThat(redis.text("HGET", LOCK, "a:1:1")).isEqualTo("2");
        assertThat(scripts.keptToken()).isEqualTo(granted.get(1).toString());
        assertThat(scripts.timeToLiveMillis()).isBetween(19_000L, 20_000L);
    }

    @Test
    void loweringTheCountOfALockWithoutExpiryKeepsItWithoutExpiry() {
        redis.command("HSET", LOCK, "a:1:1", "2");

        assertThat(scripts.release("a:1:1", 1)).containsExactly(1L, 0L);
        assertThat(scripts.timeToLiveMillis()).isEqualTo(-1);
    }

    @Test
    void handingOverMovesTheLockWithANewTokenAndTheReceiversLease() {
        long oldToken = scripts.acquire("a:1:1", 60_000).get(1);

        List<Long> reply = scripts.transfer("a:1:1", "a:2:2", 5_000);

        assertThat(reply.get(0)).isEqualTo(GRANTED);
        assertThat(reply.get(1)).isGreaterThan(oldToken);
        assertThat(redis.map("HGETALL", LOCK))
                .containsEntry("a:2:2", "1")
                .containsEntry("token", reply.get(1).toString())
                .hasSize(2);
        assertThat(scripts.timeToLiveMillis()).isBetween(4_000L, 5_000L);
    }

    @Test
    void handingOverAReentrantHoldHandsOverOneLevel() {
        scripts.acquire("a:1:1", 5_000);
        scripts.reenter("a:1:1", 4, 5_000);

        scripts.transfer("a:1:1", "a:2:2", 5_000);

        assertThat(redis.text("HGET", LOCK, "a:2:2")).isEqualTo("1");
    }

    @Test
    void aRepeatedHandOverAnswersTheSameTokenAndTheLongerTimeToLive() {
        scripts.acquire("a:1:1", 5_000);
        List<Long> first = scripts.transfer("a:1:1", "a:2:2", 20_000);

        assertThat(scripts.transfer("a:1:1", "a:2:2", 1_000)).isEqualTo(first);

        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("a:2:2", "token");
        assertThat(scripts.timeToLiveMillis()).isBetween(19_000L, 20_000L);
    }

    @Test
    void aHandOverOfWhatIsGoneCreatesNothing() {
        assertThat(scripts.transfer("a:1:1", "a:2:2", 5_000)).containsExactly(0L, 0L);
        assertThat(redis.list("KEYS", "*")).isEmpty();

        scripts.acquire("b:1:1", 5_000);
        assertThat(scripts.transfer("a:1:1", "a:2:2", 20_000)).containsExactly(0L, 0L);
        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("b:1:1", "token");
        assertThat(scripts.timeToLiveMillis()).isLessThanOrEqualTo(5_000);
    }

    @Test
    void handingOverTellsNobody(RedisServer server) {
        scripts.acquire("a:1:1", 5_000);
        try (RawRedis waiter = listener(server)) {
            scripts.transfer("a:1:1", "a:2:2", 5_000);
            redis.command("PUBLISH", CHANNEL, "probe");
            assertThat(waiter.receive()).isEqualTo(List.of("message", CHANNEL, "probe"));
        }
    }

    @Test
    void withoutAPlaceForTheTokenAHandOverMovesTheFieldOnly() {
        scripts.acquireWithoutToken("a:1:1", 5_000);

        List<Long> first = scripts.transferWithoutToken("a:1:1", "a:2:2", 5_000);
        List<Long> repeated = scripts.transferWithoutToken("a:1:1", "a:2:2", 5_000);

        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("a:2:2");
        assertThat(repeated.get(1)).isGreaterThan(first.get(1));
    }

    @Test
    void forcingFreesTheLockOfWhoeverHoldsItAndTells(RedisServer server) {
        scripts.acquire("a:1:1", 5_000);
        try (RawRedis waiter = listener(server)) {
            assertThat(scripts.force()).isEqualTo(1);
            assertThat(waiter.receive()).isEqualTo(List.of("message", CHANNEL, "0"));
        }
        assertThat(redis.list("KEYS", "*")).containsExactly(CLOCK);
        assertThat(scripts.force()).isZero();
    }

    private static RawRedis listener(RedisServer server) {
        RawRedis listener = server.connect().timeout(Duration.ofSeconds(5));
        listener.command("SUBSCRIBE", CHANNEL);
        return listener;
    }
}
