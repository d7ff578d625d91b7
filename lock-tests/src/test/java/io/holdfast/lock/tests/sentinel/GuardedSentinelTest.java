package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.AddressMapper;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.testkit.Detours;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;

/** A Sentinel group that clients with the failover guard have used for long (rules 86 to 89). */
abstract class GuardedSentinelTest extends SentinelTest {

    static final Duration SILENCE = Duration.ofSeconds(2);

    /** The longest lease, and that of all locks. */
    abstract Duration lease();

    @BeforeEach
    void theGroupWasInUse() {
        Term.beginLongAgo(group);
    }

    @Override
    ClientOptions.Builder options() {
        return Clients.quick()
                .maxOutage(Duration.ofMinutes(5))
                .failoverGuard(lease())
                .sentinel(SentinelOptions.builder().silence(SILENCE).build())
                .lockOptions(Clients.watchdog(lease()));
    }

    /** A client that goes to the servers and the Sentinels by ways of its own. */
    final LockClient connect(Detours detours, ClientOptions.Builder options) {
        Map<NodeAddress, NodeAddress> ways = new HashMap<>();
        detours.addresses().forEach((announced, way) -> ways.put(NodeAddress.parse(announced), NodeAddress.parse(way)));
        return connect(
                detours.url(), options.addressMapper(AddressMapper.of(ways)).build());
    }

    final void awaitTerm(RedisServer primary) {
        eventually(() -> assertThat(Term.isOwn(primary)).isTrue());
    }

    /** A call that does not wait for long fails, since the lock may be free: it is no refusal. */
    final void assertFails(LockClient client, String name, FailureReason reason) {
        eventually(() -> assertThatThrownBy(() -> client.getLock(name).tryLock(200, TimeUnit.MILLISECONDS))
                .isInstanceOfSatisfying(LockException.class, failed -> assertThat(failed.reason())
                        .isEqualTo(reason)));
    }

    /** Waits for a grant, which comes when the primary's pause is over. */
    final LockHold grantedAfterThePause(RFuture<? extends LockHold> waiting, RedisServer primary) {
        LockHold granted = Futures.get(waiting);
        assertThat(Term.isOwn(primary)).isTrue();
        assertThat(Term.age(primary)).isGreaterThanOrEqualTo(lease().plus(SILENCE));
        return granted;
    }
}
