package io.holdfast.lock.engine.kind;

import static io.holdfast.lock.engine.kind.ScriptRun.CLOCK;
import static io.holdfast.lock.engine.kind.ScriptRun.LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisTest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What joining a hold does on a real server, branch by branch (rule 73). */
@RedisTest
class JoinScriptTest {
    private static final long TOKEN = 1_700_000_000_000_000L;
    private static final long JOINED = 1;
    private static final long REFUSED = 0;

    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    @Test
    void aFreeLockIsGivenToTheHoldWithItsCountTokenAndLease() {
        assertThat(join("a:1:1", 3, 10_000)).containsExactly(JOINED, 0L);

        assertThat(redis.map("HGETALL", LOCK))
                .containsEntry("a:1:1", "3")
                .containsEntry("token", "" + TOKEN)
                .hasSize(2);
        assertThat(scripts.timeToLiveMillis()).isBetween(9_000L, 10_000L);
        assertThat(redis.text("GET", CLOCK)).isEqualTo("" + TOKEN);
    }

    @Test
    void anotherFieldsLockIsRefusedWithItsTimeToLiveAndLeftAlone() {
        String kept = scripts.acquire("b:1:1", 5_000).get(1).toString();

        List<Long> reply = join("a:1:1", 1, 60_000);

        assertThat(reply.get(0)).isEqualTo(REFUSED);
        assertThat(reply.get(1)).isBetween(4_000L, 5_000L);
        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("b:1:1", "token");
        assertThat(scripts.keptToken()).isEqualTo(kept);
        assertThat(redis.text("GET", CLOCK)).isEqualTo(kept);
        assertThat(scripts.timeToLiveMillis()).isLessThanOrEqualTo(5_000);
    }

    @Test
    void anotherFieldsLockWithoutExpiryIsRefusedWithMinusOne() {
        redis.command("HSET", LOCK, "b:1:1", "1");

        assertThat(join("a:1:1", 1, 5_000)).containsExactly(REFUSED, -1L);

        assertThat(scripts.timeToLiveMillis()).isEqualTo(-1);
    }

    @Test
    void theFieldsOwnLockGetsTheCountAndTheTokenOfTheHold() {
        scripts.acquire("a:1:1", 5_000);

        assertThat(join("a:1:1", 2, 60_000)).containsExactly(JOINED, 0L);

        assertThat(redis.map("HGETALL", LOCK))
                .containsEntry("a:1:1", "2")
                .containsEntry("token", "" + TOKEN)
                .hasSize(2);
        assertThat(scripts.timeToLiveMillis()).isBetween(59_000L, 60_000L);
    }

    @Test
    void aLongerTimeToLiveOfTheFieldIsNeverLowered() {
        scripts.acquire("a:1:1", 60_000);

        assertThat(join("a:1:1", 1, 5_000)).containsExactly(JOINED, 0L);

        assertThat(scripts.timeToLiveMillis()).isBetween(55_000L, 60_000L);
    }

    @Test
    void theFieldsOwnLockWithoutExpiryStaysWithoutOne() {
        redis.command("HSET", LOCK, "a:1:1", "1");

        assertThat(join("a:1:1", 1, 5_000)).containsExactly(JOINED, 0L);

        assertThat(scripts.timeToLiveMillis()).isEqualTo(-1);
    }

    @Test
    void aClockBehindTheTokenIsMovedToIt() {
        redis.command("SET", CLOCK, "" + (TOKEN - 1));

        join("a:1:1", 1, 5_000);

        assertThat(redis.text("GET", CLOCK)).isEqualTo("" + TOKEN);
    }

    @Test
    void aClockAheadOfTheTokenIsNeverMovedBack() {
        redis.command("SET", CLOCK, "" + (TOKEN + 1));

        join("a:1:1", 1, 5_000);

        assertThat(redis.text("GET", CLOCK)).isEqualTo("" + (TOKEN + 1));
        assertThat(scripts.keptToken())
                .as("the hold's own token, whatever came after it here")
                .isEqualTo("" + TOKEN);
    }

    @Test
    void withoutAPlaceForTheTokenTheHashHoldsTheFieldOnly() {
        assertThat(joinWithoutToken("a:1:1")).containsExactly(JOINED, 0L);
        assertThat(joinWithoutToken("a:1:1")).containsExactly(JOINED, 0L);

        assertThat(redis.map("HGETALL", LOCK)).containsEntry("a:1:1", "1").hasSize(1);
        assertThat(redis.text("GET", CLOCK)).isEqualTo("" + TOKEN);
    }

    @Test
    void theTokenClockNeverExpires() {
        join("a:1:1", 1, 5_000);

        assertThat(redis.integer("PTTL", CLOCK)).isEqualTo(-1);
    }

    private List<Long> join(String field, int count, long leaseMillis) {
        return scripts.join(field, count, leaseMillis, 1, TOKEN);
    }

    /** As a lock in the redisson scheme, whose hash has no place for the token. */
    private List<Long> joinWithoutToken(String field) {
        return scripts.join(field, 1, 5_000, 0, TOKEN);
    }
}
