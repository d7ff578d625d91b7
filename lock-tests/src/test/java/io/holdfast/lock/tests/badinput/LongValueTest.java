package io.holdfast.lock.tests.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.ValueTooLongException;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A value that is too long stays on the server, and the locks of the processes that ask for it go on. */
@RedisTest
class LongValueTest {

    private static final String KEY = "holdfast:fenced:{big}";
    private static final int BYTES = 9 << 20;
    /** A server that copies so much may take longer than the client of other tests waits. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private LockClient client;
    private LockHold watched;
    private List<String> connections;

    @BeforeEach
    void hold(RedisServer redis, RawRedis raw) throws Exception {
        client = LockClient.connect(
                redis.url(), Clients.quick().commandTimeout(PATIENCE).build());
        watched = client.getLock("watched").acquire();
        connections = connections(raw);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void readingItIsATypedErrorAndBreaksNothing(RawRedis raw) throws Exception {
        raw.command("HSET", KEY, "token", "1", "value", "x".repeat(BYTES));
        FencedValue big = client.getFencedValue("big");
        for (int i = 0; i < 3; i++) {
            ValueTooLongException tooLong = catchThrowableOfType(ValueTooLongException.class, big::get);
            assertThat(tooLong.lengthBytes()).isEqualTo(BYTES);
            assertThatThrownBy(() -> big.get(7)).isInstanceOf(ValueTooLongException.class);
        }
        assertThat(raw.text("HGET", KEY, "token")).isEqualTo("1");
        othersGoOn(raw);

        assertThat(big.set("short again", 2)).isTrue();
        assertThat(big.get()).contains("short again");
    }

    @Test
    void writingItIsRefusedAndTheLongestTravels(RawRedis raw) throws Exception {
        FencedValue value = client.getFencedValue("big");
        String longest = "x".repeat(FencedValue.MAX_BYTES);
        assertThat(value.set(longest, 1)).isTrue();
        assertThat(value.get()).contains(longest);
        assertThatThrownBy(() -> value.set(longest + "x", 2)).isInstanceOf(ValueTooLongException.class);
        assertThat(value.get()).contains(longest);
        othersGoOn(raw);
    }

    @Test
    void inspectLeavesItWhereItIs(RawRedis raw) throws Exception {
        raw.command("HSET", Stored.key("odd"), "mode", "write", "big", "x".repeat(BYTES), "y".repeat(BYTES), "1");
        LockInfo odd = client.inspect("odd");
        assertThat(odd.locked()).isTrue();
        assertThat(odd.holders()).isEmpty();
        assertThat(client.getLock("odd").tryLock()).isFalse();
        othersGoOn(raw);
    }

    private void othersGoOn(RawRedis raw) throws Exception {
        client.getLock("another").acquire().close();
        assertThat(watched.state()).isEqualTo(HoldState.HELD);
        assertThat(connections(raw)).isEqualTo(connections);
    }

    private static List<String> connections(RawRedis raw) {
        return raw.clients().stream()
                .filter(each -> String.valueOf(each.get("name")).startsWith("holdfast"))
                .map((Map<String, String> each) -> each.get("id"))
                .toList();
    }
}
