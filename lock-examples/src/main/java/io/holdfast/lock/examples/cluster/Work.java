package io.holdfast.lock.examples.cluster;

import io.holdfast.lock.examples.ChildProcess;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The processes of workers, and what they have counted a tenth of a second ago. */
final class Work {

    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(60);

    private final List<ChildProcess> processes;
    private final Map<Integer, Map<String, LockCounts>> byProcess = new HashMap<>();
    private final Map<String, Long> longestWaitNanos = new HashMap<>();
    private final Map<String, Long> longestOfActNanos = new HashMap<>();
    private final Set<Integer> atHome = new HashSet<>();

    Work(List<ChildProcess> processes) {
        this.processes = List.copyOf(processes);
    }

    /** Returns when all processes are ready. */
    void awaitReady() throws InterruptedException {
        for (ChildProcess process : processes) {
            process.answer(PATIENCE_MILLIS);
        }
    }

    /** Orders something of all processes. */
    void order(String order) {
        processes.forEach(process -> process.order(order));
    }

    /**
     * Takes what the processes have said.
     *
     * @param granted is told the name of a lock after whose next grant a process was asked
     */
    void listen(Consumer<String> granted) throws InterruptedException {
        for (ChildProcess process : processes) {
            while (!atHome.contains(process.number()) && process.hasAnswer()) {
                List<String> words = List.of(process.answer(PATIENCE_MILLIS).split(" "));
                if (words.get(0).equals("granted")) {
                    granted.accept(words.get(1));
                } else {
                    words.subList(1, words.size()).forEach(word -> heard(process.number(), word));
                    if (words.get(0).equals("done")) {
                        atHome.add(process.number());
                    }
                }
            }
        }
    }

    private void heard(int process, String word) {
        String[] parts = word.split("=");
        LockCounts counts = LockCounts.ofLine(parts[1]);
        byProcess.computeIfAbsent(process, first -> new HashMap<>()).put(parts[0], counts);
        longestWaitNanos.merge(parts[0], counts.longestWaitNanos(), Math::max);
        longestOfActNanos.merge(parts[0], counts.longestWaitNanos(), Math::max);
    }

    /** From now on other waits are the longest of the act. */
    void beginAct() {
        longestOfActNanos.clear();
    }

    /** The longest wait for one of these locks that has ended in this act. */
    long longestOfActNanos(Collection<String> locks) {
        return locks.stream()
                .mapToLong(lock -> longestOfActNanos.getOrDefault(lock, 0L))
                .max()
                .orElse(0);
    }

    /** The longest wait for a lock in the whole run. */
    long longestWaitNanos(String lock) {
        return longestWaitNanos.getOrDefault(lock, 0L);
    }

    /** What the workers of one process have counted of a lock. */
    LockCounts of(int process, String lock) {
        return byProcess.getOrDefault(process, Map.of()).getOrDefault(lock, new LockCounts());
    }

    /** What all workers have counted of a lock. */
    LockCounts of(String lock) {
        LockCounts sum = new LockCounts();
        processes.forEach(process -> sum.add(of(process.number(), lock)));
        return sum;
    }

    /** What all workers have counted of these locks. */
    LockCounts of(Collection<String> locks) {
        LockCounts sum = new LockCounts();
        locks.forEach(lock -> sum.add(of(lock)));
        return sum;
    }

    int processes() {
        return processes.size();
    }

    /** Whether the workers of all processes have gone home. */
    boolean isAtHome() {
        return atHome.size() == processes.size();
    }
}
