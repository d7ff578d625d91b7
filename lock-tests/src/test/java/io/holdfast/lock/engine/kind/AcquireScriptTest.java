package io.holdfast.lock.engine.kind;

import static io.holdfast.lock.engine.kind.ScriptRun.CLOCK;
import static io.holdfast.lock.engine.kind.ScriptRun.GRANTED;
import static io.holdfast.lock.engine.kind.ScriptRun.LOCK;
import static io.holdfast.lock.engine.kind.ScriptRun.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisTest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What acquiring and re-entering do on a real server, branch by branch. */
@RedisTest
class AcquireScriptTest {
    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    @Test
    void aFreeLockIsGrantedWithATokenAndALease() {
        List<Long> reply = scripts.acquire("a:1:1", 5_000);

        assertThat(reply.get(0)).isEqualTo(GRANTED);
        assertThat(redis.map("HGETALL", LOCK))
                .containsEntry("a:1:1", "1")
                .containsEntry("token", reply.get(1).toString())
                .hasSize(2);
        assertThat(scripts.timeToLiveMillis()).isBetween(4_000L, 5_000L);
    }

    @Test
    void aHeldLockIsRefusedWithItsTimeToLiveAndLeftAlone() {
        scripts.acquire("a:1:1", 5_000);

        List<Long> reply = scripts.acquire("b:1:1", 60_000);

        assertThat(reply.get(0)).isEqualTo(REFUSED);
        assertThat(reply.get(1)).isBetween(4_000L, 5_000L);
        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("a:1:1", "token");
        assertThat(scripts.timeToLiveMillis()).isLessThanOrEqualTo(5_000);
    }

    @Test
    void aLockWithoutExpiryIsRefusedWithMinusOne() {
        redis.command("HSET", LOCK, "somebody", "1");

        assertThat(scripts.acquire("a:1:1", 5_000)).containsExactly(REFUSED, -1L);
        assertThat(scripts.timeToLiveMillis()).isEqualTo(-1);
    }

    @Test
    void aRepeatedRequestIsGrantedAgainWithTheSameTokenAndCount() {
        List<Long> first = scripts.acquire("a:1:1", 5_000);

        assertThat(scripts.acquire("a:1:1", 5_000)).isEqualTo(first);
        assertThat(redis.text("HGET", LOCK, "a:1:1")).isEqualTo("1");
    }

    @Test
    void aRepeatedRequestRaisesTheTimeToLiveAndNeverLowersIt() {
        scripts.acquire("a:1:1", 5_000);

        scripts.acquire("a:1:1", 20_000);
        assertThat(scripts.timeToLiveMillis()).isBetween(19_000L, 20_000L);

        scripts.acquire("a:1:1", 1_000);
        assertThat(scripts.timeToLiveMillis()).isBetween(18_000L, 20_000L);
    }

    @Test
    void withoutAPlaceForTheTokenTheHashHoldsTheFieldOnly() {
        List<Long> first = scripts.acquireWithoutToken("a:1:1", 5_000);
        List<Long> repeated = scripts.acquireWithoutToken("a:1:1", 5_000);

        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("a:1:1");
        assertThat(repeated.get(0)).isEqualTo(GRANTED);
        assertThat(repeated.get(1)).isGreaterThan(first.get(1));
    }

    @Test
    void tokensIncreaseFromOneAcquisitionToTheNext() {
        long last = 0;
        for (int i = 1; i <= 200; i++) {
            long token = scripts.acquire("a:1:" + i, 5_000).get(1);
            assertThat(token).isGreaterThan(last);
            last = token;
            scripts.release("a:1:" + i, 0);
        }
    }

    @Test
    void tokensAreTheServersTimeInMicroseconds() {
        List<String> time = redis.list("TIME");
        long micros = Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));

        assertThat(scripts.acquire("a:1:1", 5_000).get(1)).isBetween(micros, micros + 60_000_000);
    }

    @Test
    void aClockAheadOfTheServersTimeIsCountedOn() {
        redis.command("SET", CLOCK, "8999999999999998");

        assertThat(scripts.acquire("a:1:1", 5_000)).containsExactly(GRANTED, 8_999_999_999_999_999L);
        assertThat(redis.text("GET", CLOCK)).isEqualTo("8999999999999999");
        assertThat(scripts.keptToken()).isEqualTo("8999999999999999");
    }

    @Test
    void tokensAreWrittenAsPlainDigits() {
        scripts.acquire("a:1:1", 5_000);

        assertThat(scripts.keptToken()).matches("\\d{16}").isEqualTo(redis.text("GET", CLOCK));
    }

    @Test
    void theTokenClockNeverExpires() {
        scripts.acquire("a:1:1", 5_000);

        assertThat(redis.integer("PTTL", CLOCK)).isEqualTo(-1);
    }

    @Test
    void reenteringSetsTheCountAndRaisesTheTimeToLive() {
        List<Long> granted = scripts.acquire("a:1:1", 5_000);

        assertThat(scripts.reenter("a:1:1", 2, 20_000)).isEqualTo(1);

        assertThat(redis.text("HGET", LOCK, "a:1:1")).isEqualTo("2");
        assertThat(scripts.keptToken()).isEqualTo(granted.get(1).toString());
        assertThat(scripts.timeToLiveMillis()).isBetween(19_000L, 20_000L);
    }

    @Test
    void reenteringTwiceWithTheSameCountCountsOnce() {
        scripts.acquire("a:1:1", 5_000);
        scripts.reenter("a:1:1", 2, 5_000);

        assertThat(scripts.reenter("a:1:1", 2, 1_000)).isEqualTo(1);

        assertThat(redis.text("HGET", LOCK, "a:1:1")).isEqualTo("2");
        assertThat(scripts.timeToLiveMillis()).isGreaterThan(4_000);
    }

    @Test
    void reenteringCreatesNeitherAKeyNorAField() {
        assertThat(scripts.reenter("a:1:1", 2, 5_000)).isZero();
        assertThat(redis.list("KEYS", "*")).isEmpty();

        scripts.acquire("b:1:1", 5_000);
        assertThat(scripts.reenter("a:1:1", 2, 20_000)).isZero();
        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("b:1:1", "token");
        assertThat(scripts.timeToLiveMillis()).isLessThanOrEqualTo(5_000);
    }
}
