package io.holdfast.lock.tests.mutants;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a mutant has to be caught. */
sealed interface Killer {

    /** By the simulator, with one of its first seeds. */
    record Simulated(String workload, long seeds) implements Killer {
        private static final Pattern WORDS = Pattern.compile("simulation (\\S+) within (\\d+) seeds");

        @Override
        public String toString() {
            return "simulation `" + workload + "` within " + seeds;
        }
    }

    /**
     * By a test.
     *
     * @param type the end of the test class's name, as much of it as is needed to tell it from others
     * @param method the method; empty for all of them
     */
    record Tested(String type, String method) implements Killer {
        private static final Pattern WORDS = Pattern.compile("test ([\\w.]+)(?:#(\\w+))?");

        @Override
        public String toString() {
            return "test `" + type + (method.isEmpty() ? "" : "." + method) + "`";
        }
    }

    static Killer parse(String words) throws PatchRefused {
        Matcher simulated = Simulated.WORDS.matcher(words);
        if (simulated.matches()) {
            return new Simulated(simulated.group(1), Long.parseLong(simulated.group(2)));
        }
        Matcher tested = Tested.WORDS.matcher(words);
        if (tested.matches()) {
            return new Tested(tested.group(1), tested.group(2) == null ? "" : tested.group(2));
        }
        throw new PatchRefused("killed by: " + words
                + " (expected: 'simulation WORKLOAD within N seeds' or 'test CLASS' or 'test CLASS#METHOD')");
    }
}
