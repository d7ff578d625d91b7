package io.holdfast.lock.tests.chaos;

import java.util.ArrayList;
import java.util.List;

/** Loads that several processes play on a stage. */
final class PlayedLoad {

    private final Stage stage;
    private final List<LoadPlan> plans;
    private final List<Worker> workers = new ArrayList<>();
    private boolean stopped;
    private boolean shut;

    PlayedLoad(Stage stage, List<LoadPlan> plans) {
        this.stage = stage;
        this.plans = plans;
    }

    void start() throws Exception {
        List<Worker> all = stage.troupe.workers(plans.size());
        for (int i = 0; i < plans.size(); i++) {
            Worker worker = all.get(i);
            workers.add(worker);
            worker.open(
                    stage.troupe.countersUrl(),
                    plans.get(i).by("jvm-" + (i + 1), stage.random.nextLong()),
                    stage.journal);
        }
        for (Worker worker : workers) {
            worker.start();
        }
    }

    /** The counters that its lanes add to. */
    List<String> counters() {
        return plans.stream()
                .flatMap(plan -> plan.locks().stream().map(lock -> plan.row() + "/" + lock))
                .distinct()
                .toList();
    }

    Worker worker(int index) {
        return workers.get(index);
    }

    /** Waits until so many more grants have been seen. */
    void awaitGrants(int more) throws InterruptedException {
        int before = stage.journal.grants();
        stage.await(more + " more grants", () -> stage.journal.grants() >= before + more);
    }

    void stop() throws InterruptedException {
        if (!stopped) {
            stopped = true;
            for (Worker worker : workers) {
                worker.stop();
            }
        }
    }

    void shut() throws InterruptedException {
        if (!shut) {
            shut = true;
            for (Worker worker : workers) {
                worker.shut();
            }
        }
    }

    /** After something went so wrong that the processes can't be trusted to be of use again. */
    void abandon() {
        if (!shut) {
            workers.forEach(Worker::close);
        }
    }
}
