package io.holdfast.lock.engine.kind;

import static io.holdfast.lock.engine.kind.ScriptRun.CLOCK;
import static io.holdfast.lock.engine.kind.ScriptRun.COUNTER;
import static io.holdfast.lock.engine.kind.ScriptRun.LOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisErrorReply;
import io.holdfast.lock.testkit.RedisTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the scripts do with the counter of Redisson's fenced locks (rule 90). */
@RedisTest
class TokenCounterScriptTest {
    private static final boolean BEGIN = true;

    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    @Test
    void aPlainLockBeginsNoCounter() {
        scripts.acquireCounting("a:1:1", !BEGIN);
        scripts.transferCounting("a:1:1", "a:2:2", !BEGIN);

        assertThat(redis.list("KEYS", "*")).containsExactlyInAnyOrder(LOCK, CLOCK);
    }

    @Test
    void aFencedLockBeginsTheCounterWithItsToken() {
        long token = scripts.acquireCounting("a:1:1", BEGIN);

        assertThat(redis.text("GET", COUNTER)).isEqualTo(Long.toString(token));
        assertThat(redis.integer("PTTL", COUNTER)).isEqualTo(-1);
        assertThat(redis.integer("INCR", COUNTER)).isEqualTo(token + 1);
    }

    @Test
    void aCounterThatIsThereIsRaisedToThePlainLocksToken() {
        redis.command("SET", COUNTER, "17");

        long token = scripts.acquireCounting("a:1:1", !BEGIN);

        assertThat(token).isGreaterThan(1_000_000_000_000_000L);
        assertThat(redis.text("GET", COUNTER)).isEqualTo(Long.toString(token));
    }

    @Test
    void aCounterAheadOfTheServersTimeIsCountedOn() {
        redis.command("SET", COUNTER, "8999999999999998");

        assertThat(scripts.acquireCounting("a:1:1", !BEGIN)).isEqualTo(8_999_999_999_999_999L);
        assertThat(redis.text("GET", COUNTER)).isEqualTo("8999999999999999");
    }

    /** The lock had no counter yet when its last token was minted, and the server's time has gone back since. */
    @Test
    void aNewCounterBeginsBehindTheTokensOfTheClock() {
        redis.command("SET", CLOCK, "8999999999999998");

        assertThat(scripts.acquireCounting("a:1:1", BEGIN)).isEqualTo(8_999_999_999_999_999L);
        assertThat(redis.text("GET", COUNTER)).isEqualTo("8999999999999999");
    }

    @Test
    void aHandOverCountsToo() {
        long first = scripts.acquireCounting("a:1:1", BEGIN);
        long between = redis.integer("INCR", COUNTER);
        long handed = scripts.transferCounting("a:1:1", "a:2:2", !BEGIN);

        assertThat(between).isGreaterThan(first);
        assertThat(handed).isGreaterThan(between);
        assertThat(redis.text("GET", COUNTER)).isEqualTo(Long.toString(handed));
    }

    @Test
    void aRepeatedRequestIsGrantedWithAGreaterToken() {
        long first = scripts.acquireCounting("a:1:1", BEGIN);
        long repeated = scripts.acquireCounting("a:1:1", BEGIN);

        assertThat(repeated).isGreaterThan(first);
        assertThat(redis.text("GET", COUNTER)).isEqualTo(Long.toString(repeated));
        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("a:1:1");
    }

    @Test
    void aRefusedRequestLeavesTheCounterAlone() {
        long token = scripts.acquireCounting("a:1:1", BEGIN);
        scripts.refusedCounting("b:1:1", BEGIN);

        assertThat(redis.text("GET", COUNTER)).isEqualTo(Long.toString(token));
    }

    @Test
    void whatIsNoCounterIsAnErrorAndNobodyHoldsTheLock() {
        redis.command("HSET", COUNTER, "somebody", "1");

        assertThatThrownBy(() -> scripts.acquireCounting("a:1:1", BEGIN))
                .isInstanceOf(RedisErrorReply.class)
                .hasMessageContaining("WRONGTYPE");
        assertThat(redis.list("KEYS", "*")).containsExactly(COUNTER);
    }
}
