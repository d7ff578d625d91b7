package io.holdfast.lock.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServiceThreadsTest {

    private final ServiceThreads threads = new ServiceThreads("service-threads-test-");

    /** Pools of JDK 21 and later do not call Thread.start. */
    @Test
    void tellsOfTheEndAlsoWhenAPoolSThreadHasEndedBefore() throws InterruptedException {
        ExecutorService pool = Executors.newSingleThreadExecutor(threads);
        pool.execute(() -> {});
        pool.shutdown();
        assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();

        assertThat(threads.ended()).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void tellsOfTheEndWhenTheLastThreadEnds() {
        ExecutorService pool = Executors.newSingleThreadExecutor(threads);
        pool.execute(() -> {});
        assertThat(threads.ended()).isNotDone();

        pool.shutdown();

        assertThat(threads.ended()).succeedsWithin(Duration.ofSeconds(10));
    }
}
