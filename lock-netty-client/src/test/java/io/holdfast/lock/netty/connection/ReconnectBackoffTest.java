package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReconnectBackoffTest {

    private final Backoff backoff = new Backoff(new FakeRuntime(), 50, 500);

    @Test
    void doublesUpToTheLongest() {
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            delays.add(backoff.next());
        }
        assertThat(delays).containsExactly(50L, 100L, 200L, 400L, 500L, 500L);
    }

    @Test
    void startsAgainAfterAConnectionThatLived() {
        backoff.next();
        backoff.next();
        backoff.connectionLived(101);
        assertThat(backoff.next()).isEqualTo(50);
    }

    @Test
    void goesOnAfterAConnectionThatDiedAtOnce() {
        backoff.next();
        backoff.next();
        backoff.connectionLived(100);
        assertThat(backoff.next()).isEqualTo(200);
    }

    @Test
    void waitsLongestWhereHurryCannotHelp() {
        assertThat(backoff.longest()).isEqualTo(500);
    }
}
