package io.holdfast.lock.tests.chaos;

import java.time.Duration;
import java.util.List;

/**
 * What one process does to a lock over and over: a lane takes it, adds one to the counters, and gives it back.
 *
 * @param lane how its lanes are called
 * @param row whose counters
 * @param locks the locks, chosen at random each time
 * @param threads how many lanes
 * @param seed what is random follows from
 * @param watchdogMillis the lease that the watchdog renews
 * @param holdMillis how long it is held at most
 * @param thinkMillis how long a lane pauses at most
 * @param waitMillis how long a lane waits for it
 * @param inTurn whether it is taken as a fair lock and as either half of a read/write lock; else plainly
 * @param peer the library, and how it is used
 * @param urls the servers, or the cluster; several make a quorum
 */
record LoadPlan(
        String lane,
        String row,
        List<String> locks,
        int threads,
        long seed,
        long watchdogMillis,
        int holdMillis,
        int thinkMillis,
        long waitMillis,
        boolean inTurn,
        Peer peer,
        List<String> urls) {

    private static final String SEPARATOR = " ";
    /** The address of a cluster has commas. */
    private static final String URL_SEPARATOR = ";";

    static LoadPlan of(String row, List<String> urls) {
        return new LoadPlan("", row, List.of("job"), 2, 0, 2_000, 40, 30, 2_000, false, Peer.HOLDFAST, urls);
    }

    LoadPlan holding(int most) {
        return new LoadPlan(
                lane, row, locks, threads, seed, watchdogMillis, most, thinkMillis, waitMillis, inTurn, peer, urls);
    }

    LoadPlan watchdog(Duration lease) {
        return new LoadPlan(
                lane,
                row,
                locks,
                threads,
                seed,
                lease.toMillis(),
                holdMillis,
                thinkMillis,
                waitMillis,
                inTurn,
                peer,
                urls);
    }

    LoadPlan waiting(Duration wait) {
        return new LoadPlan(
                lane,
                row,
                locks,
                threads,
                seed,
                watchdogMillis,
                holdMillis,
                thinkMillis,
                wait.toMillis(),
                inTurn,
                peer,
                urls);
    }

    LoadPlan on(String... names) {
        return new LoadPlan(
                lane,
                row,
                List.of(names),
                threads,
                seed,
                watchdogMillis,
                holdMillis,
                thinkMillis,
                waitMillis,
                inTurn,
                peer,
                urls);
    }

    LoadPlan inTurn(boolean queued) {
        return new LoadPlan(
                lane,
                row,
                locks,
                threads,
                seed,
                watchdogMillis,
                holdMillis,
                thinkMillis,
                waitMillis,
                queued,
                peer,
                urls);
    }

    LoadPlan with(Peer other) {
        return new LoadPlan(
                lane,
                row,
                locks,
                threads,
                seed,
                watchdogMillis,
                holdMillis,
                thinkMillis,
                waitMillis,
                inTurn,
                other,
                urls);
    }

    LoadPlan through(List<String> other) {
        return new LoadPlan(
                lane,
                row,
                locks,
                threads,
                seed,
                watchdogMillis,
                holdMillis,
                thinkMillis,
                waitMillis,
                inTurn,
                peer,
                other);
    }

    LoadPlan by(String laneName, long withSeed) {
        return new LoadPlan(
                laneName,
                row,
                locks,
                threads,
                withSeed,
                watchdogMillis,
                holdMillis,
                thinkMillis,
                waitMillis,
                inTurn,
                peer,
                urls);
    }

    /** As words of a line. */
    String line() {
        return String.join(
                SEPARATOR,
                lane,
                row,
                String.join(",", locks),
                Integer.toString(threads),
                Long.toString(seed),
                Long.toString(watchdogMillis),
                Integer.toString(holdMillis),
                Integer.toString(thinkMillis),
                Long.toString(waitMillis),
                Boolean.toString(inTurn),
                peer.name(),
                String.join(URL_SEPARATOR, urls));
    }

    static LoadPlan parse(String line) {
        String[] words = line.split(SEPARATOR);
        return new LoadPlan(
                words[0],
                words[1],
                List.of(words[2].split(",")),
                Integer.parseInt(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                Integer.parseInt(words[6]),
                Integer.parseInt(words[7]),
                Long.parseLong(words[8]),
                Boolean.parseBoolean(words[9]),
                Peer.valueOf(words[10]),
                List.of(words[11].split(URL_SEPARATOR)));
    }
}
