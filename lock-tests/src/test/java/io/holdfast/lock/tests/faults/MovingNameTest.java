package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.HostsFile;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ReplicatedPair;
import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.harness.HolderProgram;
import io.holdfast.lock.tests.support.OurConnections;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Row 30d: a failover by DNS. A name leads to the primary, and later to its successor, while both are alive. The client is in a
 * JVM of its own, which remembers an address for 30 s as every JVM does; its names come from a file.
 */
@Tag("proof")
class MovingNameTest {

    private static final String NAME = "db.test";
    private static final String FIRST_ADDRESS = "127.0.0.1";
    private static final String SECOND_ADDRESS = "127.0.0.2";

    /** A third of it is longer than any wait here, so that no renewal tells the client that its server is a replica. */
    private static final long LONG_LEASE_MILLIS = Duration.ofMinutes(10).toMillis();

    /** The JVM's memory of an address would last longer. */
    private static final Duration SOONER_THAN_THE_JVM_FORGETS = Duration.ofSeconds(25);

    @TempDir
    Path directory;

    private ReplicatedPair pair;
    private RedisServer first;
    private RedisServer second;
    private FaultProxy way;
    private FaultProxy otherWay;
    private HostsFile hosts;

    @BeforeEach
    void pair() {
        pair = ReplicatedPair.start();
        first = pair.primary();
        second = pair.replicas().get(0);
        way = FaultProxy.to(first);
        otherWay = way.twin(SECOND_ADDRESS, second);
        hosts = HostsFile.at(directory.resolve("hosts"));
    }

    @AfterEach
    void end() {
        otherWay.close();
        way.close();
        pair.close();
    }

    /** The client calls nothing meanwhile: what it finds out, it finds out by asking the server of its idle connection. */
    @Test
    void anIdleClientFollowsTheNameThereAndBackWithItsHold() throws Exception {
        hosts.lead(NAME, FIRST_ADDRESS);
        try (ChildJvm child = client()) {
            String token = child.ask("acquire stock " + LONG_LEASE_MILLIS);
            moveTo(second, SECOND_ADDRESS);
            awaitClientAt(second, first);
            awaitHeld(child);
            moveTo(first, FIRST_ADDRESS);
            awaitClientAt(first, second);
            awaitHeld(child);
            assertThat(Long.parseLong(child.ask("acquire other " + LONG_LEASE_MILLIS)))
                    .isGreaterThan(Long.parseLong(token));
        }
    }

    /** Its first request after the failover meets a replica, and its next attempt to connect the address of before. */
    @Test
    void aCallRightAfterTheMoveIsServedByTheSuccessor() throws Exception {
        hosts.lead(NAME, FIRST_ADDRESS);
        try (ChildJvm child = client()) {
            moveTo(second, SECOND_ADDRESS);
            assertThat(child.ask("acquire stock " + LONG_LEASE_MILLIS)).isNotEmpty();
            awaitClientAt(second, first);
            awaitHeld(child);
        }
    }

    /** As name services do while a change is on its way, and those of several servers always. */
    @Test
    void ofTwoAddressesTheOneOfTheReplicaIsNotTaken() throws Exception {
        for (String[] order : new String[][] {{FIRST_ADDRESS, SECOND_ADDRESS}, {SECOND_ADDRESS, FIRST_ADDRESS}}) {
            hosts.lead(NAME, order);
            try (ChildJvm child = client()) {
                child.ask("acquire " + order[0] + " " + LONG_LEASE_MILLIS);
                awaitClientAt(first, second);
            }
        }
    }

    private ChildJvm client() throws Exception {
        ChildJvm child = ChildJvm.start(
                List.of(),
                Map.of("JDK_JAVA_OPTIONS", hosts.option()),
                line -> false,
                HolderProgram.class,
                "redis://" + NAME + ":" + way.port());
        child.hear("ready");
        return child;
    }

    /** Promotes a replica, has the primary follow it, and has the name lead there, in this order, as services do. */
    private void moveTo(RedisServer successor, String address) {
        RedisServer old = pair.primary();
        pair.awaitInStep();
        pair.promote(successor);
        pair.follow(old);
        pair.awaitInStep();
        hosts.lead(NAME, address);
    }

    /** Between two connections a hold is uncertain. */
    private static void awaitHeld(ChildJvm child) {
        await().atMost(SOONER_THAN_THE_JVM_FORGETS).until(() -> child.ask("state"), "HELD"::equals);
    }

    private static void awaitClientAt(RedisServer server, RedisServer other) {
        await().atMost(SOONER_THAN_THE_JVM_FORGETS).untilAsserted(() -> {
            assertThat(OurConnections.at(other)).isEmpty();
            assertThat(OurConnections.at(server)).isNotEmpty();
        });
    }
}
