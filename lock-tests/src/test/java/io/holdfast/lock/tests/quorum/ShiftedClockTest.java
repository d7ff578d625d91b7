package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.ShiftedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row 39: servers whose wall clocks are minutes wrong, or step by minutes. */
@RedisTest(freshPerTest = true)
class ShiftedClockTest extends QuorumTest {

    private static final int TWO_MINUTES = 120;

    @TempDir
    Path directory;

    private ShiftedServer server(int secondsAhead) throws Exception {
        return closing(ShiftedServer.like(redis, directory, Duration.ofSeconds(secondsAhead)));
    }

    /** The fault is real: this server's time is wrong by what was asked for, and steps while it runs. */
    @Tag("proof")
    @Test
    void theClockIsWrongAndSteps() throws Exception {
        ShiftedServer server = server(TWO_MINUTES);
        assertThat(server.time().toSeconds()).isCloseTo(Instant.now().getEpochSecond() + TWO_MINUTES, within(5L));
        server.set(Duration.ofSeconds(-TWO_MINUTES));
        assertThat(server.time().toSeconds()).isCloseTo(Instant.now().getEpochSecond() - TWO_MINUTES, within(5L));
    }

    /** One server: a step back gives no token twice, and none that is smaller. */
    @ParameterizedTest
    @ValueSource(ints = {TWO_MINUTES, -TWO_MINUTES})
    void tokensOfOneServerGrowOverASteppingClock(int step) throws Exception {
        ShiftedServer server = server(0);
        LockClient client = closing(Clients.connect(server.url()));
        RLock lock = client.getLock(NAME);
        long last = 0;
        for (int seconds : List.of(0, step, 0, step, -step, 0)) {
            server.set(Duration.ofSeconds(seconds));
            for (int i = 0; i < 3; i++) {
                try (LockHold hold = lock.tryAcquire(Duration.ofSeconds(5)).orElseThrow()) {
                    assertThat(hold.fencingToken()).isGreaterThan(last);
                    last = hold.fencingToken();
                } catch (LockLostException ended) {
                    // Valkey 9 may count the first lease from the time before the step, which ends it early.
                    assertThat(i).as(ended.getMessage()).isZero();
                }
            }
        }
    }

    /** One server: a step forward ends leases early, which exclusion cannot survive and tokens do. */
    @Tag("proof")
    @Test
    void aStepForwardOfTheOnlyServerLetsInASuccessorOfGreaterToken() throws Exception {
        ShiftedServer server = server(0);
        LockHold hold = closing(Clients.connect(server.url()))
                .getLock(NAME)
                .withLease(Duration.ofSeconds(20))
                .acquire();
        long token = hold.fencingToken();
        server.set(Duration.ofSeconds(TWO_MINUTES));
        LockHold successor = closing(Clients.connect(server.url()))
                .getLock(NAME)
                .tryAcquire(Duration.ofSeconds(1))
                .orElseThrow();
        assertThat(successor.fencingToken()).isGreaterThan(token);
        successor.close();
    }

    /** Several: one clock that steps, forward or back, costs no more than that server. */
    @Tag("proof")
    @ParameterizedTest
    @ValueSource(ints = {TWO_MINUTES, -TWO_MINUTES})
    void oneSteppingClockOfThreeLetsNobodyIn(int step) throws Exception {
        List<ShiftedServer> nodes = List.of(server(0), server(0), server(0));
        List<String> urls = nodes.stream().map(ShiftedServer::url).toList();
        LockClient client = connectQuorum(urls, PATIENT);
        LockClient other = connectQuorum(urls, PATIENT);
        long last = 0;
        for (int round = 0; round < 6; round++) {
            LockHold hold =
                    client.getLock(NAME).withLease(Duration.ofSeconds(3)).acquire();
            assertThat(hold.fencingToken()).isGreaterThan(last);
            last = hold.fencingToken();
            nodes.get(round % 3).set(Duration.ofSeconds(round < 3 ? step : 0));
            assertThat(other.getLock(NAME).tryAcquire(Duration.ofMillis(100))).isEmpty();
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            hold.close();
        }
        try (LockHold hold =
                other.getLock(NAME).tryAcquire(Duration.ofSeconds(5)).orElseThrow()) {
            assertThat(hold.fencingToken()).isGreaterThan(last);
        }
    }

    /** Servers that are four minutes apart agree on the order of tokens, whichever of them a majority is made of. */
    @Tag("proof")
    @Test
    void tokensGrowOverServersThatAreFourMinutesApart() throws Exception {
        List<ShiftedServer> nodes = new ArrayList<>();
        for (int ahead : List.of(-TWO_MINUTES, -60, 0, 60, TWO_MINUTES)) {
            nodes.add(server(ahead));
        }
        List<String> urls = nodes.stream().map(ShiftedServer::url).toList();
        long last = 0;
        for (QuorumOptions options : List.of(
                PATIENT, PATIENT.toBuilder().clockMargin(Duration.ofSeconds(1)).build())) {
            for (int i = 0; i < 3; i++) {
                LockClient client = connectQuorum(urls, options);
                for (int round = 0; round < 10; round++) {
                    try (LockHold hold = client.getLock(NAME)
                            .tryAcquire(Duration.ofSeconds(5))
                            .orElseThrow()) {
                        assertThat(hold.fencingToken()).isGreaterThan(last);
                        last = hold.fencingToken();
                    }
                }
            }
        }
    }
}
