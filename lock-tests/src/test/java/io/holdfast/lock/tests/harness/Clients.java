package io.holdfast.lock.tests.harness;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import java.time.Duration;

/** Clients that notice trouble quickly, so that tests of trouble are short. */
public final class Clients {

    public static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);

    private Clients() {}

    /** Short timeouts, a quick heartbeat, hardly any pause between connections; and no records, which would be calls of their own. */
    public static ClientOptions.Builder quick() {
        return ClientOptions.builder()
                .clientRecord(false)
                .commandTimeout(COMMAND_TIMEOUT)
                .heartbeat(Duration.ofMillis(500))
                .backoffMin(Duration.ofMillis(20))
                .backoffMax(Duration.ofMillis(200));
    }

    public static LockClient connect(String url) {
        return LockClient.connect(url, quick().build());
    }

    /** Locks whose watchdog lease is so short that a test can outlive several of them. */
    public static LockOptions watchdog(Duration lease) {
        return LockOptions.builder().watchdogLease(lease).build();
    }
}
