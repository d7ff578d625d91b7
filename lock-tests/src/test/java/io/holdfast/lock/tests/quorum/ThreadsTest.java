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
import org.junit.jupiter.api.Test;

/** No thread waits for a server, however many servers there are. */
class ThreadsTest extends QuorumTest {

    @Test
    void aClientOfFiveServersHasNoMoreThreadsThanAClientOfOne() throws Exception {
        int ofOne;
        try (LockClient single = Clients.connect(urls().get(0))) {
            single.getLock(NAME).acquire().close();
            use(single);
            ofOne = ClientThreads.names().size();
        }
        eventually(() -> assertThat(ClientThreads.names()).isEmpty());
        LockClient quorum = warm(connectQuorum());
        use(quorum);
        assertThat(ClientThreads.names()).hasSizeLessThanOrEqualTo(ofOne);
    }

    /** A hundred calls in flight while two servers hang: threads that waited for them would be seen. */
    @Test
    void callsThatWaitForHungServersTakeNoThread() throws Exception {
        LockClient quorum = warm(connectQuorum());
        use(quorum);
        int before = ClientThreads.names().size();
        pause(servers.subList(0, 3));
        List<RFuture<Boolean>> calls = IntStream.range(0, 100)
                .mapToObj(i -> quorum.getLock("lock:" + i).tryLockAsync())
                .toList();
        assertThat(ClientThreads.names()).hasSizeLessThanOrEqualTo(before);
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

    private static void use(LockClient client) {
        List<RFuture<LockHold>> calls = IntStream.range(0, 50)
                .mapToObj(i -> client.getLock("lock:" + i).acquireAsync())
                .toList();
        calls.forEach(call -> Futures.get(call).close());
    }
}
