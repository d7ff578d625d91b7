package io.holdfast.lock.tests.soak;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;

/** How the calls of one JVM ended, counted. Safe for use by many threads. */
final class Tally {

    /** An end of a call. */
    enum End {
        GRANTED("grants"),
        REENTERED("re-entries"),
        REFUSED("refused"),
        LOST("losses told"),
        UNKNOWN("unknown outcomes"),
        FAILED("typed failures without effect"),
        INTERRUPTED("interrupted"),
        CANCELLED("cancelled"),
        WRITTEN("counter writes"),
        FENCED_OFF("writes refused for their token");

        final String words;

        End(String words) {
            this.words = words;
        }
    }

    private final AtomicLongArray counts = new AtomicLongArray(End.values().length);

    void add(End end) {
        counts.incrementAndGet(end.ordinal());
    }

    long of(End end) {
        return counts.get(end.ordinal());
    }

    /** All counts, in the order of {@link End}. */
    String line() {
        return Arrays.stream(End.values()).map(end -> Long.toString(of(end))).collect(Collectors.joining(" "));
    }

    static Map<End, Long> parse(String line) {
        String[] words = line.split(" ");
        Map<End, Long> counts = new EnumMap<>(End.class);
        for (End end : End.values()) {
            counts.put(end, Long.parseLong(words[end.ordinal()]));
        }
        return counts;
    }
}
