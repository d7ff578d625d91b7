package io.holdfast.lock.tests.looking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.MinimalAcl;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The locks of a store, as a stream. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SearchTest extends ServerTest {

    private static final LockOptions REDISSON =
            LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();

    @Test
    void eachLockComesOnceAndAsInspectSeesIt() throws Exception {
        LockClient client = connect();
        LockClient other = connect();
        List<LockHold> held = IntStream.range(0, 250)
                .mapToObj(i -> Futures.get(
                        (i % 2 == 0 ? client : other).getLock("lock " + i).acquireAsync()))
                .toList();
        try (Stream<LockInfo> locks = client.locks(LockQuery.all().withPageSize(10))) {
            List<LockInfo> all = locks.toList();
            assertThat(all).hasSize(250).extracting(LockInfo::name).doesNotHaveDuplicates();
            LockInfo seven = all.stream()
                    .filter(lock -> lock.name().equals("lock 7"))
                    .findFirst()
                    .orElseThrow();
            LockInfo inspected = client.inspect("lock 7");
            assertThat(seven.holders()).isEqualTo(inspected.holders());
            assertThat(seven.heldByThisClient()).isFalse();
            assertThat(seven.timeToLive().orElseThrow()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
        }
        held.forEach(LockHold::close);
        assertThat(names(client, LockQuery.all())).isEmpty();
    }

    /** Clocks, values, records, markers, what is written for replicas, and what users keep there. */
    @Test
    void whatIsNoLockDoesNotCome() throws Exception {
        LockClient client = connect(ClientOptions.defaults());
        LockHold hold = client.getLock("the lock").acquire();
        client.getFencedValue("value").set("1", hold.fencingToken());
        raw.command("SET", "holdfast:marker", "x");
        raw.command("SET", "holdfast:wait:client", "x");
        raw.command("SET", "holdfast:{text}", "x");
        raw.command("HSET", "holdfast:client:{nobody}", "since", "x");
        raw.command("HSET", "another:{lock}", "field", "1");
        assertThat(names(client, LockQuery.all())).containsExactly("the lock");
        hold.close();
        raw.command("DEL", "holdfast:wait:client", "holdfast:{text}", "another:{lock}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "order:*     | order:1, order:22",
                "order:?     | order:1",
                "*:1         | order:1, stock:1",
                "[op]*       | order:1, order:22",
                "[^o]*       | stock:1, {braces}%, äöü, a*b",
                "order:[0-1] | order:1",
                "???         | äöü, a*b",
                "a\\*b       | a*b",
                "{*          | {braces}%",
                "*****       | order:1, order:22, stock:1, {braces}%, äöü, a*b",
                "none        | ''"
            })
    void patternsAreOfNames(String pattern, String expected) throws Exception {
        LockClient client = connect();
        List<LockHold> held = Stream.of("order:1", "order:22", "stock:1", "{braces}%", "äöü", "a*b")
                .map(name -> Futures.get(client.getLock(name).acquireAsync()))
                .toList();
        assertThat(names(client, LockQuery.pattern(pattern)))
                .containsExactlyInAnyOrder(expected.isEmpty() ? new String[0] : expected.split(", "));
        held.forEach(LockHold::close);
    }

    @Test
    void aPrefixIsTakenAtItsWord() throws Exception {
        LockClient client = connect();
        List<LockHold> held = Stream.of("a*[b\n\\-1", "a*[b\n\\-2", "ax[b\n\\-3")
                .map(name -> Futures.get(client.getLock(name).acquireAsync()))
                .toList();
        assertThat(names(client, LockQuery.prefix("a*[b\n\\-"))).containsExactly("a*[b\n\\-1", "a*[b\n\\-2");
        assertThat(names(client, LockQuery.prefix(""))).hasSize(3);
        held.forEach(LockHold::close);
    }

    /** It would take a server with Redis's own matching longer than the test. */
    @Test
    void aPatternOfManyStarsIsNoBurden() throws Exception {
        LockClient client = connect();
        LockHold hold = client.getLock("a".repeat(1_000)).acquire();
        assertThat(names(client, LockQuery.pattern("*a".repeat(1_000) + "b"))).isEmpty();
        hold.close();
    }

    @Test
    void withRedissonsKeysWhatLooksLikeALockComes() throws Exception {
        LockClient client = connect();
        LockHold hold = client.getLock("plain", REDISSON).acquire();
        raw.command("HSET", "someone's", "8743c9c0-0795-4907-87fd-6c719a6b4586:23", "2");
        raw.command("PEXPIRE", "someone's", "30000");
        raw.command("HSET", "map", "field", "1");
        raw.command("HSET", "person", "name", "x", "age", "17");
        raw.command("SET", "text", "x");
        List<LockInfo> locks = all(client, LockQuery.all().withOptions(REDISSON));
        assertThat(locks).extracting(LockInfo::name).containsExactlyInAnyOrder("plain", "someone's");
        LockInfo others = locks.stream()
                .filter(lock -> lock.name().equals("someone's"))
                .findFirst()
                .orElseThrow();
        LockInfo.Holder holder = others.holders().get(0);
        assertThat(holder.holdCount()).isEqualTo(2);
        assertThat(holder.fencingToken()).isEmpty();
        assertThat(holder.since()).isEmpty();
        assertThat(holder.client()).isEmpty();
        hold.close();
        raw.command("DEL", "someone's", "map", "person", "text");
    }

    /** Redis knows the number of a cursor only; a proxy, or another server, may repeat itself for ever. */
    @Test
    void noMoreKeysAreLookedAtThanAllowed() throws Exception {
        LockClient client = connect();
        List<LockHold> held = IntStream.range(0, 200)
                .mapToObj(i -> Futures.get(client.getLock("lock " + i).acquireAsync()))
                .toList();
        long before = scripts();
        long pages = raw.calls("scan");
        List<LockInfo> some = all(client, LockQuery.all().withPageSize(10).withMaxKeys(25));
        assertThat(raw.calls("scan") - pages).isEqualTo(3);
        assertThat(scripts() - before).as("one for each page").isEqualTo(3);
        assertThat(some.size()).isBetween(1, 60);
        held.forEach(LockHold::close);
    }

    @Test
    void itIsLazyAndEndsWhenItIsClosed() throws Exception {
        LockClient client = connect();
        List<LockHold> held = IntStream.range(0, 100)
                .mapToObj(i -> Futures.get(client.getLock("lock " + i).acquireAsync()))
                .toList();
        long before = scripts();
        Stream<LockInfo> locks = client.locks(LockQuery.all().withPageSize(10));
        assertThat(scripts()).isEqualTo(before);
        Iterator<LockInfo> read = locks.iterator();
        assertThat(read.next().locked()).isTrue();
        assertThat(scripts() - before).isBetween(1L, 3L);
        locks.close();
        int rest = 0;
        while (read.hasNext()) {
            read.next();
            rest++;
        }
        assertThat(rest).isLessThan(30);
        held.forEach(LockHold::close);
    }

    /** Most of the time a search pauses, and the timer that ends a pause goes with the client. */
    @Tag("proof")
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aSearchThatPausesEndsWithItsClient() throws Exception {
        LockClient client = connect();
        raw.command("EVAL", "for i = 1, 200000 do redis.call('SET', 'key' .. i, 'x') end", "0");
        CompletableFuture<Long> reading = CompletableFuture.supplyAsync(
                () -> client.locks(LockQuery.all().withPageSize(10_000)).count());
        eventually(() -> assertThat(raw.calls("scan")).isBetween(1L, 15L));
        client.close();
        assertThatThrownBy(() -> Futures.get(reading)).isInstanceOf(LockClientClosedException.class);
        raw.command("FLUSHALL");
    }

    @Test
    void aThreadOfTheConnectionsMayNotRead() throws Exception {
        LockClient client = connect(ClientOptions.builder()
                .clientRecord(false)
                .callbackExecutor(Runnable::run)
                .build());
        LockHold first = client.getLock("any").acquire();
        CompletableFuture<Long> refused = client.getLock("any")
                .acquireAsync()
                .toCompletableFuture()
                .thenApply(second -> {
                    second.releaseAsync();
                    return client.locks(LockQuery.all()).count();
                });
        first.close();
        assertThatThrownBy(() -> Futures.get(refused))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("locks would block");
    }

    @Test
    void faultsNameTheServerAndTheQuery() throws Exception {
        LockClient client = connect(ClientOptions.builder()
                .clientRecord(false)
                .commandTimeout(Duration.ofMillis(200))
                .build());
        redis.pause();
        assertThatThrownBy(() -> names(client, LockQuery.prefix("order:")))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("locks of LockQuery{pattern=order:*")
                .hasMessageContaining(String.valueOf(redis.port()));
        redis.resume();
        client.close();
        assertThatThrownBy(() -> names(client, LockQuery.all()))
                .isInstanceOf(LockClientClosedException.class)
                .hasMessageContaining("LockQuery{pattern=*");
    }

    @Test
    void aUserWithoutTheRightIsToldWhichOne() throws Exception {
        TreeSet<String> commands = new TreeSet<>(MinimalAcl.commands());
        commands.remove("scan");
        raw.command(MinimalAcl.rule("narrow", "secret", commands));
        LockClient client = closing(LockClient.connect(redis.url().replace("://", "://narrow:secret@")));
        assertThatThrownBy(() -> names(client, LockQuery.all()))
                .isInstanceOf(LockServerException.class)
                .hasMessageContaining("NOPERM");
    }

    /** It is asked for together with others, and then alone. */
    @Test
    void aLockThatTheUserMayNotLookAtDoesNotCome() throws Exception {
        LockClient all = connect();
        List<LockHold> held = Stream.of("mine", "other's", "mine too")
                .map(name -> Futures.get(all.getLock(name).acquireAsync()))
                .toList();
        raw.command("ACL", "SETUSER", "narrow", "on", ">secret", "~holdfast:{mine*", "&*", "+@all");
        LockClient client = closing(LockClient.connect(redis.url().replace("://", "://narrow:secret@")));
        assertThat(names(client, LockQuery.all())).containsExactly("mine", "mine too");
        held.forEach(LockHold::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[", "[a", "[]", "a\\", "[\\"})
    void malformedPatternsAreRefused(String pattern) throws Exception {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockQuery.pattern(pattern))
                .withMessageStartingWith("pattern: ")
                .withMessageContaining("(expected: ");
    }

    @Test
    void numbersOutOfBoundsAreRefused() throws Exception {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockQuery.all().withPageSize(0))
                .withMessage("pageSize: 0 (expected: 1 to 10000)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockQuery.all().withMaxKeys(0))
                .withMessage("maxKeys: 0 (expected: 1 or more)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockQuery.pattern("a".repeat(2_050)))
                .withMessage("pattern: 2050 characters (expected: 1 to 2049)");
        assertThat(LockQuery.prefix("*".repeat(1_024)).matches("*".repeat(1_024)))
                .isTrue();
    }

    private static List<LockInfo> all(LockClient client, LockQuery query) {
        try (Stream<LockInfo> locks = client.locks(query)) {
            return locks.toList();
        }
    }

    private static List<String> names(LockClient client, LockQuery query) {
        return all(client, query).stream().map(LockInfo::name).sorted().toList();
    }
}
