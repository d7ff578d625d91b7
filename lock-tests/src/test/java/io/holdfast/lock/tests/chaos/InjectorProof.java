package io.holdfast.lock.tests.chaos;

/** That a fault is one: without tokens it costs updates of the counter. */
final class InjectorProof {

    private InjectorProof() {}

    /** Call it when the loads have stopped. That nothing is lost under tokens is checked for every row. */
    static void require(Stage stage) {
        long lost = lost(stage);
        stage.expect(lost > 0, "row", "without tokens no update was lost: the fault had no effect");
        stage.bite(lost, "updates lost where nobody asks for tokens");
    }

    /** Updates that were lost. While the loads go on there may be more: an update is told of after it was made. */
    static long lost(Stage stage) {
        long blind = 0;
        for (String counter : stage.counters()) {
            blind += stage.troupe.counters().blind(counter);
        }
        long written = stage.journal.all(Seen.Wrote.class).stream()
                .filter(wrote -> wrote.counter().equals(Counters.BLIND))
                .count();
        return written - blind;
    }
}
