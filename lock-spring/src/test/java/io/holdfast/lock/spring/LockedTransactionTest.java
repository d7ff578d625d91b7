package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** Locks and transactions, with a real database. */
@RedisTest
@Tag("proof")
class LockedTransactionTest {

    private static LockedApplication application;
    private static JdbcConnectionPool pool;
    private static Accounts accounts;
    private static JdbcTemplate jdbc;
    private static TransactionTemplate transactions;

    @Configuration(proxyBeanMethods = false)
    @EnableLocks
    @EnableTransactionManagement
    static class Application {

        @Bean
        DataSource dataSource() {
            return pool;
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource source) {
            return new JdbcTransactionManager(source);
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource source) {
            return new JdbcTemplate(source);
        }

        @Bean
        Accounts accounts() {
            return new Accounts();
        }

        @Bean
        Inner inner() {
            return new Inner();
        }
    }

    static class Inner {

        @Autowired
        private JdbcTemplate jdbc;

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void addInNew() {
            jdbc.update("update account set amount = amount + 1");
        }

        @Transactional(propagation = Propagation.NESTED)
        public void addInNested() {
            jdbc.update("update account set amount = amount + 1");
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public <T> T inNew(Callable<T> task) throws Exception {
            return task.call();
        }
    }

    static class Accounts {

        @Autowired
        private JdbcTemplate jdbc;

        @Locked("account")
        @Transactional(isolation = Isolation.READ_COMMITTED)
        public void add(Runnable afterReading, Runnable beforeCommit) {
            addOne(afterReading);
            beforeCommit.run();
        }

        @Transactional(isolation = Isolation.READ_COMMITTED)
        public void addInNaiveOrder(LockTemplate locks, Runnable afterReading, Runnable beforeCommit)
                throws InterruptedException {
            locks.release(Release.AFTER_METHOD).run("account", hold -> addOne(afterReading));
            beforeCommit.run();
        }

        private void addOne(Runnable afterReading) {
            int amount = jdbc.queryForObject("select amount from account", Integer.class);
            afterReading.run();
            jdbc.update("update account set amount = ?", amount + 1);
        }

        @Locked("account")
        @Transactional
        public void run(Callable<?> task) throws Exception {
            jdbc.update("update account set amount = amount + 1");
            task.call();
        }

        @Locked(value = "account", onLost = OnLost.IGNORE)
        @Transactional
        public void ignore(Callable<?> task) throws Exception {
            jdbc.update("update account set amount = amount + 1");
            task.call();
        }

        @Locked("account")
        public <T> T only(Callable<T> task) throws Exception {
            return task.call();
        }

        @Locked("account")
        public int snapshot() {
            return 1;
        }

        @Locked(value = "account", release = Release.AFTER_METHOD)
        public void early() {}
    }

    @BeforeAll
    static void start(RedisServer redis) {
        pool = JdbcConnectionPool.create("jdbc:h2:mem:accounts", "sa", "");
        application = new LockedApplication(redis, Application.class);
        accounts = application.bean(Accounts.class);
        jdbc = application.bean(JdbcTemplate.class);
        jdbc.execute("create table account (amount int)");
        jdbc.update("insert into account values (0)");
        transactions = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
        transactions.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
    }

    @AfterAll
    static void stop() {
        application.close();
        pool.dispose();
    }

    @BeforeEach
    void empty() {
        jdbc.update("update account set amount = 0");
    }

    private static int amount() {
        return jdbc.queryForObject("select amount from account", Integer.class);
    }

    private static boolean isFree() {
        return application.isFree("account");
    }

    private static Object lose() {
        return lose(Inside.ofThread().grip().holdings().get(0));
    }

    private static Object lose(Holding holding) {
        application.client.getLock("account").forceUnlock();
        await().until(() -> holding.hold().state() == HoldState.LOST);
        return "lost";
    }

    /** Reads the amount under the lock and writes one more, in a transaction. */
    private interface Adding {
        void add(Runnable afterReading, Runnable beforeCommit) throws Exception;
    }

    /** One adds, and before it commits another has read the amount as well, or has to wait for the lock. */
    private static int amountAfterTwo(Adding adding) throws Exception {
        CountDownLatch otherHasRead = new CountDownLatch(1);
        FutureTask<?> other = new FutureTask<>(() -> {
            adding.add(otherHasRead::countDown, () -> {});
            return null;
        });
        adding.add(() -> {}, () -> {
            new Thread(other, "the other").start();
            await().until(() -> otherHasRead.getCount() == 0
                    || !application.client.waiters().isEmpty());
        });
        other.get();
        return amount();
    }

    @Test
    void noUpdateIsLost() throws Exception {
        assertThat(amountAfterTwo(accounts::add)).isEqualTo(2);
    }

    /** What the test above would see: the lock within the transaction loses an update. */
    @Test
    void theNaiveOrderLosesAnUpdate() throws Exception {
        LockTemplate locks = application.bean(LockTemplate.class);
        assertThat(amountAfterTwo(
                        (afterReading, beforeCommit) -> accounts.addInNaiveOrder(locks, afterReading, beforeCommit)))
                .isEqualTo(1);
    }

    @Test
    void aLostLockRollsBackTheTransactionWithinIt() {
        assertThatThrownBy(() -> accounts.run(LockedTransactionTest::lose)).isInstanceOf(LockLostException.class);
        assertThat(amount()).isZero();
    }

    @Test
    void aLossThatIsIgnoredRollsNothingBack() throws Exception {
        accounts.ignore(LockedTransactionTest::lose);
        assertThat(amount()).isEqualTo(1);
    }

    @Test
    void aLostLockRollsBackWhatIsBegunByATemplateOrAnotherBean() throws Exception {
        assertThatThrownBy(() -> accounts.only(() -> transactions.execute(status -> {
                    jdbc.update("update account set amount = 7");
                    return lose();
                })))
                .isInstanceOf(LockLostException.class);
        assertThat(amount()).isZero();
        Inner inner = application.bean(Inner.class);
        assertThatThrownBy(() -> accounts.only(() -> {
                    lose();
                    inner.addInNew();
                    return null;
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(amount()).isZero();
    }

    @Test
    void anActiveTransactionKeepsTheLockUntilItIsCompleted() throws Exception {
        transactions.executeWithoutResult(status -> {
            assertThatCall(() -> accounts.only(LockedTransactionTest::isFree)).isEqualTo(false);
            assertThat(isFree()).isFalse();
            LockAssert.assertLocked("account");
            assertThatCall(() -> accounts.only(LockedTransactionTest::isFree)).isEqualTo(false);
        });
        await().until(LockedTransactionTest::isFree);
        assertThatThrownBy(() -> transactions.executeWithoutResult(status -> {
                    assertThatCall(() -> accounts.only(LockedTransactionTest::isFree))
                            .isEqualTo(false);
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        await().until(LockedTransactionTest::isFree);
        transactions.executeWithoutResult(status -> {
            accounts.early();
            assertThat(isFree()).isTrue();
        });
    }

    private static org.assertj.core.api.ObjectAssert<Object> assertThatCall(Callable<?> call) {
        try {
            return assertThat((Object) call.call());
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void aLostLockRollsBackTheTransactionThatKeepsIt() {
        assertThatThrownBy(() -> transactions.executeWithoutResult(status -> {
                    jdbc.update("update account set amount = 7");
                    assertThatCall(() -> accounts.only(() -> 1)).isEqualTo(1);
                    lose(Kept.find("account"));
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(amount()).isZero();
        assertThat(Kept.find("account")).isNull();
    }

    @Test
    void aNewTransactionJoinsWhatTheSuspendedOneKeeps() throws Exception {
        Inner inner = application.bean(Inner.class);
        transactions.executeWithoutResult(status -> {
            assertThatCall(() -> accounts.only(() -> 1)).isEqualTo(1);
            assertThatCall(() -> inner.inNew(() -> accounts.only(() -> 2))).isEqualTo(2);
            assertThat(isFree()).isFalse();
            inner.addInNested();
        });
        await().until(LockedTransactionTest::isFree);
        assertThat(amount()).isEqualTo(1);
    }

    @Test
    void aReadOnlyTransactionKeepsItToo() {
        TransactionTemplate reading = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
        reading.setReadOnly(true);
        reading.executeWithoutResult(status -> {
            assertThatCall(() -> accounts.only(() -> 1)).isEqualTo(1);
            assertThat(isFree()).isFalse();
        });
        await().until(LockedTransactionTest::isFree);
    }

    /** As transaction managers of application servers do it, after a timeout for one. */
    @Test
    void aTransactionMayCompleteOnAnotherThread() throws Exception {
        TransactionSynchronizationManager.initSynchronization();
        TransactionSynchronizationManager.setActualTransactionActive(true);
        List<TransactionSynchronization> all;
        try {
            assertThatCall(() -> accounts.only(() -> 1)).isEqualTo(1);
            all = TransactionSynchronizationManager.getSynchronizations();
            all.forEach(TransactionSynchronization::beforeCompletion);
        } finally {
            TransactionSynchronizationManager.clear();
        }
        assertThat(isFree()).isFalse();
        CompletableFuture.runAsync(() -> TransactionSynchronizationUtils.invokeAfterCompletion(
                        all, TransactionSynchronization.STATUS_UNKNOWN))
                .get();
        await().until(LockedTransactionTest::isFree);
        assertThat(Kept.find("account")).isNull();
    }

    @Test
    void whatIsLockedAfterTheCommitIsGivenBackToo() {
        for (int i = 0; i < 2; i++) {
            transactions.executeWithoutResult(status -> {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        assertThatCall(() -> accounts.only(LockedTransactionTest::isFree))
                                .isEqualTo(false);
                    }
                });
                assertThatCall(() -> accounts.only(() -> 1)).isEqualTo(1);
            });
            await().until(LockedTransactionTest::isFree);
            assertThat(Kept.find("account")).isNull();
            assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        }
    }

    @Test
    void aSnapshotThatMayBeOlderIsWarnedOfOnce() {
        Logger logger = (Logger) LoggerFactory.getLogger(TransactionLocks.class);
        ListAppender<ILoggingEvent> heard = new ListAppender<>();
        heard.start();
        logger.addAppender(heard);
        try {
            TransactionTemplate repeatable =
                    new TransactionTemplate(application.bean(PlatformTransactionManager.class));
            repeatable.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
            transactions.executeWithoutResult(
                    status -> assertThatCall(() -> accounts.snapshot()).isEqualTo(1));
            assertThat(heard.list).isEmpty();
            for (int i = 0; i < 3; i++) {
                repeatable.executeWithoutResult(
                        status -> assertThatCall(() -> accounts.snapshot()).isEqualTo(1));
            }
            assertThat(heard.list).hasSize(1);
            assertThat(heard.list.get(0).getLevel()).isEqualTo(Level.WARN);
            assertThat(heard.list.get(0).getFormattedMessage()).startsWith("Accounts.snapshot takes its lock within");
        } finally {
            logger.detachAppender(heard);
        }
    }

    @Test
    void anotherThreadGetsTheLockAfterTheCommit() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CompletableFuture<Integer> seen = CompletableFuture.supplyAsync(() -> {
            try {
                inside.await();
                return accounts.only(LockedTransactionTest::amount);
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
        accounts.run(() -> {
            inside.countDown();
            return null;
        });
        assertThat(seen.get()).isEqualTo(1);
    }
}
