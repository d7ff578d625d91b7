package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Row 45: three clients that ask at once, each near to other servers. Two get two of five, one gets one, and nobody has a
 * majority.
 */
@Tag("proof")
class SplitVoteTest extends QuorumTest {

    private static final Duration FAR = Duration.ofMillis(25);
    private static final List<Set<Integer>> NEAR = List.of(Set.of(0, 1), Set.of(2, 3), Set.of(4));

    private final List<LockClient> clients = new ArrayList<>();

    @BeforeEach
    void connectThreeClients() throws Exception {
        for (Set<Integer> near : NEAR) {
            List<FaultProxy> proxies = proxies();
            LockClient client = warm(connectQuorum(
                    urlsOf(proxies),
                    QuorumOptions.builder().nodeTimeout(Duration.ofMillis(200)).build()));
            clients.add(client);
            for (int i = 0; i < proxies.size(); i++) {
                if (!near.contains(i)) {
                    proxies.get(i).delayRequests(FAR);
                }
            }
        }
    }

    /** The fault is real: with a single attempt each, nobody gets anything. */
    @Test
    void aSingleAttemptOfEachEndsWithoutAWinner() throws Exception {
        int withoutWinner = 0;
        for (int round = 0; round < 10; round++) {
            List<LockHold> granted = new ArrayList<>();
            for (RFuture<Optional<LockHold>> attempt : everybody(Duration.ZERO)) {
                Futures.get(attempt).ifPresent(granted::add);
            }
            withoutWinner += granted.isEmpty() ? 1 : 0;
            granted.forEach(LockHold::close);
            awaitNothingLeft();
        }
        assertThat(withoutWinner).isPositive();
    }

    private List<RFuture<Optional<LockHold>>> everybody(Duration wait) {
        return clients.stream()
                .map(client -> client.getLock(NAME).tryAcquireAsync(wait))
                .toList();
    }

    @Test
    void aSplitVoteEndsWithAWinnerAndThenWithAllOfThem() throws Exception {
        for (int round = 0; round < 5; round++) {
            List<RFuture<Optional<LockHold>>> waiting = new ArrayList<>(everybody(Duration.ofSeconds(10)));
            long last = 0;
            while (!waiting.isEmpty()) {
                eventually(Duration.ofSeconds(10), () -> assertThat(waiting).anyMatch(RFuture::isDone));
                RFuture<Optional<LockHold>> won =
                        waiting.stream().filter(RFuture::isDone).findFirst().orElseThrow();
                waiting.remove(won);
                LockHold hold = Futures.get(won).orElseThrow();
                assertThat(hold.fencingToken()).isGreaterThan(last);
                last = hold.fencingToken();
                hold.close();
            }
        }
        awaitNothingLeft();
    }
}
