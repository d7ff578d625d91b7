package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.CredentialsUnavailableException;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.ServerTest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Credentials from code of users: rotated, late, missing, broken. */
class CredentialsProviderTest extends ServerTest {

    private static final String CANARY = "canary-c0de";

    private static final Duration WAIT = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    @BeforeEach
    void addUser() {
        raw.command("ACL", "SETUSER", "app", "on", ">" + CANARY, "+@all", "~*", "&*");
    }

    @Test
    void aPasswordThatIsRotatedWhileALockIsHeldCostsNothing() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), CANARY + "\n");
        try (LockClient client = connect(options(CredentialsProvider.file("app", file)));
                LockHold hold = client.getLock("held", Clients.watchdog(Duration.ofSeconds(5)))
                        .acquire()) {
            Background<Boolean> waiter = Background.run(() -> {
                try (LockHold next = client.getLock("held").acquire()) {
                    assertThat(next.state()).isEqualTo(HoldState.HELD);
                }
            });
            await().until(() -> raw.command("PUBSUB", "NUMPAT") != null
                    && !raw.list("PUBSUB", "CHANNELS").isEmpty());

            raw.command("ACL", "SETUSER", "app", "resetpass", ">rotated");
            Files.writeString(file, "rotated\n");
            raw.command("CLIENT", "KILL", "USER", "app");

            RLock lock = client.getLock("other");
            assertThat(lock.tryLock(10, TimeUnit.SECONDS)).isTrue();
            lock.unlock();
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            hold.release();
            assertThat(waiter.result()).isTrue();
        }
    }

    @Test
    void aPasswordThatTheSourceHasBeforeTheServerCostsNothing() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), CANARY);
        try (LockClient client = connect(options(CredentialsProvider.file("app", file)));
                LockHold hold = client.getLock("held", Clients.watchdog(Duration.ofSeconds(5)))
                        .acquire()) {
            Files.writeString(file, "too early");
            raw.command("CLIENT", "KILL", "USER", "app");

            assertThat(client.getLock("other").tryLock(10, TimeUnit.SECONDS)).isTrue();
            client.getLock("other").unlock();
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void aTokenThatIsOverAndAProviderThatFailsAreAnOutage() throws Exception {
        AtomicReference<String> token = new AtomicReference<>(CANARY);
        AtomicInteger failures = new AtomicInteger();
        CredentialsProvider provider = CredentialsProvider.supplier(() -> {
            if (token.get().isEmpty()) {
                failures.incrementAndGet();
                throw new CredentialsUnavailableException("the vault is sealed");
            }
            return Credentials.of("app", token.get()).expiringAt(Instant.now().plusSeconds(60));
        });
        try (LockClient client = connect(Clients.quick().credentials(provider).build());
                LockHold hold = client.getLock("held", Clients.watchdog(Duration.ofSeconds(30)))
                        .acquire()) {
            token.set("");
            raw.command("ACL", "SETUSER", "app", "resetpass", ">renewed");
            raw.command("CLIENT", "KILL", "USER", "app");
            await().until(() -> failures.get() >= 2);
            assertThatThrownBy(() -> client.getLock("other").tryLock(300, TimeUnit.MILLISECONDS))
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("the vault is sealed");

            token.set("renewed");
            assertThat(client.getLock("other").tryLock(10, TimeUnit.SECONDS)).isTrue();
            client.getLock("other").unlock();
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void cancellingAConnectThatWaitsForTheProviderEndsItAtOnce() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        CredentialsProvider provider = CredentialsProvider.supplier(() -> {
            inside.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException closed) {
                interrupted.countDown();
            }
            throw new IllegalStateException("interrupted");
        });
        CompletableFuture<LockClient> connecting = LockClient.connectAsync(
                redis.url(),
                Clients.quick()
                        .credentials(provider)
                        .connectTimeout(Duration.ofMinutes(5))
                        .build());
        assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();
        connecting.cancel(true);
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    }

    static List<CredentialsProvider> broken() {
        return List.of(
                () -> {
                    throw new IllegalStateException(CANARY);
                },
                () -> CompletableFuture.failedFuture(new IllegalStateException(CANARY)),
                () -> CompletableFuture.completedFuture(null),
                () -> null,
                CompletableFuture::new);
    }

    @ParameterizedTest
    @MethodSource("broken")
    void withoutCredentialsThereIsNoConnectionAndNoSecretIsTold(CredentialsProvider provider) {
        assertThatThrownBy(() -> LockClient.connect(
                        redis.url(),
                        Clients.quick()
                                .credentials(provider)
                                .connectTimeout(Duration.ofMillis(300))
                                .build()))
                .isInstanceOfSatisfying(LockUnavailableException.class, failed -> assertThat(failed.reason())
                        .isEqualTo(FailureReason.UNREACHABLE))
                .hasMessageContaining("no credentials")
                .satisfies(failed -> assertThat(traceOf(failed)).doesNotContain(CANARY));
    }

    @Test
    void wrongCredentialsAreRefusedAtOnceAfterASecondQuestion() {
        List<String> given = new ArrayList<>();
        CredentialsProvider provider = CredentialsProvider.supplier(() -> {
            given.add(CANARY + "-wrong-" + given.size());
            return Credentials.of("app", given.get(given.size() - 1));
        });
        assertThatThrownBy(() -> LockClient.connect(redis.url(), options(provider)))
                .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                        .isEqualTo(FailureReason.WRONGPASS))
                .satisfies(failed -> assertThat(traceOf(failed)).doesNotContain(CANARY));
        assertThat(given).hasSize(2);
    }

    @Test
    void closingLeavesNothingThoughTheProviderHangs() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CredentialsProvider provider = CredentialsProvider.supplier(() -> {
            inside.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("interrupted");
        });
        LockClient client = LockClient.connect(
                redis.url(), Clients.quick().credentials(provider).lazy(true).build());
        Background<Boolean> call = Background.run(
                () -> assertThatThrownBy(() -> client.getLock("job").tryLock(20, TimeUnit.SECONDS))
                        .isInstanceOf(RuntimeException.class));
        assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();
        client.close();
        assertThat(call.result()).isTrue();
    }

    @Test
    void aProviderMayUseLocksOfAnotherClient() throws Exception {
        LockClient vault = connect();
        CredentialsProvider provider = CredentialsProvider.supplier(() -> {
            vault.getLock("token").lock();
            vault.getLock("token").unlock();
            return Credentials.of("app", CANARY);
        });
        LockClient client = connect(options(provider));
        client.runLocked("job", WAIT, hold -> {});
    }

    @Test
    void noCallRunsOnAThreadOfTheConnections() throws Exception {
        List<String> threads = new ArrayList<>();
        CredentialsProvider provider = () -> {
            threads.add(Thread.currentThread().getName());
            return CompletableFuture.completedFuture(Credentials.of("app", CANARY));
        };
        connect(options(provider)).runLocked("job", WAIT, hold -> {});
        assertThat(threads).isNotEmpty().allMatch(name -> name.contains("-connect-"));
    }

    @Test
    void aPasswordInTheAddressContradictsAProvider() {
        String url = redis.url().replace("redis://", "redis://app:" + CANARY + "@");
        ClientOptions options = options(CredentialsProvider.of("app", CANARY));
        assertThatThrownBy(() -> LockClient.connect(url, options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(expected: no password, since ClientOptions.credentials")
                .hasMessageNotContaining(CANARY);
        assertThatThrownBy(() -> LockClient.connectQuorum(
                        List.of(redis.url(), url, redis.url()), options, QuorumOptions.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("url number 2: ")
                .hasMessageNotContaining(CANARY);
    }

    /** With room for a machine that stands still for a while. */
    private static ClientOptions options(CredentialsProvider provider) {
        return Clients.quick()
                .credentials(provider)
                .commandTimeout(Duration.ofSeconds(5))
                .heartbeat(Duration.ofSeconds(5))
                .build();
    }

    private static String traceOf(Throwable failed) {
        StringWriter trace = new StringWriter();
        failed.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }
}
