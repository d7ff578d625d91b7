package io.holdfast.lock.tests.queue;

import static io.holdfast.lock.tests.support.Futures.get;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.tests.harness.Clients;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lock goes to those who wait in the order in which they came, whatever client they are of (rules 39 to 41, 47). */
class QueueOrderTest extends QueueTest {

    private static final int THREADS = 4;

    @Test
    void fourClientsWithFourThreadsAreServedInTheirOrder() throws Exception {
        List<LockClient> clients = List.of(client, other, connect(), connect());
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        List<Integer> came = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> calls = new ArrayList<>();
        LockHold first = fair(client).acquire();
        for (int i = 0; i < clients.size() * THREADS; i++) {
            int number = i;
            LockClient own = clients.get(i % clients.size());
            calls.add(threads.submit(() -> {
                fair(own).lock();
                served.add(number);
                fair(own).unlock();
            }));
            awaitWaiting(i + 1);
            came.add(number);
        }
        threads.shutdown();
        first.close();
        calls.forEach(call -> get(call));
        assertThat(served).isEqualTo(came);
    }

    /** The threads of one client, which a plain lock would hand the lock over to (rule 47). */
    @Test
    void theThreadsOfOneClientDoNotPassAnother() throws Exception {
        LockHold first = fair(client).acquire();
        RFuture<LockHold> theirs = queued(fair(other));
        RFuture<LockHold> ours = queued(fair(client));
        first.close();
        try (LockHold next = get(theirs)) {
            assertThat(waiting()).hasSize(1);
            assertThat(next.fencingToken()).isPositive();
        }
        get(ours).close();
    }

    @Test
    void aTryWithoutAWaitPassesNoOneWhoWaits() throws Exception {
        LockHold reader = reading(client).acquire();
        RFuture<LockHold> writer = queued(writing(other));
        assertThat(reading(client).tryAcquire()).isEmpty();
        assertThat(reading(other).tryAcquire()).isEmpty();
        assertThat(waiting()).as("it leaves no place of its own").hasSize(1);
        reader.close();
        get(writer).close();
        assertThat(reading(client).tryLock()).isTrue();
        reading(client).unlock();
    }

    /** The place of a call is kept while its client's messages are cut off again and again. */
    @Test
    void placesSurviveTheLossOfTheSubscription() throws Exception {
        LockHold first = fair(client).acquire();
        RFuture<LockHold> one = queued(fair(other));
        RFuture<LockHold> two = queued(fair(client));
        RFuture<LockHold> three = queued(fair(other));
        List<String> before = waiting();
        for (int round = 0; round < 3; round++) {
            awaitSubscribers(2);
            raw.command("CLIENT", "KILL", "TYPE", "pubsub");
            awaitSubscribers(2);
        }
        awaitQuiet();
        assertThat(waiting()).isEqualTo(before);
        first.close();
        for (RFuture<LockHold> next : List.of(one, two, three)) {
            get(next).close();
        }
    }

    /** The server has lost everything: a call that asks again stands in the queue again (rule 40). */
    @Test
    void aPlaceThatIsGoneIsTakenAnew() throws Exception {
        LockHold first = fair(client).acquire();
        RFuture<LockHold> one = queued(fair(other));
        RFuture<LockHold> two = queued(fair(other));
        raw.command("DEL", KEY + ":queue", KEY + ":seen");
        awaitSubscribers(1);
        raw.command("CLIENT", "KILL", "TYPE", "pubsub");
        awaitWaiting(2);
        // In which order they come in is not promised after that.
        one.thenAccept(LockHold::releaseAsync);
        two.thenAccept(LockHold::releaseAsync);
        first.close();
        get(one);
        get(two);
    }

    /** As after a restart with data that is some time old (rule 122); without the sweep each of them costs a claim window. */
    @Test
    void placesOfCallsThatHaveLeftAreSwept() throws Exception {
        fair(client).acquire().close();
        LockHold first = fair(other).acquire();
        RFuture<LockHold> waits = queued(fair(client));
        String place = waiting().get(0);
        raw.command("ZADD", KEY + ":queue", "-1", "w" + client.id() + ":h1:1");
        awaitSubscribers(1);
        raw.command("CLIENT", "KILL", "TYPE", "pubsub");
        eventually(() -> assertThat(waiting()).containsExactly(place));
        first.close();
        get(waits).close();
    }

    @Test
    void aReEntryPassesThoseWhoWait() throws Exception {
        fair(client).lock();
        RFuture<LockHold> next = queued(fair(other));
        assertThat(fair(client).tryLock(5, SECONDS)).isTrue();
        fair(client).unlock();
        assertThat(waiting()).hasSize(1);
        fair(client).unlock();
        get(next).close();
    }

    @Test
    void scriptsAreForgottenAndPlacesAreKept() throws Exception {
        LockHold first = fair(client).acquire();
        RFuture<LockHold> one = queued(fair(other));
        raw.command("SCRIPT", "FLUSH");
        RFuture<LockHold> two = queued(fair(client));
        List<String> before = waiting();
        raw.command("SCRIPT", "FLUSH");
        first.close();
        LockHold next = get(one);
        assertThat(waiting()).isEqualTo(before.subList(1, 2));
        raw.command("SCRIPT", "FLUSH");
        next.close();
        get(two).close();
    }

    /** Neither may a release tell anybody, nor may a waiter listen: a look finds out, at the end of a lease or at the poll. */
    @Tag("proof")
    @Test
    void withoutARightToChannelsTheLockIsFoundByLooking() throws Exception {
        raw.command("ACL", "SETUSER", "app", "on", ">secret", "+@all", "~*", "resetchannels");
        LockClient narrow = closing(LockClient.connect(
                redis.url().replace("redis://", "redis://app:secret@"),
                Clients.quick().build()));
        LockHold first = fair(narrow).acquire();
        RFuture<LockHold> next = queued(fair(narrow));
        RFuture<LockHold> last = queued(fair(narrow));
        first.close();
        get(next).close();
        get(last).close();
        raw.command("ACL", "DELUSER", "app");
    }
}
