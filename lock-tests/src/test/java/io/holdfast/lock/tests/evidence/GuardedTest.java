package io.holdfast.lock.tests.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What is guarded notes who should not be there. */
class GuardedTest {

    private final Guarded guarded = new Guarded(10);

    @Test
    void ownersInTurnAreFine() {
        guarded.visit(11);
        guarded.visit();
        guarded.visit(40);
        assertThat(guarded.wrong()).isEmpty();
        assertThat(guarded.visits()).isEqualTo(3);
    }

    @Test
    void aTokenThatFallsOrStaysIsNoted() {
        guarded.visit(10);
        guarded.visit(12);
        guarded.visit(12);
        assertThat(guarded.wrong()).containsExactly("token 10 after 10", "token 12 after 12");
    }

    @Test
    void twoOwnersAtOnceAreNoted() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 1_000 && !guarded.wrong().contains("two owners at once"); round++) {
                List<Future<?>> done = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                    done.add(threads.submit(() -> guarded.visit()));
                }
                for (Future<?> each : done) {
                    each.get();
                }
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(guarded.wrong()).contains("two owners at once");
    }
}
