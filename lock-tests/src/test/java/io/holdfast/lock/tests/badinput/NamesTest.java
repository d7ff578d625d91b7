package io.holdfast.lock.tests.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@RedisTest
class NamesTest {

    private static final LockOptions REDISSON =
            LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();

    private LockClient client;

    @BeforeEach
    void connect(RedisServer redis) {
        client = Clients.connect(redis.url());
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    @SuppressWarnings("NullAway") // the mistake under test
    void noName() {
        assertThatThrownBy(() -> client.getLock(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> client.inspect(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> client.getFencedValue(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> client.getLock("job", null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("options");
    }

    @Test
    void anEmptyName() {
        assertThatThrownBy(() -> client.getLock(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("empty")
                .hasMessageContaining("1 to 1024");
        assertThatThrownBy(() -> client.getFencedValue("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNameThatIsTooLong() throws Exception {
        for (String name : List.of("x".repeat(1_025), "ä".repeat(513), "\uD83D\uDD12".repeat(257))) {
            assertThatThrownBy(() -> client.getLock(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1024")
                    .hasMessageMatching("(?s).{0,200}");
        }
        for (String name : List.of("x".repeat(1_024), "ä".repeat(512), "\uD83D\uDD12".repeat(256))) {
            client.getLock(name).acquire().close();
            client.getLock(name, REDISSON).acquire().close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD83D", "job\uDD12", "\uDD12\uD83D", "a\uD83Db"})
    void aNameWithAnUnpairedSurrogate(String name) {
        assertThatThrownBy(() -> client.getLock(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("surrogate");
        assertThatThrownBy(() -> client.getLock(name, REDISSON)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a}b", "a{b", "{}", "{}a", "a{}", "}{", "{{a}}b}", "}"})
    void bracesAreEscapedInTheHoldfastScheme(String name, RawRedis raw) throws Exception {
        try (LockHold hold = client.getLock(name).acquire()) {
            assertThat(hold.name()).isEqualTo(name);
            assertThat(Stored.leftovers(raw)).singleElement().satisfies(key -> {
                assertThat(key).startsWith("holdfast:{").endsWith("}");
                assertThat(key.substring("holdfast:{".length(), key.length() - 1))
                        .doesNotContain("{", "}");
            });
            assertThat(client.inspect(name).heldByThisClient()).isTrue();
        }
        assertThat(Stored.leftovers(raw)).isEmpty();
    }

    @Test
    void namesThatDifferHaveKeysThatDiffer(RawRedis raw) throws Exception {
        List<String> names =
                List.of("a{b", "a%7Bb", "a%7bb", "a%257Bb", "a}b", "a%7Db", "a%b", "a%25b", "ab", "a b", "A{b");
        List<LockHold> holds = new ArrayList<>();
        for (String name : names) {
            holds.add(client.getLock(name).acquire());
        }
        assertThat(Stored.leftovers(raw)).hasSize(names.size());
        for (LockHold hold : holds) {
            hold.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a}b{c", "a{b", "a{}b", "{", "{}", "{a"})
    void bracesThatPartKeyAndChannelAreRefusedInTheRedissonScheme(String name, RawRedis raw) {
        assertThatThrownBy(() -> client.getLock(name, REDISSON))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining("slots");
        assertThat(Stored.leftovers(raw)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "{a}", "{a}b", "x{a}b", "{a}{b}"})
    void otherNamesAreTheKeyInTheRedissonScheme(String name, RawRedis raw) throws Exception {
        try (LockHold hold = client.getLock(name, REDISSON).acquire()) {
            assertThat(hold.name()).isEqualTo(name);
            assertThat(Stored.leftovers(raw)).containsExactly(name);
        }
        assertThat(Stored.leftovers(raw)).isEmpty();
    }

    @Test
    void oddNamesAreNoTrouble(RawRedis raw) {
        for (String name :
                List.of(" ", "\0", "\r\n", "*", "token", "free", "'; DEL *", "$-1\r\n", "日本語", "\uD83D\uDD12")) {
            assertThatCode(() -> client.getLock(name).acquire().close())
                    .as(name)
                    .doesNotThrowAnyException();
            assertThatCode(() -> client.getLock(name, REDISSON).acquire().close())
                    .as(name)
                    .doesNotThrowAnyException();
        }
        assertThat(Stored.leftovers(raw)).isEmpty();
    }
}
