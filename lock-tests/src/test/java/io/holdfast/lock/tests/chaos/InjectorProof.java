package io.holdfast.lock.tests.chaos;

/** That a fault is one: without tokens it costs updates of the counter. */
final class InjectorProof {

    private InjectorProof() {}

    /** Call it when the loads have stopped. That nothing is lost under tokens is checked for every row. */
    static void require(Stage stage) {
        long blind = 0;
        for (String counter : stage.counters()) {
            blind += stage.troupe.counters().blind(counter);
        }
        long written = stage.journal.all(Seen.Wrote.class).stream()
                .filter(wrote -> wrote.counter().equals(Counters.BLIND))
                .count();
        stage.expect(written > blind, "row", "without tokens no update was lost: the fault had no effect");
        stage.bite(written - blind, "updates lost where nobody asks for tokens");
    }
}
