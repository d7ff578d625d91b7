package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whose word counts (rule 83): what a majority of the Sentinels that answer agree on, address and epoch together.
 *
 * <p>A Sentinel has one vote, under however many addresses it is known. An epoch lower than the one in use takes a majority
 * of all Sentinels that are known: a Sentinel that was cut off for a while, and is the only one to answer, leads no client
 * back.
 *
 * @param answers how many Sentinels have answered
 * @param word what counts; null if there is none
 * @param voices how many have said it
 * @param known how many are known
 * @param knowNone whether a majority of those that answer know no primary of this name
 */
record Vote(int answers, @Nullable Word word, int voices, int known, boolean knowNone) {

    /**
     * Counts.
     *
     * @param known under how many addresses Sentinels are known, whether they answer or not
     * @param present what counts now; null if that is nothing yet
     */
    static Vote of(Collection<Testimony> said, int known, @Nullable Word present) {
        Map<String, Testimony> bySentinel = new LinkedHashMap<>();
        said.forEach(testimony -> bySentinel.putIfAbsent(testimony.id(), testimony));
        int answers = bySentinel.size();
        int distinct = known - (said.size() - answers);
        int unknowing = 0;
        Map<Word, Integer> voices = new HashMap<>();
        for (Testimony testimony : bySentinel.values()) {
            Word word = testimony.word();
            if (word != null) {
                voices.merge(word, 1, Integer::sum);
            } else if (testimony.knowsNone()) {
                unknowing++;
            }
        }
        for (Map.Entry<Word, Integer> each : voices.entrySet()) {
            boolean isOlder = present != null && each.getKey().epoch() < present.epoch();
            if (isMajority(each.getValue(), isOlder ? distinct : answers)) {
                return new Vote(answers, each.getKey(), each.getValue(), distinct, false);
            }
        }
        return new Vote(answers, null, 0, distinct, isMajority(unknowing, answers));
    }

    /** The Sentinels that are named by a majority of so many. */
    static Set<Target.Host> named(Collection<Testimony> said, int of) {
        Map<Target.Host, Integer> voices = new HashMap<>();
        for (Testimony testimony : said) {
            Set<Target.Host> others = new HashSet<>();
            testimony.others().forEach(other -> others.add(other.address()));
            others.forEach(other -> voices.merge(other, 1, Integer::sum));
        }
        Set<Target.Host> named = new HashSet<>();
        voices.forEach((other, count) -> {
            if (isMajority(count, of)) {
                named.add(other);
            }
        });
        return named;
    }

    /** Whether the Sentinels without an answer can't change it. */
    boolean isFinal() {
        return word != null && isMajority(voices, known);
    }

    private static boolean isMajority(int count, int of) {
        return 2 * count > of;
    }
}
