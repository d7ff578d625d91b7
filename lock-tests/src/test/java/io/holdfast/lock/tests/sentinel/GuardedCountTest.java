package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.testkit.Detours;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.CountingProgram;
import io.holdfast.lock.tests.support.CountingProgram.Way;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Rows 12 and 13 with the failover guard: the value takes whatever an owner writes, so that each moment with two owners costs
 * an update. One process goes to the servers and the Sentinels by ways of its own.
 */
@Tag("proof")
class GuardedCountTest extends CountingTest {

    private Detours detours;
    private boolean guarded = true;

    @BeforeEach
    void theGroupWasInUse() {
        Term.beginLongAgo(group);
        detours = group.detours();
    }

    @AfterEach
    void healAll() {
        group.servers().forEach(detours::heal);
        group.sentinels().forEach(detours::heal);
    }

    @Override
    ClientOptions.Builder options() {
        return guarded
                ? Clients.quick()
                        .failoverGuard(CountingProgram.LEASE)
                        .lockOptions(Clients.watchdog(CountingProgram.LEASE))
                        .sentinel(SentinelOptions.builder()
                                .silence(CountingProgram.SILENCE)
                                .build())
                : Clients.quick();
    }

    @Override
    void startTheLast(Way way) throws Exception {
        String ways = detours.addresses().entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(","));
        fleet.start(detours.url(), way, ways);
    }

    @Test
    void noUpdateIsLostWhenThePrimaryIsKilled() throws Exception {
        begin(Way.GUARDED);
        RedisServer old = group.primary();
        old.kill();
        group.awaitOtherPrimary(old);
        awaitTurnsOfEach();
        assertNothingIsLost();
    }

    @Test
    void noUpdateIsLostWhenThePrimaryIsStoppedAndContinued() throws Exception {
        begin(Way.GUARDED);
        RedisServer old = group.primary();
        old.pause();
        group.awaitOtherPrimary(old);
        old.resume();
        awaitTurnsOfEach();
        assertNothingIsLost();
    }

    @Test
    void noUpdateIsLostWhenOneProcessHearsNothingOfTheSwitch() throws Exception {
        begin(Way.GUARDED);
        switchBehindTheBackOfTheLast();
        fleet.awaitTurnsOfAllButTheLast();
        healAll();
        awaitTurnsOfEach();
        assertNothingIsLost();
    }

    /** That the tests above can fail. */
    @Test
    void withoutTheGuardAProcessThatHearsNothingLosesUpdates() throws Exception {
        guarded = false;
        begin(Way.UNGUARDED);
        switchBehindTheBackOfTheLast();
        awaitTurnsOfEach();
        healAll();
        assertThat(lostUpdates()).isPositive();
    }

    /** The old primary stays one, and takes writes, for as long as a client goes there. */
    private void switchBehindTheBackOfTheLast() throws Exception {
        RedisServer old = group.primary();
        try (RawRedis raw = old.connect()) {
            raw.command("ACL", "SETUSER", "default", "-slaveof", "-replicaof");
        }
        group.sentinels().forEach(detours::partition);
        group.failOver();
        fleet.awaitTurnsOfAllButTheLast();
    }
}
