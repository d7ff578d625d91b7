package io.holdfast.lock.boot.v3;

import io.holdfast.lock.ConnectionInfo;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.spi.client.Clients;
import io.holdfast.lock.text.Durations;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** Whether the store of a client answers, as the starter's health of the same name on Spring Boot 4. */
final class LockClientHealth extends AbstractHealthIndicator {

    private static final String PROBE = "holdfast-health";

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
