package io.holdfast.lock.tests.chaos;

import java.util.List;

/**
 * How rows are played.
 *
 * @param seed what is random follows from it
 * @param brief fewer rounds of each row
 * @param asking whether clients ask the server at each hand-over
 */
record Manner(long seed, boolean brief, boolean asking) {

    /** As words of a command line. */
    List<String> words() {
        return List.of(Long.toString(seed), Boolean.toString(brief), Boolean.toString(asking));
    }

    /** As options of the command. */
    String options() {
        return (brief ? " --short" : "") + (asking ? " --asking" : "") + " --seed " + seed;
    }

    static Manner parse(List<String> words) {
        return new Manner(
                Long.parseLong(words.get(0)), Boolean.parseBoolean(words.get(1)), Boolean.parseBoolean(words.get(2)));
    }
}
