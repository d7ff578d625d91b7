package io.holdfast.lock.netty.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.CredentialsUnavailableException;
import io.holdfast.lock.netty.Logs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What connections are given, whatever a user's provider does. */
class ProvidedLoginsTest {

    private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
    private static final String CANARY = "canary-81c3";

    private final ManualRuntime runtime = new ManualRuntime();
    private final List<CompletableFuture<Credentials>> calls = new ArrayList<>();
    private Supplier<@Nullable CompletionStage<Credentials>> provider = this::newCall;
    private final ProvidedLogins logins =
            new ProvidedLogins(() -> provider.get(), runtime, runtime.callbacks(), "test", () -> NOW);

    @Test
    void allThatAskDuringACallHaveItsAnswer() {
        Heard first = ask();
        Heard second = ask();
        runtime.runCallbacks();
        assertThat(calls).hasSize(1);
        calls.get(0).complete(Credentials.of("app", "one"));

        assertThat(first.password()).isEqualTo("one");
        assertThat(second.login()).isSameAs(first.login());
        assertThat(runtime.timers()).isZero();
    }

    @Test
    void aProviderThatNeverBlocksNeedsNoThread() {
        ProvidedLogins fixed = new ProvidedLogins(
                CredentialsProvider.of("app", "one"),
                runtime,
                task -> {
                    throw new IllegalStateException("on purpose: no thread");
                },
                "test",
                () -> NOW);
        Heard heard = new Heard();
        fixed.forConnection(PATIENCE, Runnable::run, heard);
        assertThat(heard.password()).isEqualTo("one");
        assertThat(runtime.timers()).isZero();
    }

    @Test
    void aLaterConnectionAsksAgain() {
        given("one");
        assertThat(given("two").password()).isEqualTo("two");
    }

    @Test
    void whatIsHeardIsHeardOnTheLoopOnly() {
        List<Runnable> loop = new ArrayList<>();
        Heard heard = new Heard();
        logins.forConnection(PATIENCE, loop::add, heard);
        runtime.runCallbacks();
        calls.get(0).complete(Credentials.ofPassword("one"));
        assertThat(heard.answers).isZero();
        loop.forEach(Runnable::run);
        assertThat(heard.password()).isEqualTo("one");
    }

    @Test
    void aProviderThatFailsKeepsWhatItGaveAndIsSaidOnce() {
        try (Logs logs = new Logs()) {
            given("one");
            for (int i = 0; i < 3; i++) {
                Heard heard = ask();
                runtime.runCallbacks();
                calls.get(calls.size() - 1).completeExceptionally(new IllegalStateException(CANARY));
                assertThat(heard.password()).isEqualTo("one");
            }
            assertThat(logs.ours(Level.WARN)).singleElement().satisfies(line -> assertThat(line)
                    .contains("provider of test failed: java.lang.IllegalStateException")
                    .contains("stays in use"));
            given("two");
            assertThat(logs.ours(Level.INFO)).anyMatch(line -> line.contains("works again"));
            Heard heard = ask();
            provider = () -> {
                throw new CredentialsUnavailableException("no token\nnow");
            };
            runtime.runCallbacks();
            assertThat(heard.password()).isEqualTo("two");
            assertThat(logs.ours(Level.WARN)).hasSize(2).last().asString().contains("no token\\u000anow");
            assertThat(logs.everything()).noneMatch(line -> line.contains(CANARY));
        }
    }

    @Test
    void withoutAnyLoginAFailureIsTheConnections() {
        for (Supplier<@Nullable CompletionStage<Credentials>> bad :
                List.<Supplier<@Nullable CompletionStage<Credentials>>>of(
                        () -> null,
                        () -> CompletableFuture.completedFuture(null),
                        () -> CompletableFuture.failedFuture(new Exception(CANARY)),
                        () -> {
                            throw new StackOverflowError(CANARY);
                        })) {
            provider = bad;
            Heard heard = ask();
            runtime.runCallbacks();
            assertThat(heard.why).startsWith("the credentials provider ").doesNotContain(CANARY);
            assertThat(heard.answers).isOne();
        }
    }

    @Test
    void aProviderThatHangsKeepsWhatItGaveAndCostsPatienceOnce() {
        try (Logs logs = new Logs()) {
            given("one");
            Heard waits = ask();
            runtime.runCallbacks();
            runtime.pass(PATIENCE - 1);
            assertThat(waits.answers).isZero();
            runtime.pass(1);
            assertThat(waits.password()).isEqualTo("one");
            assertThat(ask().password()).isEqualTo("one");
            assertThat(logs.ours(Level.WARN)).singleElement().asString().contains("has not answered for 1000 ms");
        }
    }

    @Test
    void aLateAnswerIsUsed() {
        given("one");
        ask();
        runtime.runCallbacks();
        runtime.pass(PATIENCE);
        calls.get(1).complete(Credentials.ofPassword("two"));
        Heard next = after(given("three"));
        runtime.runCallbacks();
        calls.get(2).complete(Credentials.ofPassword("never"));
        assertThat(next.answers).isZero();
        calls.get(3).complete(Credentials.ofPassword("four"));
        assertThat(next.password()).isEqualTo("four");
    }

    @Test
    void aProviderThatAnswersAfterManyCallsThatItDidNotIsHeard() {
        for (int i = 0; i < 20; i++) {
            Heard heard = ask();
            runtime.runCallbacks();
            runtime.pass(PATIENCE);
            heard.cancel();
            assertThat(heard.answers).isZero();
        }
        assertThat(calls).hasSize(20);
        assertThat(runtime.timers()).isZero();
        assertThat(given("at last").password()).isEqualTo("at last");
    }

    @Test
    void anAnswerToACallThatWasForgottenIsUsed() {
        for (int i = 0; i < 20; i++) {
            ask();
            runtime.runCallbacks();
            runtime.pass(PATIENCE);
        }
        Heard last = ask();
        calls.get(0).complete(Credentials.ofPassword("at last"));
        assertThat(last.password()).isEqualTo("at last");
    }

    @Test
    void aFewCallsAtMostKeepAThreadAndTheseAreInterruptedAfterAWhile() throws Exception {
        CountDownLatch inside = new CountDownLatch(ProvidedLogins.MOST_UNANSWERED);
        List<Thread> threads = new ArrayList<>();
        provider = () -> {
            inside.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException enough) {
                throw new IllegalStateException(enough);
            }
            return null;
        };
        for (int i = 0; i < ProvidedLogins.MOST_UNANSWERED; i++) {
            ask();
            Thread thread = new Thread(runtime::runCallbacks);
            threads.add(thread);
            thread.start();
            runtime.pass(PATIENCE);
        }
        assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();
        Heard waits = ask();
        assertThat(runtime.runCallbacks()).isZero();

        runtime.pass(ProvidedLogins.LONGEST_CALL_NANOS);
        ask();
        await().until(() -> threads.stream().noneMatch(Thread::isAlive));
        assertThat(given("at last").password()).isEqualTo("at last");
        assertThat(waits.answers).isOne();
    }

    @Test
    void aConnectionThatWaitsForWhatOthersAskForAsksNothingItself() {
        Heard first = given("one");
        Heard watcher = whenGiven(first);
        Heard cancelled = whenGiven(first);
        assertThat(runtime.runCallbacks()).isZero();
        assertThat(runtime.timers()).isZero();

        ask();
        runtime.runCallbacks();
        calls.get(calls.size() - 1).completeExceptionally(new IllegalStateException(CANARY));
        assertThat(watcher.answers).as("a failure is no news").isZero();
        cancelled.cancel();
        given("two");
        assertThat(watcher.password()).isEqualTo("two");
        assertThat(cancelled.answers).isZero();
        assertThat(whenGiven(first).password()).as("what is there already").isEqualTo("two");
        given("three");
        assertThat(watcher.answers).isOne();
    }

    @Test
    void thePauseGrowsByCallsAndNotByConnectionsThatWaitedForThem() {
        Heard present = given("one");
        for (int i = 0; i < 6; i++) {
            after(present);
        }
        runtime.runCallbacks();
        runtime.pass(PATIENCE);
        assertThat(TimeUnit.NANOSECONDS.toSeconds(logins.pauseNanos())).isOne();
        calls.get(calls.size() - 1).completeExceptionally(new IllegalStateException(CANARY));
        assertThat(TimeUnit.NANOSECONDS.toSeconds(logins.pauseNanos())).isOne();
        after(present);
        runtime.runCallbacks();
        runtime.pass(PATIENCE);
        assertThat(TimeUnit.NANOSECONDS.toSeconds(logins.pauseNanos())).isEqualTo(2);
    }

    @Test
    void anExceptionThatThrowsWhenItIsLookedAtIsAnAnswer() {
        RuntimeException hostile = new CompletionException(null, null) {
            @Override
            public synchronized Throwable getCause() {
                throw new IllegalStateException(CANARY);
            }
        };
        CompletionException circle = new CompletionException(CANARY, hostile) {
            @Override
            public synchronized Throwable getCause() {
                return this;
            }
        };
        for (RuntimeException bad : List.of(hostile, circle)) {
            provider = () -> {
                throw bad;
            };
            Heard heard = ask();
            runtime.runCallbacks();
            assertThat(heard.why).contains("failed: " + ProvidedLoginsTest.class.getName());
            provider = () -> CompletableFuture.failedFuture(bad);
            heard = ask();
            runtime.runCallbacks();
            assertThat(heard.why).contains("failed: ").doesNotContain(CANARY);
        }
    }

    @Test
    void anotherLoginThanARefusedOneIsAskedFor() {
        Heard refused = given("one");
        Heard next = after(refused);
        runtime.runCallbacks();
        calls.get(1).complete(Credentials.ofPassword("two"));
        assertThat(next.password()).isEqualTo("two");
        assertThat(after(refused).password()).as("what is there already").isEqualTo("two");
        Heard none = after(next);
        runtime.runCallbacks();
        runtime.pass(PATIENCE);
        assertThat(none.why).contains("has not answered");
        assertThat(none.answers).isOne();
    }

    @Test
    void whatIsDueIsNotGivenForARenewal() {
        Heard first = given("one");
        Heard second = ask();
        runtime.runCallbacks();
        calls.get(1).complete(Credentials.ofPassword("two").expiringAt(NOW.plusSeconds(2)));
        assertThat(second.password()).isEqualTo("two");
        runtime.pass(TimeUnit.SECONDS.toNanos(1));
        Heard renewed = after(first);
        assertThat(renewed.answers).isZero();
        assertThat(runtime.runCallbacks()).isOne();
    }

    @Test
    void thePauseAfterFailuresGrowsUpToHalfAMinute() {
        provider = () -> null;
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ask();
            runtime.runCallbacks();
            pauses.add(TimeUnit.NANOSECONDS.toSeconds(logins.pauseNanos()));
        }
        assertThat(pauses).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
    }

    @Test
    void closingInterruptsTheProviderAndTellsNobody() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        List<Boolean> interrupted = new ArrayList<>();
        provider = () -> {
            inside.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException closed) {
                interrupted.add(true);
            }
            return null;
        };
        Heard heard = ask();
        Thread thread = new Thread(runtime::runCallbacks);
        thread.start();
        assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();
        logins.close();
        await().until(() -> !thread.isAlive());
        assertThat(interrupted).containsExactly(true);
        assertThat(heard.answers).isZero();
        assertThat(runtime.timers()).isZero();
        ask();
        assertThat(runtime.runCallbacks()).isZero();
    }

    private CompletionStage<Credentials> newCall() {
        CompletableFuture<Credentials> call = new CompletableFuture<>();
        calls.add(call);
        return call;
    }

    private Heard ask() {
        Heard heard = new Heard();
        heard.request = logins.forConnection(PATIENCE, Runnable::run, heard);
        return heard;
    }

    private Heard after(Heard earlier) {
        Heard heard = new Heard();
        heard.request = logins.after(earlier.login(), PATIENCE, Runnable::run, heard);
        return heard;
    }

    private Heard whenGiven(Heard earlier) {
        Heard heard = new Heard();
        heard.request = logins.whenGiven(earlier.login(), Runnable::run, heard);
        return heard;
    }

    private Heard given(String password) {
        provider = () -> CompletableFuture.completedFuture(Credentials.ofPassword(password));
        Heard heard = ask();
        runtime.runCallbacks();
        provider = this::newCall;
        calls.add(new CompletableFuture<>());
        return heard;
    }

    /** A connection. */
    private static final class Heard implements Logins.Receiver {

        private int answers;
        private @Nullable Login login;
        private String why = "";
        private Logins.Request request = Logins.Request.ANSWERED;

        @Override
        public void login(@Nullable Login given) {
            answers++;
            login = given;
        }

        @Override
        public void noLogin(String reason) {
            answers++;
            why = reason;
        }

        void cancel() {
            request.cancel();
        }

        Login login() {
            return Objects.requireNonNull(login, "no login");
        }

        String password() {
            return login().password();
        }
    }
}
