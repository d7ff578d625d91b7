package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
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
        tellDisagreement(vote, said, before);
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
    String reason(Vote vote, List<Testimony> said, List<Fault> obstacles, @Nullable Word present) {
        if (vote.knowNone()) {
            return "no primary named " + group + " is known to " + vote.answers() + " of " + vote.known()
                    + " Sentinels (expected: a name that they watch)";
        }
        if (vote.answers() > 0) {
            return discord(said, present);
        }
        List<String> faults = new ArrayList<>();
        obstacles.forEach(fault -> faults.add(fault.toString()));
        boolean wantCredentials =
                obstacles.stream().map(Fault::kind).anyMatch(kind -> kind == Kind.NOAUTH || kind == Kind.WRONGPASS);
        return "no Sentinel of " + group + " answers (" + String.join("; ", faults) + ")"
                + (wantCredentials ? "; who the client is to Sentinels is said by SentinelOptions.credentials" : "");
    }

    /** Why answers have no majority. */
    private String discord(List<Testimony> said, @Nullable Word present) {
        String named = said.stream().map(each -> words(each, present)).collect(Collectors.joining("; "));
        return said.size() == 1
                ? "the only Sentinel of " + group + " that answers is of no use: " + named
                : "the Sentinels of " + group + " do not agree on who is the primary: " + named;
    }

    /** A while has passed. */
    void tellSilence(@Nullable Word present) {
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
    private void tellDisagreement(Vote vote, List<Testimony> said, @Nullable Word present) {
        boolean disagree = vote.answers() > 0 && vote.word() == null && !vote.knowNone();
        if (!disagree) {
            disagreeing = false;
            toldDisagreement = false;
        } else if (!disagreeing) {
            disagreeing = true;
            disagreedSinceNanos = runtime.nanos();
        } else if (!toldDisagreement && runtime.nanos() - disagreedSinceNanos >= silenceNanos) {
            toldDisagreement = true;
            String reason = Printable.message(discord(said, present));
            log.warn(
                    "{}",
                    present == null
                            ? reason
                            : reason + "; " + Printable.of(present.primary().node()) + " stays in use");
        }
    }

    private static String words(Testimony testimony, @Nullable Word present) {
        Word word = testimony.word();
        if (word == null) {
            return testimony.node()
                    + (testimony.knowsNone() ? " names none" : " names no one address that can be used");
        }
        return testimony.node() + " names " + Printable.of(word.primary().node()) + " in epoch " + word.epoch()
                + (present != null && word.epoch() < present.epoch()
                        ? ", which is older than epoch " + present.epoch()
                        : "");
    }
}
