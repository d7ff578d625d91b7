package io.holdfast.lock.engine.kind;

import static io.holdfast.lock.engine.kind.ScriptRun.CHANNEL;
import static io.holdfast.lock.engine.kind.ScriptRun.CLOCK;
import static io.holdfast.lock.engine.kind.ScriptRun.LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisTest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the scripts with one key do on a real server, for locks whose slot is being moved (rules 99, 120). */
@RedisTest
class MovingScriptTest {

    private static final String FIELD = "a:1:1";
    private static final String OTHER = "b:1:1";
    private static final String READERS = LOCK + ":readers";
    private static final String QUEUE = LOCK + ":queue";
    private static final List<String> QUEUE_KEYS = List.of(LOCK, CLOCK, READERS, QUEUE, LOCK + ":seen");
    private static final String FAR = "9999999999999";

    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    @Test
    void aLockIsTakenWithoutATokenAndConfirmedWithTheFirstThatComes() {
        assertThat(scripts.run(Scripts.TAKE, List.of(LOCK), FIELD, 5_000)).isEqualTo(List.of(1L, 0L));
        assertThat((List<?>) scripts.run(Scripts.TAKE, List.of(LOCK), OTHER, 5_000))
                .first()
                .isEqualTo(0L);
        long token = (Long) scripts.run(Scripts.MINT, List.of(CLOCK));

        assertThat(scripts.run(Scripts.CONFIRM, List.of(LOCK), OTHER, token)).isEqualTo(0L);
        assertThat(scripts.run(Scripts.CONFIRM, List.of(LOCK), FIELD, token)).isEqualTo(token);

        assertThat(scripts.keptToken()).isEqualTo(Long.toString(token));
        assertThat(scripts.run(Scripts.TAKE, List.of(LOCK), FIELD, 5_000)).isEqualTo(List.of(1L, token));
    }

    @Test
    void whatLeavesAKeyIsToldUnlessItWasAPlace() {
        redis.command("ZADD", READERS, FAR, FIELD, FAR, OTHER);
        redis.command("ZADD", QUEUE, "1", "w" + FIELD);

        assertThat(leave(READERS, CHANNEL, FIELD)).isEqualTo(List.of(1L, 0L));
        assertThat(leave(READERS, CHANNEL, FIELD)).isEqualTo(List.of(0L, 0L));
        assertThat(leave(QUEUE, "", "w" + FIELD)).isEqualTo(List.of(1L, 0L));

        assertThat(redis.list("ZRANGE", READERS, "0", "-1")).containsExactly(OTHER);
        assertThat(redis.integer("EXISTS", QUEUE)).isZero();
    }

    /** As in the queue: what is in its place does not keep the lock from being released. */
    @Test
    void aStrangerInThePlaceOfTheQueueHasNoMember() {
        redis.command("SET", QUEUE, "no queue");
        assertThat(leave(QUEUE, "", "w" + FIELD)).isEqualTo(List.of(0L, 0L));
        assertThat(members(QUEUE, 0)).isEmpty();
    }

    @Test
    void readersWhoseTimeIsOverAreNotSeen() {
        redis.command("ZADD", READERS, "1", FIELD, FAR, OTHER);
        assertThat(members(READERS, 1)).isEqualTo(List.of(OTHER));
        assertThat(members(READERS, 0)).isEqualTo(List.of(FIELD, OTHER));
    }

    /** The last reader left in its own key, and left behind what says that there are readers. */
    @Test
    void aMarkWithoutReadersIsFreeAndTheNextStepDropsIt() {
        redis.command("HSET", LOCK, "readers", "1");
        redis.command("PEXPIRE", LOCK, "60000");

        List<?> seen = (List<?>) scripts.run(Scripts.INSPECT, List.of(LOCK, READERS, QUEUE), CHANNEL);
        assertThat(seen.get(0)).isEqualTo(-2L);
        List<?> granted =
                (List<?>) scripts.run(Scripts.QUEUE_JOIN, QUEUE_KEYS, "w", FIELD, 5_000, "", 0, 1_000, 15_000, CHANNEL);

        assertThat(granted.get(0)).isEqualTo(1L);
        assertThat(redis.map("HGETALL", LOCK)).containsOnlyKeys(FIELD, "token");
    }

    private Object leave(String set, String channel, String member) {
        return scripts.run(Scripts.LEAVE, List.of(set), channel, member);
    }

    private List<?> members(String set, int onlyLive) {
        return (List<?>) scripts.run(Scripts.MEMBERS, List.of(set), onlyLive);
    }
}
