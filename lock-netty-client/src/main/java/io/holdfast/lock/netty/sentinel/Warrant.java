package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a majority of all Sentinels names, address and epoch together, and how long ago that much of it was asked for (rule
 * 88).
 *
 * <p>Unlike a {@link Vote}, which tells a link where to go, it counts those that do not answer as well: of two majorities of
 * all, one Sentinel is in both. All are as many as the client knows, or as any of them says that there are. Each has one
 * voice, under however many addresses, which is what it has said last. One that does not say who it is may be another one
 * under a second address, and one that does not say how many there are may be the only one that the client knows: these
 * count as Sentinels, and have no voice.
 */
final class Warrant {

    /** Times of the monotonic clock: only differences mean anything. */
    private static final Comparator<Long> NEWEST_FIRST = (one, other) -> Long.signum(other - one);

    private final List<DatedTestimony> voices;
    private final int mute;
    private final long all;
    private final @Nullable Word word;
    private final long sentNanos;

    private Warrant(List<DatedTestimony> voices, int mute, long all, @Nullable Word word, long sentNanos) {
        this.voices = voices;
        this.mute = mute;
        this.all = all;
        this.word = word;
        this.sentNanos = sentNanos;
    }

    /**
     * Counts.
     *
     * @param latest what was said last at each address, whenever that was
     * @param addresses under how many addresses Sentinels are known, whether they have ever answered or not
     */
    static Warrant of(Collection<DatedTestimony> latest, int addresses) {
        Set<String> ids = new HashSet<>();
        Map<String, DatedTestimony> newest = new HashMap<>();
        long all = 0;
        int mute = 0;
        for (DatedTestimony each : latest) {
            Testimony said = each.said();
            ids.add(said.id());
            all = Math.max(all, said.otherCount() + 1L);
            if (said.tellsId() && said.otherCount() != Testimony.UNTOLD) {
                newest.merge(said.id(), each, (one, other) -> other.isAfter(one) ? other : one);
            } else if (said.word() != null) {
                mute++;
            }
        }
        all = Math.max(all, addresses - (latest.size() - ids.size()));
        return of(List.copyOf(newest.values()), mute, all);
    }

    private static Warrant of(List<DatedTestimony> voices, int mute, long all) {
        Map<Word, List<Long>> sayings = new HashMap<>();
        for (DatedTestimony each : voices) {
            Word word = each.said().word();
            if (word != null && word.epoch() >= 0) {
                sayings.computeIfAbsent(word, first -> new ArrayList<>()).add(each.sentNanos());
            }
        }
        int needed = needed(all);
        for (Map.Entry<Word, List<Long>> each : sayings.entrySet()) {
            List<Long> sent = each.getValue();
            if (sent.size() >= needed) {
                sent.sort(NEWEST_FIRST);
                return new Warrant(voices, mute, all, each.getKey(), sent.get(needed - 1));
            }
        }
        return new Warrant(voices, mute, all, null, 0);
    }

    /** What a majority of all names; null for nothing. */
    @Nullable
    Word word() {
        return word;
    }

    /** When the youngest questions were sent that make a majority, or the first of these; 0 if there is none. */
    long sentNanos() {
        return sentNanos;
    }

    /** How many Sentinels there are. */
    long all() {
        return all;
    }

    /** How many of them have to agree. */
    int needed() {
        return needed(all);
    }

    /** How many would have a voice if they said who they are, and how many others there are. */
    int mute() {
        return mute;
    }

    /** How many name a server in the epoch in which most of them do, in answers to questions that were sent since then. */
    int voicesFor(Target.Host primary, long sinceNanos) {
        Predicate<DatedTestimony> isYoung = each -> each.sentNanos() - sinceNanos > 0;
        Map<Word, Integer> counts = new HashMap<>();
        voices.stream()
                .filter(isYoung)
                .map(each -> each.said().word())
                .filter(said -> said != null && said.primary().equals(primary))
                .forEach(said -> counts.merge(said, 1, Integer::sum));
        return counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    private static int needed(long all) {
        return (int) Math.min(Integer.MAX_VALUE, all / 2 + 1);
    }
}
