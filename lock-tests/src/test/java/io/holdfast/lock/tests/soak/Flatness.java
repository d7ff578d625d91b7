package io.holdfast.lock.tests.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a quantity stayed flat: the median of the last third of its samples is no higher than that of the first third,
 * but for a tolerance. A leak of one object per operation, or of one socket per reconnect, climbs far above it in the
 * time between the two; noise and warming up do not.
 */
final class Flatness {

    /** With fewer samples there is nothing to say. */
    static final int FEWEST_SAMPLES = 6;

    private final String name;
    private final double factor;
    private final long extra;
    private final List<Long> samples = new ArrayList<>();

    /**
     * @param factor how much higher the last third may be, as a factor of the first
     * @param extra and how much on top of that
     */
    Flatness(String name, double factor, long extra) {
        this.name = name;
        this.factor = factor;
        this.extra = extra;
    }

    /** What is reachable after a collection: a tenth more and 4 MB. */
    static Flatness ofHeap(String name) {
        return new Flatness(name + ", heap in bytes", 1.1, 4 << 20);
    }

    /** Open files and sockets: connections come and go while there are faults, so 8 more. */
    static Flatness ofDescriptors(String name) {
        return new Flatness(name + ", descriptors", 1, 8);
    }

    void add(long sample) {
        samples.add(sample);
    }

    long first() {
        return median(samples.subList(0, third()));
    }

    long last() {
        return median(samples.subList(samples.size() - third(), samples.size()));
    }

    boolean canTell() {
        return samples.size() >= FEWEST_SAMPLES;
    }

    /** What is wrong, if anything. */
    Optional<String> complaint() {
        long most = canTell() ? (long) (first() * factor) + extra : Long.MAX_VALUE;
        return canTell() && last() > most
                ? Optional.of(String.format(
                        "%s: %,d in the first third, %,d in the last (expected: at most %,d)",
                        name, first(), last(), most))
                : Optional.empty();
    }

    private int third() {
        return Math.max(1, samples.size() / 3);
    }

    private static long median(List<Long> some) {
        return some.isEmpty() ? 0 : some.stream().sorted().toList().get(some.size() / 2);
    }
}
