package io.holdfast.lock.engine.kind;

import static io.holdfast.lock.engine.kind.ScriptRun.CLOCK;
import static io.holdfast.lock.engine.kind.ScriptRun.LOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.lock.spi.Script;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisErrorReply;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the guard's scripts do on a real server, branch by branch (rules 86, 87). */
@RedisTest
class GuardScriptTest {
    private static final String TERM = "holdfast:term";
    private static final String NO_PAUSE = "0";
    private static final String LONG_PAUSE = "60000";
    private static final Object NO_TERM = List.of(-1L);

    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    @Test
    void aTermHasTheServersIdTheEpochAndATimeAndNeverExpires() {
        assertThat(begin("7")).isEqualTo(List.of(1L));

        assertThat(redis.map("HGETALL", TERM))
                .containsEntry("id", replicationId())
                .containsEntry("epoch", "7")
                .containsOnlyKeys("id", "epoch", "since");
        assertThat(redis.integer("PTTL", TERM)).isEqualTo(-1);
        assertThat(Long.parseLong(redis.text("HGET", TERM, "since"))).isGreaterThan(1_700_000_000_000_000L);
    }

    @Test
    void aTermThatIsThereIsLeftAsItIs() {
        begin("7");
        redis.command("HSET", TERM, "since", "1700000000000000");
        begin("7");
        assertThat(redis.text("HGET", TERM, "since")).isEqualTo("1700000000000000");
    }

    @Test
    void anotherEpochOrAnotherIdIsAnotherTerm() {
        begin("7");
        redis.command("HSET", TERM, "since", "1700000000000000");
        begin("8");
        assertThat(redis.text("HGET", TERM, "since")).isNotEqualTo("1700000000000000");

        redis.command("HSET", TERM, "since", "1700000000000000", "id", "0123456789abcdef");
        begin("8");
        assertThat(redis.text("HGET", TERM, "id")).isEqualTo(replicationId());
        assertThat(redis.text("HGET", TERM, "since")).isNotEqualTo("1700000000000000");
    }

    @Test
    void whatIsNoTermStaysAndIsAnError() {
        redis.command("SET", TERM, "text");
        assertThatExceptionOfType(RedisErrorReply.class)
                .isThrownBy(() -> begin("7"))
                .withMessageContaining("WRONGTYPE");
        assertThatExceptionOfType(RedisErrorReply.class)
                .isThrownBy(() -> acquire("a:1:1", "7", NO_PAUSE))
                .withMessageContaining("WRONGTYPE");
        assertThat(redis.text("GET", TERM)).isEqualTo("text");
    }

    @Test
    void aHashThatIsNoTermStays() {
        redis.command("HSET", TERM, "days", "30");
        assertThatExceptionOfType(RedisErrorReply.class)
                .isThrownBy(() -> begin("7"))
                .withMessageContaining("WRONGTYPE");
        assertThat(acquire("a:1:1", "7", NO_PAUSE)).isEqualTo(NO_TERM);
        assertThat(redis.map("HGETALL", TERM)).containsOnlyKeys("days");
    }

    /** The server's clock was wrong by an hour when the term began, and was set right. */
    @Test
    void aTermThatBeginsLaterThanNowBeginsAnew() {
        begin("7");
        long since = Long.parseLong(redis.text("HGET", TERM, "since"));
        redis.command("HSET", TERM, "since", Long.toString(since + 3_600_000_000L));
        assertThat(acquire("a:1:1", "7", LONG_PAUSE)).isEqualTo(NO_TERM);
        begin("7");
        assertThat((Long) list(acquire("a:1:1", "7", LONG_PAUSE)).get(0)).isBetween(1L, 60_000L);
    }

    @Test
    void withoutATermNothingIsDone() {
        assertThat(acquire("a:1:1", "7", NO_PAUSE)).isEqualTo(NO_TERM);
        assertThat(redis.list("KEYS", "*")).isEmpty();
    }

    @Test
    void inATermOfAnotherEpochNothingIsDone() {
        begin("7");
        assertThat(acquire("a:1:1", "8", NO_PAUSE)).isEqualTo(NO_TERM);
        assertThat(acquire("a:1:1", "6", NO_PAUSE)).isEqualTo(NO_TERM);
        assertThat(redis.list("KEYS", "*")).containsExactly(TERM);
    }

    @Test
    void inATermOfAnotherIdNothingIsDone() {
        begin("7");
        redis.command("HSET", TERM, "id", "0123456789abcdef");
        assertThat(acquire("a:1:1", "7", NO_PAUSE)).isEqualTo(NO_TERM);
        assertThat(run(GuardedScripts.RENEW, List.of(LOCK), "a:1:1", "20000", "7", NO_PAUSE, "1"))
                .isEqualTo(NO_TERM);
    }

    @Test
    void whenThePauseIsOverTheStepIsRunAndItsAnswerCounts() {
        begin("7");
        List<?> granted = list(acquire("a:1:1", "7", NO_PAUSE));
        assertThat(granted.get(0)).isEqualTo(0L);
        assertThat(list(granted.get(1)).get(0)).isEqualTo(1L);
        assertThat(redis.map("HGETALL", LOCK)).containsEntry("a:1:1", "1");

        List<?> refused = list(acquire("b:1:1", "7", NO_PAUSE));
        assertThat(refused.get(0)).isEqualTo(0L);
        assertThat(list(refused.get(1)).get(0)).isEqualTo(0L);
    }

    @Test
    void duringThePauseNothingIsDoneAndTheAnswerHasItsRest() {
        begin("7");
        List<?> paused = list(acquire("a:1:1", "7", LONG_PAUSE));
        assertThat(paused).hasSize(1);
        assertThat((Long) paused.get(0)).isBetween(1L, 60_000L);
        assertThat(redis.list("KEYS", "*")).containsExactly(TERM);
    }

    @Test
    void aTermThatIsOldEnoughHasNoPauseLeft() {
        begin("7");
        long since = Long.parseLong(redis.text("HGET", TERM, "since"));
        redis.command("HSET", TERM, "since", Long.toString(since - 60_000_000));
        assertThat(list(acquire("a:1:1", "7", LONG_PAUSE)).get(0)).isEqualTo(0L);
    }

    @Test
    void renewalsDuringThePauseAreRunAndDoNotCount() {
        scripts.acquire("a:1:1", 5_000);
        begin("7");
        List<?> early = list(run(
                GuardedScripts.RENEW, List.of(LOCK, "free"), "a:1:1", "20000", "b:1:1", "20000", "7", LONG_PAUSE, "1"));
        assertThat((Long) early.get(0)).isBetween(1L, 60_000L);
        assertThat(early.get(1)).isEqualTo(List.of(1L, 0L));
        assertThat(scripts.timeToLiveMillis()).isGreaterThan(15_000);
    }

    @Test
    void manyAreRenewedInOneCall() {
        scripts.acquire("a:1:1", 5_000);
        begin("7");
        assertThat(run(GuardedScripts.RENEW, List.of(LOCK, "free"), "a:1:1", "20000", "b:1:1", "1", "7", NO_PAUSE, "1"))
                .isEqualTo(List.of(0L, List.of(1L, 0L)));
    }

    @Test
    void reentriesAndTransfersAreRunInTheirTerm() {
        scripts.acquire("a:1:1", 5_000);
        begin("7");
        assertThat(run(GuardedScripts.REENTER, List.of(LOCK), "a:1:1", "2", "5000", "7", LONG_PAUSE, "0"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(1);
        assertThat(redis.text("HGET", LOCK, "a:1:1")).isEqualTo("1");
        assertThat(run(GuardedScripts.REENTER, List.of(LOCK), "a:1:1", "2", "5000", "7", NO_PAUSE, "0"))
                .isEqualTo(List.of(0L, 1L));

        List<?> moved = list(
                run(GuardedScripts.TRANSFER, List.of(LOCK, CLOCK), "a:1:1", "a:2:2", "5000", "1", "7", NO_PAUSE, "0"));
        assertThat(list(moved.get(1)).get(0)).isEqualTo(1L);
        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("a:2:2", "token");
    }

    @Test
    void withMemoryFullATermBeginsAndHoldersRenewInIt() {
        scripts.acquire("a:1:1", 5_000);
        redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        redis.command("CONFIG", "SET", "maxmemory", "1");
        assertThat(begin("7")).isEqualTo(List.of(1L));
        assertThat(run(GuardedScripts.RENEW, List.of(LOCK), "a:1:1", "20000", "7", NO_PAUSE, "1"))
                .isEqualTo(List.of(0L, List.of(1L)));
    }

    @Test
    void aUserWithoutTheRightIsToldByTheScriptsAnswer(RedisServer server) {
        redis.command("ACL", "SETUSER", "mute", "on", ">secret", "~*", "+@all", "-info");
        try (RawRedis mute = server.connect()) {
            mute.command("AUTH", "mute", "secret");
            for (Script script : List.of(GuardedScripts.TERM, GuardedScripts.ACQUIRE)) {
                List<?> told = list(new ScriptRun(mute)
                        .run(script, List.of(TERM, LOCK, CLOCK), "a:1:1", "5000", "1", "7", NO_PAUSE, "0"));
                assertThat(told.get(0)).isEqualTo(-2L);
                assertThat(told.get(1).toString()).isNotEmpty();
            }
        }
        assertThat(redis.list("KEYS", "*")).isEmpty();
    }

    private Object begin(String epoch) {
        return scripts.run(GuardedScripts.TERM, List.of(TERM), epoch);
    }

    private Object acquire(String field, String epoch, String pause) {
        return run(GuardedScripts.ACQUIRE, List.of(LOCK, CLOCK), field, "5000", "1", epoch, pause, "0");
    }

    private Object run(Script script, List<String> keys, Object... arguments) {
        List<String> all = new ArrayList<>(List.of(TERM));
        all.addAll(keys);
        return scripts.run(script, all, arguments);
    }

    private String replicationId() {
        return Objects.requireNonNull(redis.text("INFO", "replication"))
                .lines()
                .filter(line -> line.startsWith("master_replid:"))
                .findFirst()
                .orElseThrow()
                .substring("master_replid:".length())
                .strip();
    }

    private static List<?> list(Object reply) {
        return (List<?>) reply;
    }
}
