package io.holdfast.lock.engine.kind;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisTest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which places {@code sweep} takes out of a queue on a real server (rule 122). */
@RedisTest
class SweepScriptTest {

    private static final String QUEUE = "holdfast:{a}:queue";

    private RawRedis redis;
    private ScriptRun scripts;

    @BeforeEach
    void connect(RawRedis redis) {
        this.redis = redis;
        this.scripts = new ScriptRun(redis);
    }

    @Test
    void theClientsPlacesThatAreOlderThanItsOldestCallLeave() {
        stand("wa:1:4", "wb:1:3", "ra:h17:9", "wa:2:12", "wa:-1:13", "waa:1:2");

        assertThat(scripts.run(Scripts.SWEEP, List.of(QUEUE), "a:", 12)).isEqualTo(2L);

        assertThat(waiting()).containsExactly("wb:1:3", "wa:2:12", "wa:-1:13", "waa:1:2");
    }

    /** Of permits that are taken together the first one's number counts. */
    @Test
    void spansCountByTheirFirstPermit() {
        stand("pa:1:4*30", "pa:1:40*3");

        assertThat(scripts.run(Scripts.SWEEP, List.of(QUEUE), "a:", 34)).isEqualTo(1L);

        assertThat(waiting()).containsExactly("pa:1:40*3");
    }

    @Test
    void whatIsNoPlaceStays() {
        stand("wa:", "wa:x", "a", "wa:1:y");

        assertThat(scripts.run(Scripts.SWEEP, List.of(QUEUE), "a:", 34)).isEqualTo(0L);

        assertThat(waiting()).hasSize(4);
    }

    private void stand(String... members) {
        for (int place = 0; place < members.length; place++) {
            redis.command("ZADD", QUEUE, Integer.toString(place), members[place]);
        }
    }

    private List<String> waiting() {
        return redis.list("ZRANGE", QUEUE, "0", "-1");
    }
}
