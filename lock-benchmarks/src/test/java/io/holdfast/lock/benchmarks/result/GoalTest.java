package io.holdfast.lock.benchmarks.result;

import static io.holdfast.lock.benchmarks.peer.PeerKind.HOLDFAST;
import static io.holdfast.lock.benchmarks.peer.PeerKind.PIPELINE;
import static io.holdfast.lock.benchmarks.peer.PeerKind.REDISSON;
import static io.holdfast.lock.benchmarks.peer.PeerKind.REDIS_BENCHMARK;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.workload.Effort;
import io.holdfast.lock.benchmarks.workload.Workload;
import io.holdfast.lock.benchmarks.workload.Workloads;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Goals are judged by the median of what was measured, and each can be. */
class GoalTest {

    private static final Goal THREE_TIMES = Goal.atLeast(3, "work", Metric.THROUGHPUT, REDISSON);
    private static final Goal A_TENTH = Goal.atMost(0.1, "work", Metric.P99, REDISSON);

    @Test
    void atLeastSoManyTimes() {
        Verdict met = judge(THREE_TIMES, List.of(31.0, 35.0, 33.0), List.of(10.0, 10.0, 10.0));
        assertThat(met.isMet()).isTrue();
        assertThat(met.isClear()).isTrue();
        Verdict missed = judge(THREE_TIMES, List.of(15.0, 15.0, 31.0), List.of(10.0, 10.0, 10.0));
        assertThat(missed.isMet()).isFalse();
        assertThat(missed.isClear()).isFalse();
        assertThat(missed.missing()).isEqualTo(0.5);
    }

    @Test
    void atMostAPart() {
        assertThat(judge(A_TENTH, List.of(5.0), List.of(100.0)).isMet()).isTrue();
        Verdict missed = judge(A_TENTH, List.of(20.0), List.of(100.0));
        assertThat(missed.isMet()).isFalse();
        assertThat(missed.missing()).isEqualTo(1);
    }

    @Test
    void aFigureOfItsOwnIsComparedWithNobody() {
        Goal none = Goal.atMost(0, "work", Metric.MISSED);
        assertThat(judge(none, List.of(0.0, 0.0), List.of(5.0, 5.0)).isMet()).isTrue();
        assertThat(judge(none, List.of(0.0, 1.0, 1.0), List.of(5.0, 5.0, 5.0)).isMet())
                .isFalse();
    }

    @Test
    void whereAPeerIsNotThereTheNextOneNamedTakesItsPlace() {
        Goal goal = Goal.atLeast(0.6, "work", Metric.THROUGHPUT, REDIS_BENCHMARK, PIPELINE);
        WorkloadResult result =
                Made.result("work", Metric.THROUGHPUT, Map.of(HOLDFAST, List.of(60.0), PIPELINE, List.of(100.0)));
        Optional<Verdict> verdict = goal.judge(List.of(result));
        assertThat(verdict.flatMap(Verdict::against)).contains(PIPELINE);
        assertThat(verdict.map(Verdict::isMet)).contains(true);
    }

    @Test
    void whatWasNotMeasuredIsNotJudged() {
        assertThat(THREE_TIMES.judge(List.of())).isEmpty();
        WorkloadResult alone = Made.result("work", Metric.THROUGHPUT, Map.of(HOLDFAST, List.of(1.0)));
        assertThat(THREE_TIMES.judge(List.of(alone))).isEmpty();
    }

    @Test
    void everyGoalNamesAWorkloadThatExistsAndPeersThatTakePartInIt() {
        Map<String, Workload> workloads = Workloads.all(Effort.quick()).stream()
                .collect(Collectors.toMap(workload -> workload.about().name(), workload -> workload));
        for (Goal goal : Goals.all()) {
            assertThat(workloads).containsKey(goal.workload());
            Set<PeerKind> peers = Set.copyOf(workloads.get(goal.workload()).peers());
            assertThat(peers).contains(HOLDFAST);
            assertThat(goal.against()).allMatch(peer -> peers.contains(peer) || peer == REDIS_BENCHMARK);
        }
    }

    private static Verdict judge(Goal goal, List<Double> holdfast, List<Double> redisson) {
        WorkloadResult result = Made.result("work", goal.metric(), Map.of(HOLDFAST, holdfast, REDISSON, redisson));
        return goal.judge(List.of(result)).orElseThrow();
    }
}
