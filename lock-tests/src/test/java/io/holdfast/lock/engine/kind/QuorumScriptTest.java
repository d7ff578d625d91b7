package io.holdfast.lock.engine.kind;

import static io.holdfast.lock.engine.kind.ScriptRun.CLOCK;
import static io.holdfast.lock.engine.kind.ScriptRun.LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisTest;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node of a quorum does with tokens and its marker on a real server, branch by branch (rules 35, 36). */
@RedisTest
class QuorumScriptTest {
    private static final long MINUTE_MICROS = TimeUnit.MINUTES.toMicros(1);
    private static final long AHEAD_MICROS = 10 * MINUTE_MICROS;

    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    @Test
    void aProposalAheadOfTheClockIsTaken() {
        long proposal = micros() + MINUTE_MICROS;

        assertThat(token(propose("a:1:1", proposal))).isEqualTo(proposal);
        assertThat(clock()).isEqualTo(proposal);
        assertThat(scripts.keptToken()).isEqualTo(Long.toString(proposal));
        assertThat(scripts.timeToLiveMillis()).isBetween(9_000L, 10_000L);
    }

    @Test
    void aProposalThatIsNotGreaterThanTheLastTokenIsCountedOn() {
        long last = micros() + MINUTE_MICROS;
        redis.command("SET", CLOCK, Long.toString(last));

        assertThat(token(propose("a:1:1", last))).isEqualTo(last + 1);
    }

    @Test
    void aProposalBehindTheClockIsReplacedByTheTime() {
        long before = micros();

        assertThat(token(propose("a:1:1", before - MINUTE_MICROS))).isBetween(before, before + MINUTE_MICROS);
    }

    @Test
    void aProposalTooFarAheadIsReplacedByTheTime() {
        long before = micros();

        assertThat(token(propose("a:1:1", before + AHEAD_MICROS + MINUTE_MICROS)))
                .isBetween(before, before + MINUTE_MICROS);
    }

    @Test
    void aRepeatedProposalIsGrantedAgainWithTheSameToken() {
        long proposal = micros() + MINUTE_MICROS;
        propose("a:1:1", proposal);

        assertThat(token(propose("a:1:1", proposal + MINUTE_MICROS))).isEqualTo(proposal);
    }

    @Test
    void aHeldLockIsRefusedWithItsTimeToLiveAndItsHolder() {
        propose("a:1:1", 0);

        List<?> refused = propose("b:1:1", 0);

        assertThat(refused.get(0)).isEqualTo(0L);
        assertThat((Long) refused.get(1)).isBetween(9_000L, 10_000L);
        assertThat(refused.get(3)).isEqualTo("a:1:1");
    }

    @Test
    void anAdoptedTokenIsKeptAndMovesTheClockOn() {
        propose("a:1:1", 0);
        long adopted = micros() + MINUTE_MICROS;

        assertThat(adopt("a:1:1", adopted)).isEqualTo(1L);

        assertThat(scripts.keptToken()).isEqualTo(Long.toString(adopted));
        assertThat(clock()).isEqualTo(adopted);
    }

    @Test
    void anAdoptionNeverMovesTheClockBack() {
        propose("a:1:1", 0);
        long later = micros() + MINUTE_MICROS;
        redis.command("SET", CLOCK, Long.toString(later));

        assertThat(adopt("a:1:1", later - 1)).isEqualTo(1L);
        assertThat(clock()).isEqualTo(later);
    }

    @Test
    void anAdoptionForAFieldThatIsGoneChangesNothing() {
        assertThat(adopt("a:1:1", micros() + MINUTE_MICROS)).isEqualTo(0L);
        assertThat(redis.list("KEYS", "*")).isEmpty();
    }

    @Test
    void anAdoptionLeavesASuccessorAlone() {
        long token = token(propose("b:1:1", 0));

        assertThat(adopt("a:1:1", token + MINUTE_MICROS)).isEqualTo(0L);

        assertThat(scripts.keptToken()).isEqualTo(Long.toString(token));
        assertThat(clock()).isEqualTo(token);
    }

    @Test
    void aMarkerIsNeverOverwritten() {
        assertThat(redis.command("EVAL", Scripts.MARKED.source(), "1", "marker"))
                .isNull();

        assertThat(mark("run1")).isEqualTo("run1");
        assertThat(mark("run2")).isEqualTo("run1");

        assertThat(redis.command("EVAL", Scripts.MARKED.source(), "1", "marker"))
                .isEqualTo("run1");
    }

    private Object mark(String runId) {
        return redis.command("EVAL", Scripts.MARK.source(), "1", "marker", runId);
    }

    private List<?> propose(String field, long proposal) {
        return (List<?>) scripts.run(Scripts.PROPOSE, List.of(LOCK, CLOCK), field, 10_000, 1, proposal, AHEAD_MICROS);
    }

    private Object adopt(String field, long token) {
        return scripts.run(Scripts.ADOPT, List.of(LOCK, CLOCK), field, token, 1);
    }

    private static long token(List<?> granted) {
        assertThat(granted.get(0)).isEqualTo(1L);
        return (Long) granted.get(1);
    }

    private long clock() {
        return Long.parseLong(Objects.requireNonNull(redis.text("GET", CLOCK)));
    }

    private long micros() {
        List<?> time = redis.list("TIME");
        return Long.parseLong(time.get(0).toString()) * 1_000_000
                + Long.parseLong(time.get(1).toString());
    }
}
