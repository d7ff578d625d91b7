package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.SentinelVouching.Standing;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import io.holdfast.lock.spi.Runtime;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What clients with the failover guard may go by: what a majority of all Sentinels names, where that is the server to which
 * links lead (rule 88).
 *
 * <p>An epoch belongs to one server, and none comes after a higher one. What says otherwise is gone by by links, which have to
 * go somewhere, and never by the guard: Sentinels that have forgotten may lead back to a server that was replaced.
 *
 * <p>Belongs to the event loop, but for {@link #add}.
 */
final class Vouchings {

    private static final int ROUNDS_PER_SILENCE = 4;

    private final String group;
    private final Runtime runtime;
    private final List<SentinelVouching> all = new CopyOnWriteArrayList<>();

    private Warrant warrant = Warrant.of(List.of(), 0);
    /** Of all that a majority of all has named, what has the highest epoch. */
    private @Nullable Word highest;
    /** Where links lead, whether they are connected or not; null as long as no Sentinel has named a primary. */
    private Target.@Nullable Host place;

    /** @param group the name of the primary, printable */
    Vouchings(String group, Runtime runtime) {
        this.group = group;
        this.runtime = runtime;
    }

    /**
     * One for a client whose answers count for so long. Any thread.
     *
     * @param begin run once, when it is asked for the first time
     */
    SentinelVouching add(EventLoop loop, long silenceNanos, Runnable begin) {
        SentinelVouching added =
                new SentinelVouching(runtime, loop, silenceNanos, begin, new VouchingLog(group, silenceNanos));
        all.add(added);
        loop.execute(this::tell);
        return added;
    }

    /** How long after a round the next one begins at the latest, so that three may fail before what counts has run out. */
    long longestPauseNanos() {
        return all.stream()
                .mapToLong(SentinelVouching::silenceNanos)
                .map(silenceNanos -> silenceNanos / ROUNDS_PER_SILENCE)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Sentinels have been heard, or not been heard. */
    void consider(Warrant newest) {
        warrant = newest;
        Word word = newest.word();
        if (word != null && (highest == null || word.epoch() > highest.epoch())) {
            highest = word;
        }
        tell();
    }

    /** Links lead to another server from now on. */
    void leadTo(Target.Host primary) {
        place = primary;
        tell();
    }

    void end() {
        all.forEach(SentinelVouching::end);
    }

    private void tell() {
        Standing standing = standing();
        all.forEach(each -> each.update(standing, warrant, highest, place));
    }

    private Standing standing() {
        Word word = warrant.word();
        return word == null || !word.equals(highest) || !word.primary().equals(place)
                ? Standing.NONE
                : new Standing(word.epoch(), warrant.sentNanos());
    }
}
