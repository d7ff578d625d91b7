package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import io.holdfast.lock.text.Printable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says why Sentinels do not vouch for the server of a client with the failover guard, once, when that has lasted for as long
 * as an answer counts; during a failover it is so for a moment.
 */
final class VouchingLog {

    private static final Logger log = LoggerFactory.getLogger(VouchingLog.class);

    private final String group;
    private final long silenceNanos;

    private boolean lacking;
    private long lackingSinceNanos;
    private boolean told;

    /** @param group the name of the primary, printable */
    VouchingLog(String group, long silenceNanos) {
        this.group = group;
        this.silenceNanos = silenceNanos;
    }

    /** @param highest what a majority of all has named before, in the highest epoch; null for nothing */
    void tell(boolean vouched, long now, Warrant warrant, @Nullable Word highest, Target.@Nullable Host place) {
        if (vouched) {
            lacking = false;
            if (told) {
                told = false;
                log.info("Sentinels of {} vouch for the primary again", group);
            }
        } else if (place == null) {
            // Why no primary is known is said elsewhere.
            lacking = false;
        } else if (!lacking) {
            lacking = true;
            lackingSinceNanos = now;
        } else if (!told && now - lackingSinceNanos >= silenceNanos) {
            told = true;
            log.warn(
                    "{}; with the failover guard no lock is granted, and no lease prolonged, until then",
                    Printable.message(reason(now, warrant, highest, place)));
        }
    }

    private String reason(long now, Warrant warrant, @Nullable Word highest, Target.Host place) {
        Word word = warrant.word();
        if (word != null && highest != null && !word.equals(highest)) {
            return "Sentinels of " + group + " name " + word.primary().node() + " in epoch " + word.epoch()
                    + ", and have named " + highest.primary().node() + " in epoch " + highest.epoch()
                    + " (expected: an epoch that is higher, or a client that is made anew)";
        }
        return "Of " + warrant.all() + " Sentinels of " + group + " "
                + warrant.voicesFor(place, now - silenceNanos) + " have named " + place.node()
                + " in one epoch within "
                + TimeUnit.NANOSECONDS.toMillis(silenceNanos) + " ms (expected: " + warrant.needed()
                + ")"
                + (warrant.mute() == 0
                        ? ""
                        : "; " + warrant.mute()
                                + " that name a primary have no voice, since they do not answer SENTINEL"
                                + " MYID, or do not say how many others there are");
    }
}
