package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.ClientThreads;
import io.holdfast.lock.tests.support.Futures;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No thread waits for a server, however many servers there are. Of the threads for callbacks as many as there are processors
 * may be there: they come with the callbacks, so that their number depends on how fast these follow each other.
 */
@Tag("proof")
class ThreadsTest extends QuorumTest {

    @Test
    void aClientOfFiveServersHasNoMoreThreadsThanAClientOfOne() throws Exception {
        int ofOne;
        try (LockClient single = Clients.connect(urls().get(0))) {
            single.getLock(NAME).acquire().close();
            use(single);
            ofOne = threads(false).size();
        }
        eventually(() -> assertThat(ClientThreads.names()).isEmpty());
        LockClient quorum = warm(connectQuorum());
        use(quorum);
        assertNoMoreThreadsThan(ofOne);
    }

    /** A hundred calls in flight while two servers hang: threads that waited for them would be seen. */
    @Test
    void callsThatWaitForHungServersTakeNoThread() throws Exception {
        LockClient quorum = warm(connectQuorum());
        use(quorum);
        int before = threads(false).size();
        pause(servers.subList(0, 3));
        List<RFuture<Boolean>> calls = IntStream.range(0, 100)
                .mapToObj(i -> quorum.getLock("lock:" + i).tryLockAsync())
                .toList();
        assertNoMoreThreadsThan(before);
        resume(servers.subList(0, 3));
        for (int i = 0; i < calls.size(); i++) {
            try {
                if (Futures.get(calls.get(i))) {
                    quorum.getLock("lock:" + i).unlock();
                }
            } catch (io.holdfast.lock.LockException noMajority) {
                assertThat(noMajority).hasMessageContaining("lock:" + i);
            }
        }
        awaitNothingLeft();
    }

    private static void assertNoMoreThreadsThan(int own) {
        assertThat(threads(false)).hasSizeLessThanOrEqualTo(own);
        // As many as there are processors, and some more where callbacks wait 10 ms for one; not one for each call.
        assertThat(threads(true)).hasSizeLessThan(20);
    }

    /** @param forCallbacks those for callbacks, or all others */
    private static List<String> threads(boolean forCallbacks) {
        return ClientThreads.names().stream()
                .filter(name -> name.contains("-callback-") == forCallbacks)
                .toList();
    }

    private static void use(LockClient client) {
        List<RFuture<LockHold>> calls = IntStream.range(0, 50)
                .mapToObj(i -> client.getLock("lock:" + i).acquireAsync())
                .toList();
        calls.forEach(call -> Futures.get(call).close());
    }
}
