package io.holdfast.lock.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.Transport;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import io.holdfast.lock.testkit.MonitoredCommand;
import io.holdfast.lock.testkit.RedisMonitor;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every workload runs for a moment with every peer. What it measures is not looked at, only that it measures. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("once")
@Tag("proof")
class WorkloadsTest {

    /** EVALSHA, the digest of the script, the number of keys, five keys, the mode and the field. */
    private static final int DIGEST = 1;

    private static final int FIELD = 9;
    /** A request, a claim and a release. */
    private static final int COMMANDS_OF_A_TURN = 3;
    /** What a client sends beside them in a round: its subscription comes and goes, and calls look once it stands. */
    private static final int BESIDE = 40;

    private Bench bench;

    @BeforeAll
    void start() {
        bench = new Bench(Effort.moment(), Transport.DEFAULT);
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    static Stream<Named> workloads() {
        return Workloads.all(Effort.moment()).stream().map(Named::new);
    }

    /** A workload whose name is shown. */
    record Named(Workload workload) {
        @Override
        public String toString() {
            return workload.about().name();
        }
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void runsWithEveryPeer(Named named) {
        Workload workload = named.workload();
        try (Workload.Session session = workload.open(bench)) {
            for (PeerKind peer : workload.peers()) {
                if (session.rounds(peer, bench.effort()) == 0) {
                    continue; // Redisson takes nine seconds for one lock when a node hangs.
                }
                Sample sample = session.round(peer, new Round(0, bench.effort().roundMillis(), true));
                assertThat(sample.value(workload.about().figures()))
                        .as("%s of %s", workload.about().figures(), peer)
                        .isPresent();
            }
        }
    }

    @Test
    void namesAreToldApart() {
        List<String> names = Workloads.all(Effort.full()).stream()
                .map(workload -> workload.about().name())
                .toList();
        assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(35);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "uncontended-lease",
                "uncontended-fair",
                "uncontended-read",
                "uncontended-write",
                "uncontended-permit"
            })
    void aLockAndUnlockNobodyWantsIsTwoCommands(String name) {
        int limitIsSet = name.endsWith("permit") ? 1 : 0;
        Workload workload = named(name);
        try (Workload.Session session = workload.open(bench)) {
            session.round(PeerKind.HOLDFAST, Round.warmUp(50));
            Sample[] sample = new Sample[1];
            long commands =
                    session.site().commandsDuring(() -> sample[0] = session.round(PeerKind.HOLDFAST, Round.warmUp(50)));
            assertThat(commands).isEqualTo(2 * sample[0].operations() + limitIsSet);
        }
    }

    @Test
    void whoHoldsALockWhenIsKeptAndTurnsDoNotOverlap() {
        Workload workload = named("same-lock-16");
        try (Workload.Session session = workload.open(bench)) {
            Sample sample = session.round(PeerKind.HOLDFAST, new Round(0, 500, true));
            assertThat(sample.turns()).hasSizeGreaterThan(1);
            for (int turn = 1; turn < sample.turns().size(); turn++) {
                assertThat(sample.turns().get(turn).startNanos())
                        .isGreaterThanOrEqualTo(sample.turns().get(turn - 1).endNanos());
            }
            assertThat(sample.served()).hasSize(16);
            assertThat(sample.value(Metric.CALLS)).isPresent();
        }
    }

    /**
     * Each acquisition has a field of its own. The server hears it first in the order of arrival, and last, at the release, in
     * the order of the holds.
     */
    @ParameterizedTest
    @ValueSource(strings = {"fair-16", "fair-clients"})
    void aFairLockKeepsTheOrderOfArrivalWithThreeCommandsForEachTurn(String name) {
        Workload workload = named(name);
        try (Workload.Session session = workload.open(bench)) {
            session.round(PeerKind.HOLDFAST, Round.warmUp(50));
            Sample sample;
            List<MonitoredCommand> commands;
            try (RedisMonitor monitor = RedisMonitor.of(bench.server())) {
                sample = session.round(PeerKind.HOLDFAST, Round.warmUp(200));
                commands = monitor.commands();
            }
            Set<String> arrivals = new LinkedHashSet<>();
            List<String> releases = new ArrayList<>();
            List<MonitoredCommand> scripts = commands.stream()
                    .filter(command -> command.name().equals("EVALSHA"))
                    .toList();
            String join = scripts.get(0).words().get(DIGEST);
            for (MonitoredCommand script : scripts) {
                boolean joins = script.words().get(DIGEST).equals(join);
                (joins ? arrivals : releases).add(script.words().get(FIELD));
            }
            assertThat(releases).hasSize((int) sample.operations()).containsExactlyElementsOf(arrivals);
            assertThat(commands.size()).isLessThanOrEqualTo(COMMANDS_OF_A_TURN * (int) sample.operations() + BESIDE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"permits-32", "permits-clients"})
    void aPermitIsThreeCommandsForEachTurnAtMost(String name) {
        Workload workload = named(name);
        // With clients of its own: what they say when their subscriptions end is not counted by another test.
        try (Bench own = new Bench(Effort.moment(), Transport.DEFAULT);
                Workload.Session session = workload.open(own)) {
            session.round(PeerKind.HOLDFAST, Round.warmUp(50));
            Sample[] sample = new Sample[1];
            long commands = session.site()
                    .commandsDuring(() -> sample[0] = session.round(PeerKind.HOLDFAST, Round.warmUp(200)));
            assertThat(commands)
                    .isBetween(2 * sample[0].operations(), COMMANDS_OF_A_TURN * sample[0].operations() + 2 * BESIDE);
        }
    }

    private static Workload named(String name) {
        return Workloads.all(Effort.moment()).stream()
                .filter(each -> each.about().name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
