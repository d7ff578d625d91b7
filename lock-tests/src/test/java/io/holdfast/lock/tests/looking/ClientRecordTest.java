package io.holdfast.lock.tests.looking;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientInfo;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.spi.Machine;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.tests.support.MinimalAcl;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client writes down about itself, and what others read of it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClientRecordTest extends ServerTest {

    private static final ClientOptions NAMED =
            ClientOptions.builder().applicationName("the shop").build();

    @Test
    void aHoldersIdLeadsToItsProcess() throws Exception {
        Instant before = Instant.now().minusMillis(5);
        LockClient holder = connect(NAMED);
        LockClient other = connect();
        assertThat(raw.list("KEYS", "holdfast:client:*")).isEmpty();
        LockHold hold = holder.getLock("stock").acquire();
        String key = key("holdfast", holder);
        eventually(() -> assertThat(raw.integer("PTTL", key)).isBetween(60_000L, 90_000L));
        Map<String, String> written = raw.map("HGETALL", key);
        assertThat(written)
                .containsOnlyKeys("application", "host", "process", "version", "since")
                .containsEntry("application", "the shop")
                .containsEntry("host", Machine.here().host())
                .containsEntry("process", String.valueOf(ProcessHandle.current().pid()));
        ClientInfo seen = holder(other.inspect("stock")).client().orElseThrow();
        assertThat(seen.id()).isEqualTo(holder.id());
        assertThat(seen.application()).isEqualTo("the shop");
        assertThat(seen.host()).isEqualTo(Machine.here().host());
        assertThat(seen.processId()).isEqualTo(ProcessHandle.current().pid());
        assertThat(seen.version()).isEqualTo(written.get("version"));
        assertThat(seen.since()).isBetween(before, Instant.now());
        assertThat(holder(holder.inspect("stock")).client()).contains(seen);
        try (Stream<LockInfo> locks = other.locks(LockQuery.all())) {
            assertThat(locks.map(lock -> holder(lock).client())).containsExactly(Optional.of(seen));
        }
        hold.close();
        holder.close();
        assertThat(raw.list("KEYS", "holdfast:client:*")).isEmpty();
    }

    @Test
    void eachPrefixHasItsRecord() throws Exception {
        LockClient client = connect(NAMED);
        LockOptions shop = LockOptions.builder().prefix("shop").build();
        client.getLock("stock").acquire().close();
        client.getLock("stock", shop).acquire().close();
        client.getLock("order", shop).acquire().close();
        eventually(() -> assertThat(raw.list("KEYS", "*:client:*"))
                .containsExactlyInAnyOrder(key("holdfast", client), key("shop", client)));
    }

    @Test
    void aClientThatIsToWritesNone() throws Exception {
        LockClient client = connect();
        LockClient other = connect();
        long before = scripts();
        LockHold hold = client.getLock("stock").acquire();
        assertThat(holder(client.inspect("stock")).client()).isEmpty();
        assertThat(holder(other.inspect("stock")).client()).isEmpty();
        hold.close();
        // Acquire, release, two looks, and one for the record of the other client.
        assertThat(scripts() - before).isEqualTo(5);
    }

    @Test
    void whatOthersHaveWrittenIsReadWithCare() throws Exception {
        LockClient client = connect();
        raw.command("HSET", "holdfast:{stock}", "evil:1:1", "1");
        String key = "holdfast:client:{evil}";
        raw.command("HSET", key, "application", "a\nb", "host", "h", "process", "7", "version", "v", "since", "x");
        assertThat(holder(client.inspect("stock")).client()).isEmpty();
        raw.command("HSET", key, "since", "2026-01-01T00:00:00Z");
        ClientInfo seen = holder(client.inspect("stock")).client().orElseThrow();
        assertThat(seen.application()).isEqualTo("a\\u000ab");
        assertThat(seen.since()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
        raw.command("HSET", key, "host", "h".repeat(10_000));
        assertThat(holder(client.inspect("stock")).client()).isEmpty();
        raw.command("DEL", key);
        raw.command("SET", key, "x");
        assertThat(holder(client.inspect("stock")).client()).isEmpty();
        raw.command("DEL", "holdfast:{stock}", key);
        raw.command("HSET", "holdfast:{stock}", "e}vil{:1:1", "1", "token", "5");
        assertThat(holder(client.inspect("stock")).client()).isEmpty();
        raw.command("DEL", "holdfast:{stock}");
    }

    @Test
    void aForeignKeyIsLeftAlone() throws Exception {
        LockClient client = connect(NAMED);
        String key = key("holdfast", client);
        raw.command("HSET", key, "field", "x");
        long before = scripts();
        client.getLock("stock").acquire().close();
        // Acquire, release, and what would be the record.
        eventually(() -> assertThat(scripts() - before).isEqualTo(3));
        client.close();
        assertThat(raw.map("HGETALL", key)).containsExactly(Map.entry("field", "x"));
        assertThat(raw.integer("PTTL", key)).isEqualTo(-1);
        raw.command("DEL", key);
    }

    /** The lock works, and so does the look; only the record is not there. */
    @Test
    void aUserWhoMayNotWriteRecordsHasLocks() throws Exception {
        raw.command(MinimalAcl.rule("narrow", "secret", MinimalAcl.commands()));
        raw.command("ACL", "SETUSER", "narrow", "resetkeys", "~holdfast:{*", "~holdfast:token:*");
        LockClient client = closing(LockClient.connect(redis.url().replace("://", "://narrow:secret@"), NAMED));
        LockClient other = connect();
        LockHold hold = client.getLock("stock").acquire();
        eventually(() -> assertThat(raw.list("ACL", "LOG").toString()).contains("holdfast:client:"));
        assertThat(raw.list("KEYS", "holdfast:client:*")).isEmpty();
        assertThat(holder(other.inspect("stock")).client()).isEmpty();
        assertThat(client.inspect("stock").locked()).isTrue();
        hold.close();
    }

    @Test
    void closingWaitsForNoServerThatIsGone() throws Exception {
        LockClient client =
                connect(NAMED.toBuilder().commandTimeout(Duration.ofSeconds(5)).build());
        client.getLock("stock").acquire().close();
        eventually(() -> assertThat(raw.list("KEYS", "holdfast:client:*")).hasSize(1));
        redis.pause();
        long begun = System.nanoTime();
        client.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
        redis.resume();
    }

    /** One command timeout, though two calls are made. */
    @Tag("proof")
    @Test
    void aLookHasOneCommandTimeout() throws Exception {
        LockClient holder = connect(NAMED);
        LockHold hold = holder.getLock("stock").acquire();
        eventually(() -> assertThat(raw.list("KEYS", "holdfast:client:*")).hasSize(1));
        try (FaultProxy proxy = FaultProxy.to(redis);
                LockClient slow = LockClient.connect(
                        proxy.url(),
                        ClientOptions.builder()
                                .clientRecord(false)
                                .commandTimeout(Duration.ofSeconds(2))
                                .build())) {
            slow.inspect("stock");
            proxy.delayReplies(Duration.ofMillis(1_200));
            long begun = System.nanoTime();
            LockInfo info = slow.inspect("stock");
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)).isBetween(1_100L, 2_350L);
            assertThat(info.locked()).isTrue();
            assertThat(holder(info).client()).isEmpty();
        }
        hold.close();
    }

    private static LockInfo.Holder holder(LockInfo info) {
        assertThat(info.holders()).hasSize(1);
        return info.holders().get(0);
    }

    private static String key(String prefix, LockClient client) {
        return prefix + ":client:{" + client.id() + "}";
    }
}
