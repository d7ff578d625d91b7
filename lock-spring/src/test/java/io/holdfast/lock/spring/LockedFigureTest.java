package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** What the annotation costs beside {@code lock.run}: both in turns, in one run. */
@RedisTest
@Tag("long")
class LockedFigureTest {

    private static final int ROUNDS = 60;
    private static final int CALLS = 200;
    private static final Duration WAIT = Duration.ofSeconds(10);

    @EnableLocks
    static class Application {}

    static class Orders {

        private int calls;

        @Locked("order:#{#id}")
        public void ship(int id) {
            calls++;
        }
    }

    private interface Call {

        void run(int id) throws Exception;
    }

    private static double nanosPerCall(Call call) throws Exception {
        long begin = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            call.run(i % 10);
        }
        return (double) (System.nanoTime() - begin) / CALLS;
    }

    private static double median(List<Double> values) {
        Collections.sort(values);
        return values.get(values.size() / 2);
    }

    @Test
    void theAnnotationHasNineTenthsOfTheThroughputOfRun(RedisServer redis) throws Exception {
        try (LockClient client = LockClient.connect(redis.url());
                AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean("locks", LockClient.class, () -> client);
            context.registerBean(Orders.class);
            context.register(Application.class);
            context.refresh();
            Orders orders = context.getBean(Orders.class);
            int[] calls = {0};
            Call byAnnotation = orders::ship;
            Call byRun = id -> client.getLock("order:" + id).run(WAIT, hold -> calls[0]++);
            List<Double> annotated = new ArrayList<>();
            List<Double> plain = new ArrayList<>();
            for (int round = 0; round < 2 * ROUNDS; round++) {
                boolean warm = round >= ROUNDS;
                double first = nanosPerCall(byRun);
                double second = nanosPerCall(byAnnotation);
                if (warm) {
                    plain.add(first);
                    annotated.add(second);
                }
            }
            double run = median(plain);
            double locked = median(annotated);
            System.out.printf(
                    "lock.run %.1f us, @Locked %.1f us: %.3f of the throughput%n",
                    run / 1e3, locked / 1e3, run / locked);
            assertThat(run / locked).isGreaterThanOrEqualTo(0.9);
        }
    }
}
