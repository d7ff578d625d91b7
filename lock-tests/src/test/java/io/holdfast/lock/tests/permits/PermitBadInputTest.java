package io.holdfast.lock.tests.permits;

import static io.holdfast.lock.tests.support.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What semaphores refuse, each with its sentence, and nothing is sent. */
class PermitBadInputTest extends PermitTest {

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_001})
    void aNumberOfPermitsThatCannotBe(int permits) {
        String sentence = "semaphore '" + NAME + "': permits: " + permits + " (expected: 1 to 1000 in one call)";
        assertRefused(() -> slots(client).acquire(permits), sentence);
        assertRefused(() -> slots(client).tryAcquireAsync(permits), sentence);
        assertRefused(() -> semaphore(client).acquire(permits), sentence);
        assertRefused(() -> semaphore(client).tryAcquire(permits), sentence);
        assertRefused(() -> semaphore(client).release(permits), sentence);
    }

    @Test
    void aLimitBelowZero() {
        String sentence = "semaphore '" + NAME + "': limit: -1 (expected: 0 to 2147483647 permits)";
        assertRefused(() -> slots(client).setPermits(-1), sentence);
        assertRefused(() -> slots(client).trySetPermits(-1), sentence);
        assertRefused(() -> semaphore(client).setPermitsAsync(-1), sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "17", "a b:h1:1", "a:h1:1*3", "a:h1:", "a:h1:1\n", "a:b:h1:1", "a:h1:01", "a:17:1"})
    void whatCannotBeAnId(String id) {
        assertRefused(() -> slots(client).release(id), "permit id", "(expected: what acquire has returned)");
        assertRefused(() -> slots(client).tryRelease(id), "permit id");
        assertRefused(() -> slots(client).updateLeaseTime(id, 1, TimeUnit.SECONDS), "permit id");
        assertRefused(() -> slots(client).release(List.of(client.id() + ":h1:1", id)), "permit id");
    }

    @Test
    void whatIsNotThereIsNamed() {
        assertRefused(() -> slots(client).release((String) null), "permitId");
        assertRefused(() -> slots(client).releaseAsync((String) null), "permitId");
        assertRefused(() -> slots(client).release((List<String>) null), "permitIds");
        assertRefused(() -> slots(client).release(Arrays.asList(client.id() + ":h1:1", null)), "permitId");
        assertRefused(() -> slots(client).updateLeaseTime(client.id() + ":h1:1", 1, null), "unit");
    }

    @Test
    void aLeaseThatCannotBe() {
        String id = client.id() + ":h1:1";
        assertRefused(() -> slots(client).updateLeaseTime(id, 0, TimeUnit.SECONDS), "lease: 0 s", "at least 10 ms");
        assertRefused(() -> slots(client).updateLeaseTime(id, Long.MAX_VALUE, TimeUnit.DAYS), "lease: ", "at most");
    }

    /** What is told of a permit names the semaphore, and no lock of that name. */
    @Test
    void theSentencesOfAHoldNameTheSemaphore() throws Exception {
        slots(client).setPermits(2);
        LockHold other = slots(client).acquireHold();
        LockHold released = slots(client).acquireHold();
        released.close();
        assertThatThrownBy(() -> released.extend(Duration.ofSeconds(5)))
                .isInstanceOf(LockNotHeldException.class)
                .hasMessageContainingAll("semaphore '" + NAME + "'", "not held by handle");
        raw.command("DEL", PERMITS);
        assertThatThrownBy(other::close)
                .isInstanceOf(LockLostException.class)
                .hasMessageContainingAll("semaphore '" + NAME + "'", "was lost: KEY_GONE");
    }

    @Test
    void aClosedClientReleasesNone() {
        client.close();
        assertThatThrownBy(() -> semaphore(client).release())
                .isInstanceOf(LockClientClosedException.class)
                .hasMessageContaining("semaphore '" + NAME + "'");
    }

    @Test
    void redissonsSchemeHasNone() {
        LockOptions shared = LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
        assertRefused(() -> client.getSemaphore(NAME, shared), "semaphore '" + NAME + "'", "no owners");
        assertRefused(() -> client.getPermitExpirableSemaphore(NAME, shared), "semaphore '" + NAME + "'", "HOLDFAST");
    }

    /** Its client asks for no marker, which would be a call of its own. */
    @Test
    void aQuorumHasNone() {
        QuorumOptions withoutMarkers =
                QuorumOptions.builder().restartGuard(false).build();
        try (LockClient quorum = LockClient.connectQuorum(
                List.of(redis.url()),
                ClientOptions.builder().clientRecord(false).build(),
                withoutMarkers)) {
            eventually(() -> assertThat(quorum.connections()).isNotEmpty());
            long before = scripts();
            assertThatThrownBy(() -> quorum.getSemaphore(NAME))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContainingAll("semaphore '" + NAME + "'", "three", "a client of one");
            assertThatThrownBy(() -> quorum.getPermitExpirableSemaphore(NAME))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThat(scripts()).as("nothing was sent").isEqualTo(before);
        }
    }

    /** The error names the semaphore and the key, and not what is in it. */
    @Test
    void aKeyOfAnotherType() {
        raw.command("SET", PERMITS, "text");
        assertThatThrownBy(() -> slots(client).acquire())
                .isInstanceOf(LockServerException.class)
                .hasMessageContainingAll("semaphore '" + NAME + "'", "WRONGTYPE", PERMITS + " is a string")
                .satisfies(told ->
                        assertThat(((LockServerException) told).reason()).isEqualTo(FailureReason.WRONGTYPE));
        raw.command("DEL", PERMITS);
    }

    /** With no limit that can be read none is let in. */
    @ParameterizedTest
    @ValueSource(strings = {":limit", ":permits:queue"})
    void whatStandsBesideThePermitsKeepsNoneFromBeingReleased(String beside) throws Exception {
        String key = Stored.key(NAME) + beside;
        slots(client).setPermits(2);
        List<String> ids = slots(client).acquire(2);
        RFuture<String> waits = queued(slots(other)::acquireAsync);
        raw.command("SET", key, "precious");
        slots(client).release(ids.get(0));
        slots(other).release(ids.get(1));
        assertThat(taken()).isEmpty();
        assertThat(raw.text("GET", key)).isEqualTo("precious");
        assertThatThrownBy(() -> slots(other).acquire())
                .isInstanceOf(LockServerException.class)
                .hasMessageContainingAll("semaphore '" + NAME + "'", "WRONGTYPE", key + " is a string");
        waits.cancel(true);
        raw.command("DEL", key, PERMITS + ":queue", PERMITS + ":seen");
    }

    /** No call counts as present then, and each asks for itself. */
    @Test
    void whatStandsWhereClientsAreSeenKeepsNoPermitFromBeingReleased() throws Exception {
        slots(client).setPermits(1);
        String id = slots(client).acquire();
        long before = scripts();
        RFuture<String> waits = queued(slots(other)::acquireAsync);
        // Its place, and the look when it listens: after these two it sleeps.
        eventually(() -> assertThat(scripts() - before).isEqualTo(2));
        raw.command("SET", PERMITS + ":seen", "precious");
        slots(client).release(id);
        slots(other).release(get(waits));
        assertThat(raw.text("GET", PERMITS + ":seen")).isEqualTo("precious");
        raw.command("DEL", PERMITS + ":seen");
    }

    @Test
    void withMemoryFullOnlyComingIsRefused() throws Exception {
        slots(client).setPermits(2);
        LockHold one = slots(client)
                .tryAcquireHold(Duration.ZERO, Duration.ofSeconds(30))
                .orElseThrow();
        LockHold two = slots(other)
                .tryAcquireHold(Duration.ZERO, Duration.ofSeconds(30))
                .orElseThrow();
        RFuture<String> waits = queued(slots(client)::acquireAsync);
        raw.command("CONFIG", "SET", "maxmemory", "1");
        assertThatThrownBy(() -> slots(other).acquire())
                .isInstanceOf(LockServerException.class)
                .hasMessageContainingAll("semaphore '" + NAME + "'", "OOM");
        one.extend(Duration.ofSeconds(60));
        one.close();
        slots(client).release(get(waits));
        two.close();
        raw.command("CONFIG", "SET", "maxmemory", "0");
    }

    private void assertRefused(ThrowingCallable call, String... sentence) {
        long before = scripts();
        assertThatThrownBy(call).hasMessageContainingAll(sentence);
        assertThat(scripts()).as("nothing was sent").isEqualTo(before);
    }
}
