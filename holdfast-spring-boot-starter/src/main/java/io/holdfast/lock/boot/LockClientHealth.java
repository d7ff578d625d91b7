package io.holdfast.lock.boot;

import io.holdfast.lock.ConnectionInfo;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.spi.client.Clients;
import io.holdfast.lock.text.Durations;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether the store of a client answers: UP with the nodes and the round trip of a look at a lock, DOWN when the store can't be
 * reached, or a majority of a quorum, or any primary of a cluster. What became of a hold is no matter of health.
 */
final class LockClientHealth extends AbstractHealthIndicator {

    /** A lock that is looked at and never taken. */
    static final String PROBE = "holdfast-health";

    private final LockClient client;

    LockClientHealth(LockClient client) {
        super("the store of the locks does not answer");
        this.client = client;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        health.withDetail("nodes", nodes());
        long begin = System.nanoTime();
        client.inspect(PROBE);
        Clients.probes(client).forEach(client::inspect);
        Duration roundTrip = Duration.ofNanos(System.nanoTime() - begin);
        health.up().withDetail("nodes", nodes()).withDetail("roundTrip", Durations.of(roundTrip));
    }

    private List<String> nodes() {
        return client.connections().stream()
                .filter(ConnectionInfo::up)
                .map(ConnectionInfo::node)
                .distinct()
                .toList();
    }
}
