package io.holdfast.lock.engine.kind;

import static io.holdfast.lock.engine.kind.ScriptRun.CLOCK;
import static io.holdfast.lock.engine.kind.ScriptRun.LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Script;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisTest;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the scripts of a reader over several nodes do on a real server, branch by branch (rules 49, 53, 66, 73). */
@RedisTest
class ReadScriptTest {
    private static final String READERS = LOCK + ":readers";
    private static final List<String> KEYS = List.of(LOCK, CLOCK, READERS, LOCK + ":queue", LOCK + ":seen");
    private static final String LEASE = "10000";
    private static final long GRANTED = 1;
    private static final long REFUSED = 0;
    private static final long MINUTE_MICROS = 60_000_000;

    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    // Deadlines of readers are even numbers of milliseconds (rule 130), so a lease may be a millisecond longer.

    // --- read-propose ---

    @Test
    void readersEnterAFreeLockTogetherUnderTheProposedToken() {
        long proposal = micros() + 1_000_000;

        assertThat(propose("a:1:1", LEASE, "", proposal).subList(0, 2)).isEqualTo(List.of(GRANTED, proposal));
        assertThat(propose("b:1:1", "20000", "", proposal + 1).get(1)).isEqualTo(proposal + 1);

        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("readers");
        assertThat(redis.list("ZRANGE", READERS, "0", "-1")).containsExactly("a:1:1", "b:1:1");
        assertThat(scripts.timeToLiveMillis()).isBetween(19_000L, 20_001L);
        assertThat(redis.integer("PTTL", READERS)).isBetween(19_000L, 20_001L);
        assertThat(clock()).isEqualTo(proposal + 1);
    }

    /** A reader of a shorter lease cuts no other's short, and an old or far proposal is none. */
    @Test
    void theLockLivesAsLongAsItsLastReader() {
        propose("a:1:1", "20000", "", 0);
        long token = clock();

        List<?> second = propose("b:1:1", "1000", "", token);

        assertThat((Long) second.get(1)).isGreaterThan(token);
        assertThat(scripts.timeToLiveMillis()).isBetween(18_000L, 20_001L);
    }

    @Test
    void aWriterRefusesAReaderWithItsTimeToLiveAndItsField() {
        scripts.acquire("w:1:1", 5_000);
        long token = clock();

        List<?> refused = propose("a:1:1", LEASE, "b:1:1", micros() + MINUTE_MICROS);

        assertThat(refused.get(0)).isEqualTo(REFUSED);
        assertThat((Long) refused.get(1)).isBetween(4_000L, 5_001L);
        assertThat(refused.get(3)).isEqualTo("w:1:1");
        assertThat(redis.integer("EXISTS", READERS)).isZero();
        assertThat(clock()).isEqualTo(token);
    }

    @Test
    void anOwnerThatWritesMayReadBesideItAndTheLockLivesAsLongAsBoth() {
        scripts.acquire("w:1:1", 5_000);

        assertThat(propose("a:1:1", LEASE, "w:1:1", 0).get(0)).isEqualTo(GRANTED);
        assertThat(scripts.timeToLiveMillis()).isBetween(9_000L, 10_001L);
        assertThat(propose("b:1:1", LEASE, "", 0).get(0)).isEqualTo(REFUSED);

        scripts.release("w:1:1", 0);
        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("readers");
        assertThat(propose("b:1:1", LEASE, "", 0).get(0)).isEqualTo(GRANTED);
        assertThat(run(Scripts.PROPOSE, KEYS.subList(0, 2), "x:1:1", LEASE, "1", "0", "0"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .startsWith(REFUSED)
                .endsWith("readers");
    }

    @Test
    void aRepeatedProposalRaisesTheDeadlineAndNeverLowersIt() {
        long token = (Long) propose("a:1:1", LEASE, "", 0).get(1);

        assertThat(propose("a:1:1", "1000", "", token + MINUTE_MICROS).get(1)).isEqualTo(token);
        assertThat(scripts.timeToLiveMillis()).isBetween(9_000L, 10_001L);
        propose("a:1:1", "20000", "", 0);
        assertThat(scripts.timeToLiveMillis()).isBetween(19_000L, 20_001L);
        assertThat(redis.list("ZRANGE", READERS, "0", "-1")).containsExactly("a:1:1");
    }

    /** The hash was removed by force; those who read before do not come back with the next reader. */
    @Test
    void readersWhoseHashIsGoneCountForNothing() {
        propose("a:1:1", LEASE, "", 0);
        redis.command("DEL", LOCK);

        propose("b:1:1", LEASE, "", 0);

        assertThat(redis.list("ZRANGE", READERS, "0", "-1")).containsExactly("b:1:1");
    }

    @Test
    void theOverdueAreDropped() {
        propose("a:1:1", LEASE, "", 0);
        redis.command("ZADD", READERS, "1", "dead:1:1");

        propose("b:1:1", LEASE, "", 0);

        assertThat(redis.list("ZRANGE", READERS, "0", "-1")).containsExactly("a:1:1", "b:1:1");
    }

    /** Over several nodes there is no order. */
    @Test
    void aQueueThatStandsHereIsPassed() {
        redis.command("ZADD", LOCK + ":queue", "1", "wx:1:1");

        assertThat(propose("a:1:1", LEASE, "", 0).get(0)).isEqualTo(GRANTED);
        assertThat(redis.list("ZRANGE", LOCK + ":queue", "0", "-1")).containsExactly("wx:1:1");
    }

    // --- read-adopt ---

    @Test
    void anAdoptedTokenMovesTheClockOnAndNeverBack() {
        propose("a:1:1", LEASE, "", 0);
        long later = micros() + MINUTE_MICROS;

        assertThat(adopt("a:1:1", later)).isEqualTo(1L);
        assertThat(clock()).isEqualTo(later);
        assertThat(adopt("a:1:1", later - 1)).isEqualTo(1L);
        assertThat(clock()).isEqualTo(later);
        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("readers");
    }

    @Test
    void anAdoptionForAReaderThatIsGoneChangesNothing() {
        propose("a:1:1", LEASE, "", 0);
        long token = clock();

        assertThat(adopt("b:1:1", token + MINUTE_MICROS)).isEqualTo(0L);
        redis.command("DEL", LOCK);
        assertThat(adopt("a:1:1", token + MINUTE_MICROS)).isEqualTo(0L);
        assertThat(clock()).isEqualTo(token);
    }

    // --- read-join ---

    @Test
    void aJoinEntersRaisesAndFollowsTheToken() {
        long token = micros() + MINUTE_MICROS;

        assertThat(join("a:1:1", LEASE, token)).containsExactly(GRANTED, 0L);
        assertThat(join("a:1:1", "1000", token - 1)).containsExactly(GRANTED, 0L);

        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("readers");
        assertThat(scripts.timeToLiveMillis()).isBetween(9_000L, 10_001L);
        assertThat(clock()).isEqualTo(token);
    }

    @Test
    void aWriterRefusesAJoinAndIsLeftAlone() {
        scripts.acquire("w:1:1", 5_000);
        long token = clock();

        List<Long> refused = join("a:1:1", LEASE, token + MINUTE_MICROS);

        assertThat(refused.get(0)).isEqualTo(REFUSED);
        assertThat(refused.get(1)).isBetween(4_000L, 5_001L);
        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys("w:1:1", "token");
        assertThat(clock()).isEqualTo(token);
    }

    // --- queue-join ---

    /** No message tells of the end of a reader that has died, and the lock's own lease is that of another. */
    @Test
    void aWriterThatWaitsIsToldWhenTheFirstReaderIsOver() {
        propose("a:1:1", "3000", "", 0);
        propose("b:1:1", "60000", "", 0);

        List<?> refused =
                (List<?>) run(Scripts.QUEUE_JOIN, KEYS, "w", "w:1:1", LEASE, "", "1", "1000", "15000", LOCK + ":free");

        assertThat(refused.get(0)).isEqualTo(REFUSED);
        assertThat((Long) refused.get(1)).isBetween(1L, 3_001L);
    }

    // --- running them ---

    private List<?> propose(String field, String lease, String own, long proposal) {
        return (List<?>) run(
                Scripts.READ_PROPOSE,
                KEYS,
                field,
                lease,
                own,
                Long.toString(proposal),
                Long.toString(MINUTE_MICROS * 2));
    }

    private Object adopt(String field, long token) {
        return run(Scripts.READ_ADOPT, KEYS.subList(0, 3), field, Long.toString(token));
    }

    private List<Long> join(String field, String lease, long token) {
        return ((List<?>) run(Scripts.READ_JOIN, KEYS, field, lease, Long.toString(token)))
                .stream().map(Long.class::cast).toList();
    }

    private Object run(Script script, List<String> keys, String... arguments) {
        List<String> command = new ArrayList<>(List.of("EVAL", script.source(), Integer.toString(keys.size())));
        command.addAll(keys);
        command.addAll(List.of(arguments));
        return redis.command(command.toArray(String[]::new));
    }

    private long micros() {
        List<String> time = redis.list("TIME");
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    private long clock() {
        return Long.parseLong(String.valueOf(redis.text("GET", CLOCK)));
    }
}
