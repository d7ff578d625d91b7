package io.holdfast.lock.engine.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockOptions;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a name is called in Redis. */
class LockKeysTest {
    private static final LockOptions HOLDFAST = LockOptions.defaults();
    private static final LockOptions REDISSON =
            LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();

    @ParameterizedTest
    @CsvSource({
        "stock:42, holdfast:{stock:42}",
        "a{b}c, holdfast:{a%7Bb%7Dc}",
        "50%, holdfast:{50%25}",
        "%7B, holdfast:{%257B}",
        "Schlüssel, holdfast:{Schlüssel}",
    })
    void theWholeNameIsTheTagOfAHoldfastKey(String name, String key) {
        LockKeys names = LockKeys.of(name, HOLDFAST);

        assertThat(names.name()).isEqualTo(name);
        assertThat(names.key()).isEqualTo(key);
        assertThat(text(names.keyBytes())).isEqualTo(key);
        assertThat(text(names.channelBytes())).isEqualTo(key + ":free");
        assertThat(names.layout.keepsToken()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "stock:42, redisson_lock__channel:{stock:42}, redisson_lock_token:{stock:42}",
        "{stock}:42, redisson_lock__channel:{stock}:42, redisson_lock_token:{stock}:42",
        "}{a}, redisson_lock__channel:}{a}, redisson_lock_token:}{a}",
        "50%, redisson_lock__channel:{50%}, redisson_lock_token:{50%}",
    })
    void aRedissonKeyIsTheNameItself(String name, String channel, String counter) {
        LockKeys names = LockKeys.of(name, REDISSON);

        assertThat(names.name()).isEqualTo(name);
        assertThat(names.key()).isEqualTo(name);
        assertThat(text(names.channelBytes())).isEqualTo(channel);
        assertThat(text(names.counterBytes())).isEqualTo(counter);
        assertThat(names.layout.keepsToken()).isFalse();
    }

    /** There the name is the key, and such a lock would be taken for a term, or a term for a lock that is never freed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "holdfast:term",
                "holdfast:marker",
                "holdfast:token:{5}",
                "holdfast:fenced:{a}",
                "holdfast:wait:c"
            })
    void keysOfHoldfastsOwnAreNoLocksInTheRedissonScheme(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeys.of(name, REDISSON))
                .withMessage(
                        "lock name '" + name + "': in the redisson scheme that is a key of Holdfast's own (expected:"
                                + " another name, or another prefix)");
        assertThat(LockKeys.of(name, HOLDFAST).name()).isEqualTo(name);
        assertThat(LockKeys.of("my-" + name, REDISSON).key()).isEqualTo("my-" + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a{b", "a}b", "{}a"})
    void bracesThatSplitKeyAndChannelAreRefusedInTheRedissonScheme(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeys.of(name, REDISSON))
                .withMessageContaining("'" + name + "'")
                .withMessageContaining("no braces, or one {tag}");
        assertThat(LockKeys.of(name, HOLDFAST).name()).isEqualTo(name);
    }

    /** The likeliest twin of a name is the name as it looks in a key, so that one is tried with every name. */
    @Property(tries = 500)
    void distinctNamesNeverShareAKey(
            @ForAll @StringLength(min = 1, max = 4) @Chars({'%', '{', '}', '2', '5', '7', 'B', 'D'}) String one,
            @ForAll @StringLength(min = 1, max = 4) @Chars({'%', '{', '}', '2', '5', '7', 'B', 'D'}) String other) {
        String key = LockKeys.of(one, HOLDFAST).key();
        String escaped = key.substring("holdfast:{".length(), key.length() - 1);

        assertDistinct(one, other);
        assertDistinct(one, escaped);
    }

    private static void assertDistinct(String one, String other) {
        boolean same = one.equals(other);
        assertThat(LockKeys.of(one, HOLDFAST)
                        .key()
                        .equals(LockKeys.of(other, HOLDFAST).key()))
                .as("the key of '%s' is that of '%s'", one, other)
                .isEqualTo(same);
        assertThat(Arrays.equals(LockKeys.fencedKey(one, "holdfast"), LockKeys.fencedKey(other, "holdfast")))
                .isEqualTo(same);
    }

    @Property(tries = 300)
    void aNameCanBeReadBackFromItsKey(
            @ForAll @StringLength(min = 1, max = 12) @Chars({'%', '{', '}', '2', '5', '7', 'B', 'D'}) String name) {
        assertThat(LockKeys.of(name, HOLDFAST).name()).isEqualTo(name);
        assertThat(LockKeys.of(name, prefixed("%7B:")).name()).isEqualTo(name);
    }

    @Property(tries = 500)
    void noLockLivesWhereAClockOrAValueDoes(
            @ForAll @StringLength(min = 1, max = 6) @Chars({'{', '}', '%', ':', 't', '1'}) String one,
            @ForAll @StringLength(min = 1, max = 6) @Chars({'{', '}', '%', ':', 't', '1'}) String other,
            @ForAll("prefixes") String prefix,
            @ForAll("prefixes") String otherPrefix) {
        LockKeys names = LockKeys.of(one, prefixed(prefix));
        LockKeys others = LockKeys.of(other, prefixed(otherPrefix));

        assertThat(names.keyBytes())
                .isNotEqualTo(others.clockBytes())
                .isNotEqualTo(others.channelBytes())
                .isNotEqualTo(LockKeys.fencedKey(other, otherPrefix));
        assertThat(LockKeys.fencedKey(one, prefix)).isNotEqualTo(others.clockBytes());
    }

    /** One begins like another, or ends like what follows it. */
    @Provide
    Arbitrary<String> prefixes() {
        return Arbitraries.of("shop", "shop:token:", "shop:fenced:", "token", ":", "shop:", "%7B");
    }

    @Property(tries = 500)
    void aRedissonNameIsRefusedForItsBracesOnlyAndElseStaysInOneSlot(
            @ForAll @StringLength(min = 1, max = 8) @Chars({'a', '{', '}', '%'}) String name) {
        LockKeys names;
        try {
            names = LockKeys.of(name, REDISSON);
        } catch (IllegalArgumentException refused) {
            assertThat(name).containsAnyOf("{", "}");
            return;
        }

        assertThat(List.of(
                        Slots.of(names.keyBytes()),
                        Slots.of(names.channelBytes()),
                        Slots.of(names.clockBytes()),
                        Slots.of(names.counterBytes())))
                .containsOnly(names.slot);
    }

    @Test
    void onlyAFencedLockOnRedissonsKeysCountsItsTokens() {
        assertThat(KeyLayout.ofFenced(REDISSON).countsTokens()).isTrue();
        assertThat(KeyLayout.of(REDISSON).countsTokens()).isFalse();
        assertThat(KeyLayout.ofFenced(HOLDFAST).countsTokens()).isFalse();
        assertThat(KeyLayout.ofFenced(REDISSON).keys("stock")).isEqualTo(LockKeys.of("stock", REDISSON));
    }

    @Test
    void theSameNameUnderManyPrefixesHasManyHashCodes() {
        Set<Integer> hashes = new HashSet<>();
        for (int tenant = 0; tenant < 1_000; tenant++) {
            hashes.add(LockKeys.of("stock", prefixed("tenant" + tenant)).hashCode());
        }
        assertThat(hashes).hasSizeGreaterThan(900);
    }

    @Test
    void aNameIsMeasuredInBytes() {
        assertThat(LockKeys.of("a".repeat(1024), HOLDFAST).name()).hasSize(1024);
        assertThat(LockKeys.of("é".repeat(512), HOLDFAST).name()).hasSize(512);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeys.of("a".repeat(1025), HOLDFAST))
                .withMessageContaining("1025")
                .withMessageContaining("at most 1024");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeys.of("é".repeat(512) + "a", HOLDFAST))
                .withMessageContaining("1025");
    }

    @Test
    void anEmptyNameIsRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> LockKeys.of(null, HOLDFAST))
                .withMessage("lock name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeys.of("", HOLDFAST))
                .withMessageContaining("lock name is empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeys.fencedKey("", "holdfast"))
                .withMessageContaining("value name is empty");
    }

    @Test
    void halfASurrogatePairIsRefusedAndAWholeOneIsNot() {
        String pair = "\uD83D\uDD12";

        assertThat(LockKeys.of(pair, HOLDFAST).keyBytes()).hasSize("holdfast:{}".length() + 4);
        for (String half : List.of(pair.substring(0, 1), pair.substring(1), "a\uDD12\uD83D")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LockKeys.of(half, HOLDFAST))
                    .withMessageContaining("unpaired surrogate");
        }
    }

    private static LockOptions prefixed(String prefix) {
        return LockOptions.builder().prefix(prefix).build();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
