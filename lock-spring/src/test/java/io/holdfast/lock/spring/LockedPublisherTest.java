package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Stages, Monos and Fluxes under locks. */
@RedisTest
@Tag("proof")
class LockedPublisherTest {

    private static LockedApplication application;
    private static Service service;

    @Configuration(proxyBeanMethods = false)
    @EnableLocks
    static class Application {

        @Bean
        Service service() {
            return new Service();
        }
    }

    static class Service {

        @Locked("#{#key}")
        public <T> Mono<T> mono(String key, Supplier<Mono<T>> body) {
            LockAssert.assertLocked(key);
            return body.get();
        }

        @Locked("#{#key}")
        public <T> Flux<T> flux(String key, Supplier<Flux<T>> body) {
            return body.get();
        }

        @Locked(value = "#{#key}", onLost = OnLost.INTERRUPT)
        public <T> Flux<T> stopped(String key, Supplier<Flux<T>> body) {
            return body.get();
        }

        @Locked(value = "#{#key}", waitFor = "10ms", onTimeout = OnTimeout.SKIP)
        public Flux<String> skipped(String key) {
            return Flux.just("ran");
        }

        @Locked(value = "#{#key}", waitFor = "10ms", onTimeout = OnTimeout.FALLBACK, fallback = "instead")
        public Mono<String> replaced(String key) {
            return Mono.just("ran");
        }

        Mono<String> instead(String key) {
            return Mono.just("instead");
        }

        @Locked(value = "#{#key}", waitFor = "5s")
        public <T> CompletionStage<T> stage(String key, LockHold hold, Supplier<CompletionStage<T>> body) {
            assertThat(hold.fencingToken()).isPositive();
            return body.get();
        }

        @Locked(value = "#{#key}", waitFor = "10ms", onTimeout = OnTimeout.SKIP)
        public CompletableFuture<String> skippedStage(String key) {
            return CompletableFuture.completedFuture("ran");
        }
    }

    @BeforeAll
    static void start(RedisServer redis) {
        application = new LockedApplication(redis, Application.class);
        service = application.bean(Service.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static boolean isFree(String name) {
        return application.isFree(name);
    }

    @Test
    void aMonoHoldsTheLockFromItsSubscriptionToItsEnd() {
        Mono<Boolean> free = service.mono("m", () -> Mono.fromCallable(() -> isFree("m")));
        assertThat(isFree("m")).isTrue();
        assertThat(free.block()).isFalse();
        assertThat(isFree("m")).isTrue();
        assertThat(free.block()).as("a second subscription").isFalse();
        assertThatThrownBy(service.mono("m", () -> Mono.error(new IllegalStateException("broken")))::block)
                .hasMessage("broken");
        assertThat(isFree("m")).isTrue();
    }

    @Test
    void aFluxGivesItsElementsUnderTheLockAndKeepsToWhatIsAskedFor() {
        Flux<Boolean> flux = service.flux(
                "f", () -> Flux.range(0, 5).publishOn(Schedulers.parallel(), 1).map(i -> isFree("f")));
        assertThat(flux.collectList().block()).containsExactly(false, false, false, false, false);
        assertThat(isFree("f")).isTrue();
        assertThat(flux.take(2).collectList().block()).containsExactly(false, false);
        await().until(() -> isFree("f"));
        assertThat(flux.limitRate(1).collectList().block()).hasSize(5);
    }

    @Test
    void aChainJoinsItsOuterHold() {
        Mono<Boolean> inner = service.mono("j", () -> Mono.fromCallable(() -> isFree("j")));
        Mono<Boolean> both = service.mono("j", () -> Mono.delay(Duration.ofMillis(1))
                .then(ReactiveLockTemplate.assertLocked("j"))
                .then(inner.subscribeOn(Schedulers.boundedElastic())));
        assertThat(both.block(Duration.ofSeconds(5))).isFalse();
        await().until(() -> isFree("j"));
        assertThatThrownBy(ReactiveLockTemplate.assertLocked("j")::block).isInstanceOf(IllegalStateException.class);
        ReactiveLockTemplate template = new ReactiveLockTemplate(application.bean(LockTemplate.class));
        assertThat(template.mono("j", hold -> inner).block(Duration.ofSeconds(5)))
                .isFalse();
    }

    /** It joins on the thread that subscribes, and goes on when the outer call has ended: the lock is held until both have. */
    @Test
    void whatOutlivesTheOuterCallStillHasTheLock() throws Exception {
        Sinks.One<String> end = Sinks.one();
        AtomicReference<String> result = new AtomicReference<>();
        LockTemplate template = application.bean(LockTemplate.class);
        template.run("o", hold -> {
            Disposable unused = service.mono("o", end::asMono).subscribe(result::set);
        });
        assertThat(isFree("o")).isFalse();
        end.tryEmitValue("done");
        await().untilAsserted(() -> assertThat(result).hasValue("done"));
        await().until(() -> isFree("o"));
    }

    @Test
    void whatIsNotGrantedIsSkippedOrReplaced() throws Exception {
        try (LockHold held = application.other.getLock("s").tryAcquire().orElseThrow()) {
            assertThat(service.skipped("s").collectList().block()).isEmpty();
            assertThat(service.replaced("s").block()).isEqualTo("instead");
            assertThat(service.skippedStage("s").get()).isNull();
            LockTemplate impatient = application.bean(LockTemplate.class).waitFor(Duration.ZERO);
            assertThatThrownBy(() -> impatient
                            .callAsync("s", hold -> CompletableFuture.completedFuture(1))
                            .get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(LockTimeoutException.class);
            assertThat(held.validFor()).isPositive();
        }
        assertThat(service.skipped("s").collectList().block()).containsExactly("ran");
    }

    @Test
    void aStageHoldsTheLockUntilItIsCompleted() throws Exception {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> result =
                service.stage("c", null, () -> source).toCompletableFuture();
        await().until(() -> !isFree("c"));
        source.complete("done");
        assertThat(result.get()).isEqualTo("done");
        assertThat(isFree("c")).isTrue();
        CompletableFuture<String> endless = new CompletableFuture<>();
        CompletableFuture<String> cancelled =
                service.stage("c", null, () -> endless).toCompletableFuture();
        await().until(() -> !isFree("c"));
        cancelled.cancel(true);
        await().until(() -> isFree("c"));
        assertThat(endless).isCancelled();
    }

    @Test
    void aLossEndsWhatIsToBeStopped() {
        Flux<Long> endless = service.stopped("l", () -> Flux.interval(Duration.ofMillis(5)));
        AtomicBoolean lost = new AtomicBoolean();
        assertThatThrownBy(() -> endless.doOnNext(i -> {
                            if (lost.compareAndSet(false, true)) {
                                application.client.getLock("l").forceUnlock();
                            }
                        })
                        .blockLast(Duration.ofSeconds(10)))
                .isInstanceOf(LockLostException.class);
        Mono<String> once = service.mono(
                "l",
                () -> Mono.fromCallable(() -> {
                    application.client.getLock("l").forceUnlock();
                    return "done";
                }));
        assertThatThrownBy(once::block).isInstanceOf(LockLostException.class);
    }

    /** Subscriptions that are cancelled at any moment: while the lock is asked for, granted, used or given back. */
    @Test
    void noCancellationLeavesALock() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            CountDownLatch left = new CountDownLatch(2_000);
            List<String> keys = List.of("x1", "x2", "x3", "x4");
            for (int i = 0; i < 2_000; i++) {
                String key = keys.get(i % keys.size());
                boolean stage = i % 5 == 0;
                threads.execute(() -> {
                    Runnable cancel;
                    if (stage) {
                        CompletableFuture<Object> future = service.stage(key, null, () -> new CompletableFuture<>())
                                .toCompletableFuture();
                        cancel = () -> future.cancel(true);
                    } else {
                        cancel = service.mono(key, Mono::never).subscribe()::dispose;
                    }
                    long until = System.nanoTime() + ThreadLocalRandom.current().nextLong(1_500_000);
                    while (System.nanoTime() < until) {
                        Thread.onSpinWait();
                    }
                    cancel.run();
                    left.countDown();
                });
            }
            left.await();
            for (String key : keys) {
                await().atMost(Duration.ofSeconds(10)).until(() -> isFree(key));
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
