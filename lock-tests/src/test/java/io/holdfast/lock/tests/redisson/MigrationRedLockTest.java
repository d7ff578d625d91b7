package io.holdfast.lock.tests.redisson;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.ServerTest;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

/** The rows of docs/redisson.md that are of locks over several servers, beside Redisson's lock of that kind. */
@Tag("proof")
@RedisTest(servers = 3)
class MigrationRedLockTest extends ServerTest {

    private List<RedissonClient> redissons;
    private org.redisson.api.RLock theirs;
    private RLock ours;
    private LockClient client;

    @BeforeEach
    void composeBoth() {
        redissons = servers.stream().map(SideBySide::connectRedisson).toList();
        theirs = redissons
                .get(0)
                .getRedLock(redissons.stream()
                        .map(redisson -> redisson.getLock("theirs"))
                        .toArray(org.redisson.api.RLock[]::new));
        List<LockClient> clients = servers.stream()
                .map(server -> closing(LockClient.connect(
                        server.url(),
                        ClientOptions.builder().lockOptions(SideBySide.SHARED).build())))
                .toList();
        client = clients.get(0);
        ours = client.getRedLock(
                clients.stream().map(each -> each.getLock("ours")).toArray(RLock[]::new));
    }

    @AfterEach
    void closeRedisson() {
        redissons.forEach(RedissonClient::shutdown);
    }

    @Test
    void membersOfOneServer() throws Exception {
        RedissonClient one = redissons.get(0);
        org.redisson.api.RLock theirsOfOne = one.getRedLock(one.getLock("a"), one.getLock("b"), one.getLock("c"));
        assertThat(theirsOfOne.tryLock(1, 10, SECONDS)).isTrue();
        theirsOfOne.unlock();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.getRedLock(client.getLock("a"), client.getLock("b"), client.getLock("c")))
                .withMessageContaining("same server");
    }

    @Test
    void questions() {
        List<Callable<?>> unanswered = List.of(
                theirs::isLocked, theirs::getHoldCount, theirs::remainTimeToLive, theirs::forceUnlock, theirs::getName);
        assertThat(unanswered).allSatisfy(question -> assertThatThrownBy(question::call)
                .isInstanceOf(UnsupportedOperationException.class));

        ours.lock();
        assertThat(ours.isLocked()).isTrue();
        assertThat(ours.getHoldCount()).isEqualTo(1);
        assertThat(ours.remainTimeToLive()).isPositive();
        assertThat(ours.getName()).isEqualTo("ours");
        assertThat(ours.forceUnlock()).isTrue();
    }

    @Test
    @Tag("proof")
    void aNodeThatHangs() throws Exception {
        servers.get(0).pause();
        try {
            assertThat(millis(() -> {
                        assertThat(theirs.tryLock(20, 30, SECONDS)).isTrue();
                        return theirs;
                    }))
                    .as("theirs")
                    .isGreaterThan(2_000);
            assertThat(millis(() -> {
                        ours.lock();
                        return ours;
                    }))
                    .as("ours")
                    .isLessThan(1_000);
        } finally {
            servers.get(0).resume();
        }
        ours.unlock();
        raws.forEach(raw -> eventually(() -> {
            raw.command("DEL", "theirs");
            assertThat(raw.list("KEYS", "*theirs*")).isEmpty();
        }));
    }

    @Test
    void nodesThatWereRestarted() throws Exception {
        theirs.lock();
        ours.lock();
        for (RedisServer server : servers.subList(0, 2)) {
            server.kill();
            server.restart();
        }
        Thread other = new Thread(() -> secondOwner.set(theirs.tryLock()));
        other.start();
        other.join();
        assertThat(secondOwner).as("theirs has two owners").isTrue();

        RFuture<LockHold> waiter = ours.acquireAsync();
        assertThatThrownBy(() -> waiter.get(2, SECONDS)).as("ours has one").isInstanceOf(TimeoutException.class);
        waiter.cancel(true);
        for (RedisServer server : servers) {
            try (RawRedis fresh = server.connect()) {
                fresh.command("DEL", "theirs");
            }
        }
        assertThatThrownBy(ours::unlock).isInstanceOf(LockLostException.class);
    }

    private final AtomicBoolean secondOwner = new AtomicBoolean();

    @Test
    @Tag("proof")
    void validityThatIsOver() throws Exception {
        servers.get(2).pause();
        try {
            assertThat(theirs.tryLock(0, 1, SECONDS)).isTrue();
            assertThat(raws.get(0).list("KEYS", "theirs")).as("granted").isEmpty();
            assertThat(raws.get(1).list("KEYS", "theirs")).as("granted").isEmpty();

            assertThat(ours.tryLock(0, 1, SECONDS)).isTrue();
            assertThat(ours.isHeldByCurrentThread()).isTrue();
            ours.unlock();
        } finally {
            servers.get(2).resume();
        }
    }

    private static long millis(Callable<?> call) throws Exception {
        long startNanos = System.nanoTime();
        call.call();
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }
}
