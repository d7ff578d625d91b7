package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what comes of asking Sentinels, each thing once until it has changed. */
final class SentinelLog {

    private static final Logger log = LoggerFactory.getLogger(SentinelLog.class);

    private final String group;
    private final Runtime runtime;
    private final long silenceNanos;

    private long heardNanos;
    private boolean toldSilence;
    private boolean toldOfOne;
    private long disagreedSinceNanos;
    private boolean disagreeing;
    private boolean toldDisagreement;

    SentinelLog(Target.Sentinels group, Runtime runtime, long silenceNanos) {
        this.group = Printable.of(group.master());
        this.runtime = runtime;
        this.silenceNanos = silenceNanos;
    }

    void begin() {
        heardNanos = runtime.nanos();
    }

    /** A Sentinel has answered. */
    void heard() {
        heardNanos = runtime.nanos();
        if (toldSilence) {
            toldSilence = false;
            log.info("Sentinels of {} answer again", group);
        }
    }

    void learned(String sentinel) {
        log.debug("Sentinels of {} name another one: {}", group, sentinel);
    }

    void forgotten(String sentinel) {
        log.debug("Sentinels of {} do not name {} any more", group, sentinel);
    }

    /** A round is over. */
    void outcome(Vote vote, List<Testimony> said, @Nullable Word before) {
        tellSilence(before);
        tellOfOne(vote);
        tellDisagreement(vote, said);
        Word word = vote.word();
        if (word == null || (before != null && before.primary().equals(word.primary()))) {
            return;
        }
        String voices = vote.voices() + " of " + vote.known() + " Sentinels say so, epoch " + word.epoch();
        if (before == null) {
            log.debug(
                    "The primary of {} is {}: {}",
                    group,
                    Printable.of(word.primary().node()),
                    voices);
        } else {
            log.info(
                    "The primary of {} is {} now, no longer {}: {}",
                    group,
                    Printable.of(word.primary().node()),
                    Printable.of(before.primary().node()),
                    voices);
        }
    }

    /** Why a round has named no primary. */
    String reason(Vote vote, List<Fault> obstacles) {
        if (vote.knowNone()) {
            return "no primary named " + group + " is known to " + vote.answers() + " of " + vote.known()
                    + " Sentinels (expected: a name that they watch)";
        }
        if (vote.answers() > 0) {
            return "the Sentinels of " + group + " do not agree on who is the primary";
        }
        List<String> said = new ArrayList<>();
        obstacles.forEach(fault -> said.add(fault.toString()));
        return "no Sentinel of " + group + " answers (" + String.join("; ", said) + ")";
    }

    private void tellSilence(@Nullable Word present) {
        if (toldSilence || runtime.nanos() - heardNanos < silenceNanos) {
            return;
        }
        toldSilence = true;
        log.warn(
                "No Sentinel of {} has answered for {} ms: {}",
                group,
                TimeUnit.NANOSECONDS.toMillis(silenceNanos),
                present == null
                        ? "the primary is unknown"
                        : Printable.of(present.primary().node())
                                + " stays in use, and may have been replaced meanwhile");
    }

    private void tellOfOne(Vote vote) {
        boolean isOne = vote.answers() == 1 && vote.known() > 1;
        if (isOne && !toldOfOne) {
            log.warn("Only one of {} Sentinels of {} answers: what it says counts alone", vote.known(), group);
        }
        toldOfOne = isOne;
    }

    /** During a failover Sentinels disagree for a moment. */
    private void tellDisagreement(Vote vote, List<Testimony> said) {
        boolean disagree = vote.answers() > 0 && vote.word() == null && !vote.knowNone();
        if (!disagree) {
            disagreeing = false;
            toldDisagreement = false;
        } else if (!disagreeing) {
            disagreeing = true;
            disagreedSinceNanos = runtime.nanos();
        } else if (!toldDisagreement && runtime.nanos() - disagreedSinceNanos >= silenceNanos) {
            toldDisagreement = true;
            log.warn(
                    "The Sentinels of {} do not agree on who is the primary: {}",
                    group,
                    Printable.message(words(said)));
        }
    }

    private static String words(List<Testimony> said) {
        return said.stream().map(SentinelLog::words).collect(Collectors.joining("; "));
    }

    private static String words(Testimony testimony) {
        Word word = testimony.word();
        String named = word == null
                ? testimony.knowsNone() ? "none" : "two"
                : Printable.of(word.primary().node()) + " in epoch " + word.epoch();
        return testimony.node() + " names " + named;
    }
}
