package io.holdfast.lock.tests.chaos;

import java.util.Set;

/**
 * A row of the fault matrix.
 *
 * @param name its number, with a letter where a row has several parts
 * @param fault what happens
 * @param cause how it is made to happen
 * @param must what must hold all the same
 * @param traits what is special about it
 * @param scenario the play
 */
record Row(String name, String fault, String cause, String must, Set<Trait> traits, Scenario scenario) {

    /** What one does with a stage. */
    interface Scenario {
        void play(Stage stage) throws Exception;
    }

    /** What is special about a row. */
    enum Trait {
        /** Part of the short run. */
        SHORT,
        /** Several servers. */
        QUORUM,
        /** In a network of its own. */
        NETWORK,
        /** Locks are taken in the server's order. */
        IN_TURN
    }

    boolean is(Trait trait) {
        return traits.contains(trait);
    }

    int number() {
        return Integer.parseInt(name.replaceAll("\\D", ""));
    }
}
