package io.holdfast.lock.tests.looking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HeldLock;
import io.holdfast.lock.HoldKind;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.RCountDownLatch;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.RReadWriteLock;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.WaitingCall;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is seen of fair and of read/write locks and of permits: here, and among all that a store has. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FamilyLookingTest extends ServerTest {

    private static final Duration CLAIM_WINDOW = Duration.ofSeconds(1);

    @Test
    void holdsAndWaitersSayAsWhatTheyAreHeldAndWanted() throws Exception {
        LockClient client = connect();
        RReadWriteLock stock = client.getReadWriteLock("stock");
        List<LockHold> held = List.of(
                client.getLock("plain").acquire(),
                client.getFencedLock("fenced").acquire(),
                client.getFairLock("fair").acquire(),
                stock.readLock().acquire(),
                stock.readLock().acquire(),
                client.getReadWriteLock("written").writeLock().acquire());
        assertThat(client.holds())
                .extracting(hold -> hold.name() + ' ' + hold.kind())
                .containsExactlyInAnyOrder(
                        "plain PLAIN", "fenced PLAIN", "fair FAIR", "stock READ", "stock READ", "written WRITE");
        assertThat(client.holds()).allMatch(hold -> hold.toString().contains(", kind=" + hold.kind() + ','));
        List<RFuture<LockHold>> wanting = new ArrayList<>();
        wanting.add(stock.writeLock().acquireAsync());
        wanting.add(stock.readLock().acquireAsync());
        wanting.add(client.getFairLock("stock").acquireAsync());
        wanting.add(client.getLock("stock").acquireAsync());
        eventually(() -> assertThat(client.inspect("stock").queue())
                .hasSize(3)
                .allMatch(owner -> owner.startsWith(client.id())));
        assertThat(client.waiters())
                .extracting(WaitingCall::kind)
                .as("those in the server's queue come first")
                .containsExactly(HoldKind.WRITE, HoldKind.READ, HoldKind.FAIR, HoldKind.PLAIN);
        assertThat(client.waiters()).extracting(WaitingCall::position).containsExactly(1, 2, 3, 4);
        assertThat(client.waiters()).allMatch(call -> call.toString().contains(", kind=" + call.kind() + ','));
        held.forEach(LockHold::close);
        wanting.forEach(call -> Futures.get(call).close());
        assertThat(client.holds()).extracting(HeldLock::name).isEmpty();
    }

    /** The lock of the same name is another object: nothing of the one is seen at the other. */
    @Test
    void permitsAreSeenHereAndNotAtTheLockOfThatName() throws Exception {
        LockClient client = connect();
        LockClient other = connect();
        RPermitExpirableSemaphore slots = client.getPermitExpirableSemaphore("slots");
        slots.setPermits(3);
        List<String> byId = slots.acquire(2);
        RSemaphore ofClient = client.getSemaphore("slots");
        ofClient.acquire();
        RFuture<List<String>> two = slots.acquireAsync(2);
        RFuture<Void> one = ofClient.acquireAsync();
        eventually(() -> assertThat(raw.list("ZRANGE", "holdfast:{slots}:permits:queue", "0", "-1"))
                .hasSize(2));

        assertThat(client.holds())
                .hasSize(3)
                .allMatch(hold -> hold.name().equals("slots") && hold.kind() == HoldKind.PERMIT)
                .allMatch(hold -> hold.toString().contains(", kind=PERMIT,"))
                .extracting(HeldLock::fencingToken)
                .doesNotHaveDuplicates();
        assertThat(client.waiters())
                .as("a call for several is one call")
                .extracting(call -> call.kind() + " " + call.position())
                .containsExactly("PERMIT 1", "PERMIT 2");
        assertFree(client.inspect("slots"));

        LockHold lock = other.getFairLock("slots").acquire();
        assertThat(client.inspect("slots").holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.ofThisClient()).isFalse());
        assertThat(client.inspect("slots").queue()).isEmpty();
        assertThat(slots.acquiredPermits()).isEqualTo(3);
        assertThat(client.getLock("slots").forceUnlock()).isTrue();
        assertThat(slots.acquiredPermits())
                .as("by force the lock, and no permit")
                .isEqualTo(3);
        assertThatThrownBy(lock::close).isInstanceOf(LockLostException.class);

        slots.release(byId);
        slots.release(Futures.get(two));
        ofClient.release();
        Futures.get(one);
        ofClient.release();
        assertThat(client.holds()).isEmpty();
        raw.command("DEL", "holdfast:{slots}:limit");
    }

    private static void assertFree(LockInfo info) {
        assertThat(info.holders()).isEmpty();
        assertThat(info.queue()).isEmpty();
        assertThat(info.localWaiters()).isZero();
        assertThat(info.heldByThisClient()).isFalse();
    }

    /** Also one that is only read; and never what is beside it, as the record of a leader that has resigned, nor what is no lock. */
    @Test
    void aStoreNamesALockOnce() throws Exception {
        LockClient client = connect();
        LockClient other = connect();
        RReadWriteLock read = client.getReadWriteLock("read");
        List<LockHold> held = new ArrayList<>();
        held.add(read.readLock().acquire());
        held.add(other.getReadWriteLock("read").readLock().acquire());
        held.add(client.getFairLock("wanted").acquire());
        RFuture<LockHold> writer = read.writeLock().acquireAsync();
        RFuture<LockHold> next = other.getFairLock("wanted").acquireAsync();
        RCountDownLatch latch = client.getCountDownLatch("latch");
        latch.trySetCount(2);
        latch.countDown();
        client.getSignal("signal").send();
        client.getElection("jobs").campaign("first", new byte[0]).resign();
        RPermitExpirableSemaphore slots = client.getPermitExpirableSemaphore("slots");
        slots.setPermits(1);
        String permit = slots.acquire();
        RFuture<String> nextPermit = slots.acquireAsync();
        eventually(() -> assertThat(lockKeys())
                .containsExactlyInAnyOrder(
                        "holdfast:{read}",
                        "holdfast:{read}:readers",
                        "holdfast:{read}:queue",
                        "holdfast:{read}:seen",
                        "holdfast:{wanted}",
                        "holdfast:{wanted}:queue",
                        "holdfast:{wanted}:seen",
                        "holdfast:{latch}:latch",
                        "holdfast:{latch}:latch:counted",
                        "holdfast:{signal}:signal",
                        "holdfast:{jobs}:leader",
                        "holdfast:{slots}:limit",
                        "holdfast:{slots}:permits",
                        "holdfast:{slots}:permits:queue",
                        "holdfast:{slots}:permits:seen"));
        List<LockInfo> all = locks(client, LockQuery.all().withPageSize(1));
        assertThat(all).extracting(LockInfo::name).containsExactlyInAnyOrder("read", "wanted");
        for (LockInfo each : all) {
            LockInfo inspected = client.inspect(each.name());
            assertThat(each.holders()).isEqualTo(inspected.holders());
            assertThat(each.queue()).hasSize(1).isEqualTo(inspected.queue());
        }
        LockInfo readers = locks(client, LockQuery.prefix("read")).get(0);
        assertThat(readers.holders())
                .hasSize(2)
                .allMatch(LockInfo.Holder::reads)
                .allMatch(holder -> holder.fencingToken().isEmpty())
                .extracting(LockInfo.Holder::ofThisClient)
                .containsExactlyInAnyOrder(true, false);
        assertThat(readers.timeToLive()).isPresent();
        assertThat(readers.heldByThisClient()).isTrue();
        assertThat(locks(
                        client,
                        LockQuery.all()
                                .withOptions(LockOptions.builder()
                                        .keyScheme(KeyScheme.REDISSON)
                                        .build())))
                .extracting(LockInfo::name)
                .as(
                        "with Redisson's keys any hash with an owner looks like a lock, and a reader's is a number in a set")
                .containsExactly("holdfast:{wanted}");
        held.forEach(LockHold::close);
        Futures.get(writer).close();
        Futures.get(next).close();
        latch.delete();
        slots.release(permit);
        slots.release(Futures.get(nextPermit));
        raw.command("DEL", "holdfast:{signal}:signal", "holdfast:{jobs}:leader", "holdfast:{slots}:limit");
        assertThat(locks(client, LockQuery.all())).isEmpty();
    }

    /** Its turn has come and it is dead: it is seen as the holder for the claim window, and then the next one is. */
    @Test
    void anOwnerWhoseTurnHasComeIsSeenAsTheHolder() throws Exception {
        LockClient client = connect();
        LockHold first = client.getFairLock("wanted").acquire();
        long nowSeconds = Long.parseLong(raw.list("TIME").get(0));
        raw.command("ZADD", "holdfast:{wanted}:queue", "1", "wdead:h1:1");
        raw.command("ZADD", "holdfast:{wanted}:seen", (nowSeconds + 15) + "000", "dead");
        RFuture<LockHold> next = client.getFairLock("wanted").acquireAsync();
        eventually(() -> assertThat(client.inspect("wanted").queue()).hasSize(2));
        assertThat(client.inspect("wanted").queue()).first().isEqualTo("dead:h1:1");
        first.close();
        LockInfo kept = client.inspect("wanted");
        assertThat(kept.holders()).singleElement().satisfies(holder -> {
            assertThat(holder.owner()).isEqualTo("dead:h1:1");
            assertThat(holder.ofThisClient()).isFalse();
            assertThat(holder.fencingToken()).isPresent();
        });
        assertThat(kept.timeToLive())
                .hasValueSatisfying(left -> assertThat(left).isLessThanOrEqualTo(CLAIM_WINDOW));
        assertThat(kept.queue()).hasSize(1).allMatch(owner -> owner.startsWith(client.id()));
        assertThat(client.holds()).as("only an answered request is a hold").isEmpty();
        try (LockHold held = Futures.get(next)) {
            assertThat(client.inspect("wanted").holders()).singleElement().satisfies(holder -> {
                assertThat(holder.ofThisClient()).isTrue();
                assertThat(holder.fencingToken()).hasValue(held.fencingToken());
            });
        }
    }

    private static List<LockInfo> locks(LockClient client, LockQuery query) {
        try (Stream<LockInfo> found = client.locks(query)) {
            return found.toList();
        }
    }
}
