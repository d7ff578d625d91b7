package io.holdfast.lock.engine.kind;

import static io.holdfast.lock.engine.kind.ScriptRun.CLOCK;
import static io.holdfast.lock.engine.kind.ScriptRun.GRANTED;
import static io.holdfast.lock.engine.kind.ScriptRun.LOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisErrorReply;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the scripts do on a server that is full, that holds something else, or that forbids telling. */
@RedisTest
class ScriptsUnderPressureTest {
    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    @Test
    void withMemoryFullAcquiringFailsAndLeavesNothing() {
        fillMemory();

        assertRefused("OOM", () -> scripts.acquire("a:1:1", 5_000));
        assertThat(redis.list("KEYS", "*")).isEmpty();
    }

    @Test
    void withMemoryFullAHolderReleases() {
        scripts.acquire("a:1:1", 5_000);
        fillMemory();

        assertThat(scripts.release("a:1:1", 0)).containsExactly(1L, 0L);
        assertThat(redis.list("KEYS", "*")).containsExactly(CLOCK);
    }

    @Test
    void withMemoryFullAReentrantHolderReleasesOneLevel() {
        scripts.acquire("a:1:1", 5_000);
        scripts.reenter("a:1:1", 2, 5_000);
        fillMemory();

        assertThat(scripts.release("a:1:1", 1)).containsExactly(1L, 0L);
        assertThat(redis.text("HGET", LOCK, "a:1:1")).isEqualTo("1");
    }

    @Test
    void withMemoryFullAHolderRenews() {
        scripts.acquire("a:1:1", 5_000);
        fillMemory();

        assertThat(scripts.renew("a:1:1", 20_000)).containsExactly(1L);
        assertThat(scripts.timeToLiveMillis()).isBetween(19_000L, 20_000L);
    }

    /** A leader of an election over nodes asks for it again and again. */
    @Test
    void withMemoryFullATokenThatIsThereIsAdoptedAgain() {
        long token = scripts.acquire("a:1:1", 5_000).get(1);
        fillMemory();

        assertThat(scripts.adopt("a:1:1", token)).isEqualTo(1);
        assertRefused("OOM", () -> scripts.adopt("a:1:1", token + 1));
    }

    @Test
    void whatIsInThePlaceOfAConditionKeepsNoLockFromBeingReleased() {
        scripts.acquire("a:1:1", 5_000);
        redis.command("SET", LOCK + ":cond:full", "precious");

        assertThat(scripts.partFromCondition("a:1:1", "full")).containsExactly(1L, 0L);
        assertThat(redis.list("KEYS", LOCK + "*")).containsExactly(LOCK + ":cond:full");
    }

    @Test
    void withMemoryFullAHolderHandsOver() {
        scripts.acquire("a:1:1", 5_000);
        fillMemory();

        assertThat(scripts.transfer("a:1:1", "a:2:2", 5_000).get(0)).isEqualTo(GRANTED);
        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("a:2:2", "token");
    }

    @Test
    void withMemoryFullALockIsForced() {
        scripts.acquire("a:1:1", 5_000);
        fillMemory();

        assertThat(scripts.force()).isEqualTo(1);
    }

    @Test
    void aKeyOfAnotherTypeIsNamedAndLeftAlone() {
        redis.command("SET", LOCK, "text");

        assertRefused("WRONGTYPE", () -> scripts.acquire("a:1:1", 5_000));
        assertRefused("WRONGTYPE", () -> scripts.reenter("a:1:1", 2, 5_000));
        assertRefused("WRONGTYPE", () -> scripts.release("a:1:1", 0));
        assertRefused("WRONGTYPE", () -> scripts.transfer("a:1:1", "a:2:2", 5_000));
        assertRefused("WRONGTYPE", () -> scripts.force());
        assertRefused("WRONGTYPE", () -> scripts.inspect());
        assertThat(redis.text("GET", LOCK)).isEqualTo("text");
        assertThat(redis.integer("PTTL", LOCK)).isEqualTo(-1);
    }

    @Test
    void aUserWhoMayNotPublishStillReleases(RedisServer server) {
        scripts.acquire("a:1:1", 5_000);
        try (RawRedis mute = userWith(server, "+@all", "-publish", "-pubsub")) {
            ScriptRun muted = new ScriptRun(mute);

            assertThat(muted.inspect()).element(1).isEqualTo(-1L);
            assertThat(muted.release("a:1:1", 0)).containsExactly(1L, -1L);
        }
        assertThat(redis.list("KEYS", "*")).containsExactly(CLOCK);
    }

    @Test
    void aUserWhoMayNotUseTheChannelStillReleasesAndForces(RedisServer server) {
        scripts.acquire("a:1:1", 5_000);
        try (RawRedis mute = userWith(server, "+@all", "resetchannels", "&other:*")) {
            ScriptRun muted = new ScriptRun(mute);

            assertThat(muted.release("a:1:1", 0)).containsExactly(1L, -1L);
            muted.acquire("a:1:2", 5_000);
            assertThat(muted.force()).isEqualTo(1);
        }
        assertThat(redis.list("KEYS", "*")).containsExactly(CLOCK);
    }

    private void fillMemory() {
        redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        redis.command("CONFIG", "SET", "maxmemory", "1");
    }

    private RawRedis userWith(RedisServer server, String... rules) {
        String[] command = new String[rules.length + 6];
        System.arraycopy(new String[] {"ACL", "SETUSER", "mute", "on", ">secret", "~*"}, 0, command, 0, 6);
        System.arraycopy(rules, 0, command, 6, rules.length);
        redis.command(command);
        RawRedis connection = server.connect();
        connection.command("AUTH", "mute", "secret");
        return connection;
    }

    private static void assertRefused(String code, ThrowingCallable call) {
        assertThatExceptionOfType(RedisErrorReply.class)
                .isThrownBy(call)
                .satisfies(error -> assertThat(error.getMessage()).contains(code));
    }
}
