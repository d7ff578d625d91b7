package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HeldLock;
import io.holdfast.lock.HoldKind;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.WaitingCall;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** Methods under fair, read and write locks. */
@RedisTest
class LockedKindTest {

    private static LockedApplication application;
    private static Stock stock;
    private static LockTemplate locks;

    @Configuration(proxyBeanMethods = false)
    @EnableLocks
    static class Application {

        @Bean
        Stock stock() {
            return new Stock();
        }
    }

    static class Stock {

        @Locked(value = "stock:#{#id}", kind = Kind.READ)
        public <T> T read(String id, Callable<T> task) throws Exception {
            return task.call();
        }

        @Locked(value = "stock:#{#id}", kind = Kind.WRITE)
        public <T> T write(String id, Callable<T> task) throws Exception {
            return task.call();
        }

        @Locked("stock:#{#id}")
        public CompletionStage<String> plainLater(String id) {
            return CompletableFuture.completedFuture("ran");
        }

        @Locked(value = "stock:#{#id}", kind = Kind.FAIR)
        public Mono<String> fairLater(String id) {
            return Mono.just("ran");
        }

        @Locked(
                value = {"stock:#{#from}", "stock:#{#to}"},
                kind = Kind.READ)
        public <T> T compare(String from, String to, Callable<T> task) throws Exception {
            return task.call();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocks
    static class Queueing {

        @Bean
        Queue queue() {
            return new Queue();
        }
    }

    static class Queue {

        @Locked(value = "queue:#{#id}", kind = Kind.FAIR)
        public String enter(String id) {
            return id;
        }
    }

    @BeforeAll
    static void start(RedisServer redis) {
        application = new LockedApplication(redis, Application.class);
        stock = application.bean(Stock.class);
        locks = application.bean(LockTemplate.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(application.client.holds()).isEmpty();
        assertThat(application.client.waiters()).isEmpty();
    }

    private static boolean isTaken(RLock lock) {
        return lock.tryAcquire()
                .map(hold -> {
                    hold.release();
                    return false;
                })
                .orElse(true);
    }

    @Test
    void readersAreThereTogetherAndAWriterIsNot() throws Exception {
        RLock others = application.other.getReadWriteLock("stock:1").readLock();
        RLock writer = application.other.getReadWriteLock("stock:1").writeLock();
        List<LockInfo.Holder> holders = stock.read("1", () -> {
            try (LockHold beside = others.acquire()) {
                assertThat(beside.fencingToken()).isPositive();
                assertThat(isTaken(writer)).isTrue();
                assertThat(application.isFree("stock:1")).isFalse();
                return application.client.inspect("stock:1").holders();
            }
        });
        assertThat(holders).hasSize(2).allMatch(LockInfo.Holder::reads);
        assertThat(isTaken(writer)).isFalse();
        assertThat(stock.<Boolean>write("1", () -> isTaken(others))).isTrue();
        assertThat(isTaken(others)).isFalse();
    }

    static Stream<Arguments> pairs() {
        return Stream.of(Kind.values())
                .flatMap(outer -> Stream.of(Kind.values()).map(inner -> Arguments.of(outer, inner)));
    }

    /** Whatever excludes all others covers all, and a reader only reading. */
    @ParameterizedTest
    @MethodSource("pairs")
    void aCallFurtherInJoinsWhatCoversItAndIsRefusedElse(Kind outer, Kind inner) {
        LockTemplate further = locks.name("further in").kind(inner).waitFor(Duration.ofSeconds(30));
        boolean joins = outer != Kind.READ || inner == Kind.READ;
        locks.kind(outer).run("both", held -> {
            if (joins) {
                assertThat(further.<Long, RuntimeException>call("both", LockHold::fencingToken))
                        .isEqualTo(held.fencingToken());
            } else {
                assertThatThrownBy(() -> further.run("both", hold -> {}))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("lock 'both' for further in: wanted as " + inner
                                + " within what holds it as READ, it would wait for itself (expected: the outer call as "
                                + inner + " too, or this one after it)");
            }
            assertThat(application.client.holds())
                    .extracting(HeldLock::kind)
                    .containsExactly(HoldKind.valueOf(outer.name()));
            held.ensure(Duration.ofSeconds(1));
        });
        assertThat(application.isFree("both")).isTrue();
    }

    @Test
    void everyFormOfCallIsRefusedAtOnceWithItsMethod() throws Exception {
        stock.read("2", () -> {
            assertThatThrownBy(() -> stock.write("2", () -> "ran"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith(
                            "lock 'stock:2' for Stock.write: wanted as WRITE within what holds it as READ");
            assertThat(stock.plainLater("2"))
                    .failsWithin(Duration.ofSeconds(1))
                    .withThrowableThat()
                    .withMessageContaining("lock 'stock:2' for Stock.plainLater: wanted as PLAIN");
            return null;
        });
        LockTemplate reading = locks.kind(Kind.READ);
        ReactiveLockTemplate reactive = new ReactiveLockTemplate(reading);
        assertThatThrownBy(() ->
                        reactive.mono("stock:2", hold -> stock.fairLater("2")).block(Duration.ofSeconds(5)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("lock 'stock:2' for Stock.fairLater: wanted as FAIR");
        await().until(() -> application.isFree("stock:2"));
    }

    /** A call that joined one key before another is refused leaves what it joined. */
    @Test
    void aRefusalLeavesWhatWasJoined() {
        locks.kind(Kind.WRITE).run("first", first -> locks.kind(Kind.READ).run("second", second -> {
            assertThatThrownBy(() -> locks.kind(Kind.WRITE).run(List.of("first", "second"), hold -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("lock 'second' for a LockTemplate: wanted as WRITE");
            first.ensure(Duration.ofSeconds(1));
        }));
        assertThat(application.isFree("first") && application.isFree("second")).isTrue();
    }

    @Test
    void severalKeysAreTakenTogetherAsThatKind() throws Exception {
        List<HoldKind> kinds = stock.compare("a", "b", () -> {
            assertThat(stock.compare("b", "c", () -> application.client.holds().size()))
                    .isEqualTo(3);
            assertThat(isTaken(application.other.getReadWriteLock("stock:a").readLock()))
                    .isFalse();
            assertThat(isTaken(application.other.getReadWriteLock("stock:b").writeLock()))
                    .isTrue();
            return application.client.holds().stream().map(HeldLock::kind).toList();
        });
        assertThat(kinds).containsExactly(HoldKind.READ, HoldKind.READ);
    }

    @Test
    void fairCallsGetTheLockInTheOrderInWhichTheyCame() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        LockTemplate fair = locks.kind(Kind.FAIR);
        List<CompletableFuture<?>> calls = new ArrayList<>();
        LockHold first = application.other.getFairLock("turns").acquire();
        for (int i = 0; i < 4; i++) {
            String name = "call " + i;
            if (i % 2 == 0) {
                calls.add(fair.callAsync("turns", hold -> CompletableFuture.completedFuture(order.add(name))));
            } else {
                RFuture<LockHold> other = application.other.getFairLock("turns").acquireAsync();
                calls.add(other.thenCompose(hold -> {
                            order.add(name);
                            return hold.releaseAsync();
                        })
                        .toCompletableFuture());
            }
            int waiting = i + 1;
            await().until(() -> application.client.inspect("turns").queue().size() == waiting);
        }
        assertThat(application.client.waiters())
                .extracting(WaitingCall::kind)
                .containsExactly(HoldKind.FAIR, HoldKind.FAIR);
        first.release();
        for (CompletableFuture<?> call : calls) {
            call.get(10, TimeUnit.SECONDS);
        }
        assertThat(order).containsExactly("call 0", "call 1", "call 2", "call 3");
        await().until(() -> application.client.holds().isEmpty());
    }

    @Test
    void whatIsReadIsKeptAsLongAsAsked() {
        RLock writer = application.other.getReadWriteLock("report").writeLock();
        locks.kind(Kind.READ).atLeast(Duration.ofSeconds(1)).run("report", hold -> {});
        assertThat(isTaken(writer)).isTrue();
        assertThat(isTaken(application.other.getReadWriteLock("report").readLock()))
                .isFalse();
        await().until(() -> !isTaken(writer));
        await().until(() -> application.client.holds().isEmpty());
    }

    /** Also where the client is made after the bean; one that is made at its first use says it at the call. */
    @Test
    void aKindThatTheClientDoesNotHaveIsRefusedAtTheStart(RedisServer redis) {
        ClientOptions shared = ClientOptions.builder()
                .lockOptions(LockOptions.builder().keyScheme(KeyScheme.REDISSON).build())
                .build();
        String sentence = "127.0.0.1:" + redis.port()
                + ": with the key scheme REDISSON, Redisson keeps the order of a fair lock by the clocks of its clients"
                + " (expected: the scheme HOLDFAST)";
        for (boolean clientFirst : List.of(true, false)) {
            try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
                if (clientFirst) {
                    context.registerBean("locks", LockClient.class, () -> LockClient.connect(redis.url(), shared));
                }
                context.register(Queueing.class);
                if (!clientFirst) {
                    context.registerBean("locks", LockClient.class, () -> LockClient.connect(redis.url(), shared));
                }
                assertThatThrownBy(context::refresh)
                        .as("the client is made first: %s", clientFirst)
                        .hasStackTraceContaining(
                                "IllegalArgumentException: @Locked on Queue.enter: lock 'queue:#{#id}', " + sentence);
            }
        }
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Queueing.class);
            context.registerBean(
                    "locks",
                    LockClient.class,
                    () -> LockClient.connect(redis.url(), shared),
                    definition -> definition.setLazyInit(true));
            context.refresh();
            Queue queue = context.getBean(Queue.class);
            assertThatThrownBy(() -> queue.enter("7"))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("Queue.enter: lock 'queue:7', " + sentence);
        }
    }
}
