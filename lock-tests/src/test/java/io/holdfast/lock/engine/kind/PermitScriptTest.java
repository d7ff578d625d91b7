package io.holdfast.lock.engine.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.spi.Script;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the scripts of semaphores do on a real server (rules 46, 55 and 56). */
@RedisTest
class PermitScriptTest {

    private static final String PERMITS = "holdfast:{l}:permits";
    private static final String SEEN = PERMITS + ":seen";
    private static final String QUEUE = PERMITS + ":queue";
    private static final String LIMIT = "holdfast:{l}:limit";
    private static final List<String> KEYS = List.of(PERMITS, "holdfast:token:{1}", LIMIT, QUEUE, SEEN);
    private static final String CHANNEL = PERMITS + ":free";
    private static final String WINDOW = "1000";
    private static final String PRESENCE = "15000";

    private RawRedis redis;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
    }

    /** It had no reservation, so nothing is to be deducted from what its client is believed. */
    @Test
    void aClientThatAsksForTooMuchStaysPresentForItsOthers() {
        limit("3");
        join("a:h1:1*3");
        join("b:h1:1*3");
        join("b:h2:4");
        String present = redis.text("ZSCORE", SEEN, "b");

        limit("1");

        assertThat(redis.list("ZRANGE", QUEUE, "0", "-1")).containsExactly("pb:h2:4");
        assertThat(redis.text("ZSCORE", SEEN, "b")).isEqualTo(present);
        assertThat(join("b:h1:1*3")).isEqualTo(List.of(-1L, 1L));
    }

    @Test
    void theClientOfWhatIsReservedIsPresentUntilItIsToClaim() {
        limit("1");
        join("a:h1:1");
        join("b:h1:1");
        join("c:h1:1");
        double present = Double.parseDouble(redis.text("ZSCORE", SEEN, "b"));

        limit("2");

        assertThat(Double.parseDouble(redis.text("ZSCORE", SEEN, "b"))).isLessThan(present - 10_000);
        assertThat(redis.integer("ZCARD", PERMITS)).isEqualTo(2);
    }

    /** Another call has what was released of it. */
    @Test
    void aSpanOfWhichAPartIsGoneIsNotTakenForWhole() {
        limit("3");
        join("a:h1:1*3");
        run(Scripts.PERMIT_PART, "a:h1:2", WINDOW, CHANNEL);
        join("b:h1:1");

        assertThat(join("a:h1:1*3").get(0)).isEqualTo(0L);

        assertThat(redis.list("ZRANGE", PERMITS, "0", "-1")).containsExactly("b:h1:1");
    }

    @Test
    void whatRanOutIsNotReleasedOnceMore() {
        limit("1");
        join("a:h1:1");
        redis.command("ZADD", PERMITS, "1", "a:h1:1");
        join("b:h1:1");
        join("c:h1:1");

        assertThat(run(Scripts.PERMIT_PART, "a:h1:1", WINDOW, CHANNEL)).isEqualTo(List.of(0L, 0L));

        assertThat(redis.list("ZRANGE", PERMITS, "0", "-1")).containsExactly("b:h1:1");
    }

    @Test
    void aRequestForMoreThanTheLimitIsRefusedAtOnce() {
        limit("3");
        assertThat(join("a:h1:1*4")).isEqualTo(List.of(-1L, 3L));
        assertThat(redis.integer("EXISTS", QUEUE)).isZero();
    }

    @Test
    void aRepeatedChangeOfTheLimitIsDoneOnce() {
        assertThat(change("0", "1", "first")).isEqualTo(List.of(1L, 1L, 1L));
        assertThat(change("1", "2", "second")).isEqualTo(List.of(1L, 2L, 2L));
        assertThat(change("1", "2", "second")).isEqualTo(List.of(1L, 2L, 2L));
        assertThat(change("1", "2", "third")).isEqualTo(List.of(0L, 2L, 2L));
    }

    /** 64 calls for 1,000 permits each would keep the server for a quarter of a second. */
    @Test
    void oneStepGivesAThousandPermitsAndTheFirstClaimGoesOn() {
        join("a:h1:1*600");
        join("b:h1:1*400");
        join("c:h1:1*1000");
        join("d:h1:1");

        limit("5000");

        assertThat(redis.integer("ZCARD", PERMITS)).isEqualTo(1_000);
        assertThat(redis.list("ZRANGE", QUEUE, "0", "-1")).containsExactly("pc:h1:1*1000", "pd:h1:1");
        assertThat(join("a:h1:1*600").get(0)).isEqualTo(1L);
        assertThat(redis.list("ZRANGE", QUEUE, "0", "-1")).containsExactly("pd:h1:1");
        assertThat(join("b:h1:1*400").get(0)).isEqualTo(1L);
        assertThat(redis.integer("ZCARD", PERMITS)).isEqualTo(2_001);
    }

    /** A clock that is ahead of the server's time goes up by what was given. */
    @Test
    void eachPermitOfACallHasATokenThatNoOtherHas() {
        limit("4");
        redis.command("SET", KEYS.get(1), "5000000000000000");

        assertThat(join("a:h1:1*3").get(1)).isEqualTo(5000000000000001L);
        assertThat(join("b:h1:1").get(1)).isEqualTo(5000000000000004L);
    }

    @Test
    void aClaimThatGetsNoTokenKeepsNothingForItsLease() {
        limit("1");
        join("a:h1:1");
        join("b:h1:1");
        run(Scripts.PERMIT_PART, "a:h1:1", WINDOW, CHANNEL);
        String reserved = redis.text("ZSCORE", PERMITS, "b:h1:1");
        redis.command("DEL", KEYS.get(1));
        redis.command("LPUSH", KEYS.get(1), "no clock");

        assertThatThrownBy(() -> join("b:h1:1")).hasMessageContaining("WRONGTYPE");

        assertThat(redis.text("ZSCORE", PERMITS, "b:h1:1")).isEqualTo(reserved);
    }

    private void limit(String permits) {
        String version = redis.text("HGET", LIMIT, "version");
        change(version == null ? "0" : version, permits, "change-to-" + permits);
    }

    private List<?> change(String version, String permits, String id) {
        return run(Scripts.PERMIT_LIMIT, version, permits, id, WINDOW, CHANNEL);
    }

    private List<?> join(String span) {
        return run(Scripts.PERMIT_JOIN, span, "10000", "1", WINDOW, PRESENCE, CHANNEL);
    }

    private List<?> run(Script script, String... arguments) {
        List<String> command = new ArrayList<>(List.of("EVAL", script.source(), Integer.toString(KEYS.size())));
        command.addAll(KEYS);
        command.addAll(List.of(arguments));
        return (List<?>) redis.command(command.toArray(String[]::new));
    }
}
