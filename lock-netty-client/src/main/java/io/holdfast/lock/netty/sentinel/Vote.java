package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.Testimony.Voice;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
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
        Set<Voice> heard = new LinkedHashSet<>();
        said.forEach(testimony -> heard.add(testimony.voice()));
        int answers = heard.size();
        int distinct = known - (said.size() - answers);
        int unknowing = 0;
        Map<Word, Integer> voices = new HashMap<>();
        for (Voice voice : heard) {
            Word word = voice.word();
            if (word != null) {
                voices.merge(word, 1, Integer::sum);
            } else if (voice.knowsNone()) {
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

    /**
     * The Sentinels that a majority of the known ones names.
     *
     * @param known under how many addresses Sentinels are known
     */
    static Set<Target.Host> named(Collection<Testimony> said, int known) {
        Map<Target.Host, Set<String>> sayers = new HashMap<>();
        Set<Directory> heard = new HashSet<>();
        for (Testimony testimony : said) {
            Set<Target.Host> others = new HashSet<>();
            testimony.others().forEach(other -> others.add(other.address()));
            heard.add(new Directory(testimony.id(), others));
            others.forEach(other ->
                    sayers.computeIfAbsent(other, first -> new HashSet<>()).add(testimony.id()));
        }
        int distinct = known - (said.size() - heard.size());
        Set<Target.Host> named = new HashSet<>();
        sayers.forEach((other, ids) -> {
            if (isMajority(ids.size(), distinct)) {
                named.add(other);
            }
        });
        return named;
    }

    /** Whether the Sentinels without an answer can't change it. */
    boolean isFinal() {
        return word != null && isMajority(voices, known);
    }

    /** The Sentinels that one of them knows. */
    private record Directory(String id, Set<Target.Host> others) {}

    private static boolean isMajority(int count, int of) {
        return 2 * count > of;
    }
}
