package io.holdfast.lock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each test has a client of its own, which is closed behind it. */
@ExtendWith(InMemoryLocksExtension.class)
class InMemoryLocksExtensionTest {

    private static final Set<LockClient> SEEN = new HashSet<>();

    private LockClient before;

    @BeforeEach
    void takeALock(LockClient client) {
        before = client;
        client.getLock("a").lock();
    }

    @RepeatedTest(2)
    void aTestHasAClientThatNoOtherTestHas(LockClient client, InMemoryLocks locks) {
        assertThat(client).isSameAs(before);
        assertThat(InMemoryLocks.of(client)).isSameAs(locks);
        assertThat(client.getLock("a").isHeldByCurrentThread()).isTrue();
        assertThat(SEEN).allMatch(LockClient::isClosed);
        assertThat(SEEN.add(client)).isTrue();
    }

    @AfterAll
    static void allAreClosed() {
        assertThat(SEEN).hasSize(2).allMatch(LockClient::isClosed);
    }
}
