package io.holdfast.lock.benchmarks.result;

import java.util.List;

/** A whole run. */
public record RunResult(Environment environment, List<WorkloadResult> workloads, List<Verdict> verdicts) {

    public RunResult {
        workloads = List.copyOf(workloads);
        verdicts = List.copyOf(verdicts);
    }

    public RunResult(Environment environment, List<WorkloadResult> workloads) {
        this(environment, workloads, Goals.judge(workloads));
    }
}
