package io.holdfast.lock.memory;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockUnavailableException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Stores in memory where clients of servers are there, too: no address leads to the wrong one. */
class BesideServersTest {

    /** Nothing listens there. */
    private static final String SERVER = "redis://127.0.0.1:1";

    @Test
    void noQuorumIsOfBoth() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockClient.connectQuorum("memory:a", SERVER))
                .withMessageContaining("urls: number 2 is not served by the provider of the first");
    }

    /** A client that came to be would be one in memory. */
    @Test
    void noAddressOfAServerLeadsToAStoreInMemory() {
        ClientOptions impatient =
                ClientOptions.builder().connectTimeout(Duration.ofMillis(50)).build();
        assertThatThrownBy(() -> LockClient.connect(SERVER, impatient)).isInstanceOf(LockUnavailableException.class);
        assertThatThrownBy(() -> LockClient.connect("memory-of-old:a")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aClientOfAServerHasNoStoreInMemory() {
        LockClient lazy =
                LockClient.connect(SERVER, ClientOptions.builder().lazy(true).build());
        try (lazy) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> InMemoryLocks.of(lazy))
                    .withMessageStartingWith("client: LockClient{");
        }
    }
}
