package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockLostException;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Locks and reactive transactions, by a manager that keeps nothing but a record; and publishers that are not Reactor's. */
@RedisTest
@Tag("proof")
@Tag("once")
class LockedReactiveTransactionTest {

    private static final List<String> DONE = new CopyOnWriteArrayList<>();

    private static LockedApplication application;
    private static Service service;
    private static TransactionalOperator transaction;
    private static volatile Mono<Void> rollback = Mono.empty();

    /** It is a real transaction as far as Spring's synchronizations go, and writes down how each one ends. */
    private static final class RecordingManager extends AbstractReactiveTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction(TransactionSynchronizationManager manager) {
            return manager.hasResource(this) ? manager.getResource(this) : new Object();
        }

        @Override
        protected boolean isExistingTransaction(Object begun) {
            return false;
        }

        @Override
        protected Mono<Void> doBegin(
                TransactionSynchronizationManager manager, Object begun, TransactionDefinition definition) {
            return Mono.empty();
        }

        @Override
        protected Mono<Void> doCommit(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
            return Mono.fromRunnable(() -> DONE.add(isFree() ? "committed without lock" : "committed"));
        }

        @Override
        protected Mono<Void> doRollback(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
            return rollback.then(Mono.fromRunnable(() -> DONE.add("rolled back")));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocks
    @EnableTransactionManagement
    static class Application {

        @Bean
        RecordingManager transactionManager() {
            return new RecordingManager();
        }

        @Bean
        Service service() {
            return new Service();
        }

        @Bean
        Ledger ledger() {
            return new Ledger();
        }
    }

    /** Without locks of its own. */
    static class Ledger {

        @Transactional
        public <T> Mono<T> write(Supplier<Mono<T>> body) {
            return body.get();
        }
    }

    static class Service {

        @Locked("account")
        @Transactional
        public <T> Mono<T> around(Supplier<Mono<T>> body) {
            return body.get();
        }

        @Locked("account")
        public <T> Mono<T> within(Supplier<Mono<T>> body) {
            return body.get();
        }

        @Locked(value = "account", waitFor = "10ms", onTimeout = OnTimeout.SKIP)
        public Uni<String> uni() {
            return Uni.createFrom().item(() -> isFree() ? "free" : "held");
        }
    }

    @BeforeAll
    static void start(RedisServer redis) {
        application = new LockedApplication(redis, Application.class);
        service = application.bean(Service.class);
        transaction = TransactionalOperator.create(application.bean(RecordingManager.class));
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void forget() {
        DONE.clear();
    }

    private static boolean isFree() {
        return application.isFree("account");
    }

    private static <T> Mono<T> lose(T result) {
        return Mono.fromCallable(() -> {
            application.client.getLock("account").forceUnlock();
            return result;
        });
    }

    @Test
    void theLockIsAroundTheTransaction() {
        assertThat(service.around(() -> Mono.fromCallable(() -> isFree())).block())
                .isFalse();
        assertThat(DONE).containsExactly("committed");
        assertThat(isFree()).isTrue();
    }

    @Test
    void aLostLockRollsBackTheTransactionWithinIt() {
        assertThatThrownBy(service.around(() -> lose("done"))::block).isInstanceOf(LockLostException.class);
        assertThat(DONE).containsExactly("rolled back");
    }

    @Test
    void aLostLockRollsBackWhatAnotherBeanHasBegun() {
        Ledger ledger = application.bean(Ledger.class);
        Mono<String> lost = service.within(() -> Mono.just(1).flatMap(one -> ledger.write(() -> lose("done"))));
        assertThatThrownBy(lost::block).isInstanceOf(LockLostException.class);
        assertThat(DONE).containsExactly("rolled back");
        assertThat(ledger.write(() -> Mono.just("done")).block()).isEqualTo("done");
        assertThat(DONE).containsExactly("rolled back", "committed without lock");
    }

    @Test
    void anActiveTransactionKeepsTheLockUntilItIsCompleted() {
        Mono<Boolean> twice = service.within(() -> Mono.just(1))
                .then(Mono.fromCallable(() -> isFree()))
                .flatMap(free -> service.within(() -> Mono.just(free)));
        assertThat(twice.as(transaction::transactional).block()).isFalse();
        assertThat(DONE).containsExactly("committed");
        await().until(LockedReactiveTransactionTest::isFree);
    }

    @Test
    void aLostLockRollsBackTheTransactionThatKeepsIt() {
        Mono<String> lost = service.within(() -> Mono.just(1)).then(lose("done"));
        assertThatThrownBy(lost.as(transaction::transactional)::block).isInstanceOf(LockLostException.class);
        assertThat(DONE).containsExactly("rolled back");
        await().until(LockedReactiveTransactionTest::isFree);
    }

    @Test
    void aTransactionThatAnOperatorBeginsWithinTheCallIsToAskItself() {
        Mono<String> lost = service.within(() -> lose("done")
                .flatMap(done -> ReactiveLockTemplate.assertLocked("account").thenReturn(done))
                .as(transaction::transactional));
        assertThatThrownBy(lost::block).isInstanceOf(LockLostException.class);
        assertThat(DONE).containsExactly("rolled back");
    }

    @Test
    void manyCallsInOneTransactionAreRegisteredOnce() {
        Mono<Integer> registered = Flux.range(0, 50)
                .concatMap(i -> service.within(() -> Mono.just(i)))
                .then(TransactionSynchronizationManager.forCurrentTransaction())
                .map(manager -> manager.getSynchronizations().size());
        assertThat(registered.as(transaction::transactional).block()).isLessThan(3);
        await().until(LockedReactiveTransactionTest::isFree);
    }

    /** Its transaction may have completed already, or be about to, and would not give the lock back. */
    @Test
    void aCallThatIsCancelledAsItBeginsIsNotKept() {
        Sinks.Empty<Void> hanging = Sinks.empty();
        rollback = hanging.asMono();
        try {
            // It can be ended from the beginning on: where the lock is granted at once, this very thread begins the
            // call.
            BaseSubscriber<Object> subscription = new BaseSubscriber<>() {};
            Mono<Object> cancelled = service.within(() -> {
                subscription.dispose();
                return Mono.never();
            });
            cancelled.as(transaction::transactional).subscribe(subscription);
            await().until(LockedReactiveTransactionTest::isFree);
            assertThat(DONE).isEmpty();
        } finally {
            rollback = Mono.empty();
            hanging.tryEmitEmpty();
        }
        await().until(() -> DONE.contains("rolled back"));
    }

    @Test
    void aUniHoldsTheLockAndIsSkippedWithANullItem() {
        assertThat(service.uni().await().indefinitely()).isEqualTo("held");
        assertThat(isFree()).isTrue();
        application.other.getLock("account").lock();
        try {
            assertThat(service.uni().await().indefinitely()).isNull();
        } finally {
            application.other.getLock("account").unlock();
        }
    }
}
