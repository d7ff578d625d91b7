package io.holdfast.lock.engine.kind;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Script;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisTest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long a hold lasts that claims what was reserved for it, on a real server (rule 130). */
@RedisTest
class ClaimScriptTest {

    private static final String LOCK = "holdfast:{a}";
    private static final List<String> KEYS = keys(LOCK, LOCK + ":readers");
    private static final String PERMITS = LOCK + ":permits";
    private static final List<String> KEYS_OF_PERMITS = keys(PERMITS, LOCK + ":limit");
    private static final String FREE = "f";
    private static final int WINDOW = 1_000;
    private static final int PRESENCE = 15_000;
    private static final int SHORT = 150;

    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    private static List<String> keys(String object, String beside) {
        return List.of(object, "holdfast:token:{a}", beside, object + ":queue", object + ":seen");
    }

    @Test
    void aWritersClaimSetsItsLease() {
        join("w", "a:1:1", 5_000);
        join("w", "b:1:1", SHORT);
        scripts.run(Scripts.QUEUE_PART, KEYS, "w", "a:1:1", WINDOW, FREE);
        assertThat(left(LOCK)).isGreaterThan(SHORT);

        join("w", "b:1:1", SHORT);
        assertThat(left(LOCK)).isLessThanOrEqualTo(SHORT);

        scripts.run(Scripts.RENEW, List.of(LOCK), "b:1:1", 700);
        join("w", "b:1:1", SHORT);
        assertThat(left(LOCK)).as("after a copy that comes late").isGreaterThan(SHORT);
    }

    @Test
    void aReadersClaimSetsItsLeaseAndNoOther() {
        join("w", "a:1:1", 5_000);
        join("r", "b:1:1", SHORT);
        join("r", "c:1:1", 4_000);
        scripts.run(Scripts.QUEUE_PART, KEYS, "w", "a:1:1", WINDOW, FREE);
        join("r", "c:1:1", 4_000);
        assertThat(left(LOCK + ":readers", "b:1:1")).isGreaterThan(SHORT);

        join("r", "b:1:1", SHORT);
        assertThat(left(LOCK + ":readers", "b:1:1")).isLessThanOrEqualTo(SHORT + 1);
        assertThat(left(LOCK)).as("the longest hold").isGreaterThan(3_000);

        scripts.run(Scripts.KEEP, List.of(LOCK, LOCK + ":readers"), "b:1:1", 700);
        join("r", "b:1:1", SHORT);
        assertThat(left(LOCK + ":readers", "b:1:1"))
                .as("after a copy that comes late")
                .isGreaterThan(SHORT + 1);
    }

    @Test
    void aClaimOfPermitsSetsTheirLease() {
        redis.command("HSET", LOCK + ":limit", "limit", "2", "version", "1");
        take("a:1:1*2", 5_000);
        take("b:1:1*2", SHORT);
        scripts.run(Scripts.PERMIT_PART, KEYS_OF_PERMITS, "a:1:1*2", WINDOW, FREE);
        assertThat(left(PERMITS, "b:1:2")).isGreaterThan(SHORT);

        take("b:1:1*2", SHORT);
        assertThat(left(PERMITS, "b:1:2")).isLessThanOrEqualTo(SHORT + 1);

        scripts.run(Scripts.PERMIT_KEEP, List.of(PERMITS), "b:1:1", 700);
        scripts.run(Scripts.PERMIT_KEEP, List.of(PERMITS), "b:1:2", 700);
        take("b:1:1*2", SHORT);
        assertThat(left(PERMITS, "b:1:2")).as("after a copy that comes late").isGreaterThan(SHORT + 1);
    }

    /** What a client of an earlier version has lengthened may have an odd deadline, but ends later than any reservation. */
    @Test
    void anOddDeadlineThatIsFarOffIsAHolds() {
        redis.command("HSET", LOCK + ":limit", "limit", "1", "version", "1");
        redis.command("ZADD", PERMITS, Long.toString((millis() + 60_000) | 1), "b:1:1");
        take("b:1:1", SHORT);
        assertThat(left(PERMITS, "b:1:1")).isGreaterThan(50_000);
    }

    // --- a server that stands still ---

    @Test
    void aReaderWhoseLeaseIsOverBeforeItIsWrittenEndsNoOthers() {
        join("r", "a:1:1", 60_000);
        join("r", "b:1:1", 10_000);

        standStill(Scripts.QUEUE_JOIN, KEYS, "r", "b:1:1", 5_000, "", 1, WINDOW, PRESENCE, FREE);

        assertThat(left(LOCK + ":readers", "a:1:1")).isGreaterThan(50_000);
        assertThat(left(LOCK)).isGreaterThan(50_000);
    }

    @Test
    void readersWhoseLeasesAreOverBeforeTheyAreWrittenEndNoWriter() {
        join("w", "a:1:1", 4_000);
        standStill(Scripts.QUEUE_JOIN, KEYS, "r", "a:1:2", 5_000, "a:1:1", 0, WINDOW, PRESENCE, FREE);
        assertThat(redis.text("HGET", LOCK, "a:1:1")).isEqualTo("1");
    }

    @Test
    void aReaderThatIsRenewedTooLateEndsNoWriter() {
        join("w", "a:1:1", 4_000);
        scripts.run(Scripts.QUEUE_JOIN, KEYS, "r", "a:1:2", 9_000, "a:1:1", 0, WINDOW, PRESENCE, FREE);
        redis.command("ZADD", LOCK + ":readers", Long.toString(millis() - 4_000), "a:1:2");
        redis.command("PEXPIRE", LOCK, "4000");
        standStill(Scripts.KEEP, List.of(LOCK, LOCK + ":readers"), "a:1:2", 5_000);
        assertThat(redis.text("HGET", LOCK, "a:1:1")).isEqualTo("1");
    }

    /** As a server does that stands still for 8 s when it has told a step the time. */
    private void standStill(Script script, List<String> keys, Object... arguments) {
        String source = script.source().replace("redis.call('TIME')", "{redis.call('TIME')[1] - 8, '0'}");
        List<String> words = new ArrayList<>(List.of("EVAL", source, Integer.toString(keys.size())));
        words.addAll(keys);
        Stream.of(arguments).map(Object::toString).forEach(words::add);
        redis.command(words.toArray(String[]::new));
    }

    private void join(String mode, String field, int lease) {
        scripts.run(Scripts.QUEUE_JOIN, KEYS, mode, field, lease, "", 1, WINDOW, PRESENCE, FREE);
    }

    private void take(String span, int lease) {
        scripts.run(Scripts.PERMIT_JOIN, KEYS_OF_PERMITS, span, lease, 1, WINDOW, PRESENCE, FREE);
    }

    private long left(String key) {
        return redis.integer("PTTL", key);
    }

    private long left(String set, String field) {
        return Long.parseLong(redis.text("ZSCORE", set, field)) - millis();
    }

    private long millis() {
        List<String> time = redis.list("TIME");
        return Long.parseLong(time.get(0)) * 1_000 + Long.parseLong(time.get(1)) / 1_000;
    }
}
