package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which server process Sentinels have found at the primary's address.
 *
 * <p>An announced name may lead to another machine one day, and so may what a mapper makes of an address, while the server that
 * they led to before goes on. Sentinels name the same primary then, but they find another process there.
 *
 * <p>They ask a server who it is every ten seconds, and a client connects to one that was restarted long before they do. So what
 * they have found says nothing by itself: only that they find another one than before is news.
 *
 * <p>All methods are called on the event loop.
 */
final class PrimaryRun {

    private Target.@Nullable Host primary;
    /** What a majority of those that answer has found last; empty while that is nothing. */
    private String runId = "";

    /**
     * Takes in a round.
     *
     * @param word what counts of it
     * @return the process that is found there in place of another; empty if there is no such news
     */
    String heard(Collection<Testimony> said, Word word) {
        String found = found(said, word);
        if (!word.primary().equals(primary)) {
            primary = word.primary();
            runId = found;
            return "";
        }
        if (found.isEmpty() || found.equals(runId)) {
            return "";
        }
        String before = runId;
        runId = found;
        return before.isEmpty() ? "" : found;
    }

    /** What a majority of those that answer has found; a Sentinel has one voice under however many addresses. */
    private static String found(Collection<Testimony> said, Word word) {
        Map<String, Set<String>> finders = new HashMap<>();
        Set<String> all = new HashSet<>();
        for (Testimony testimony : said) {
            all.add(testimony.id());
            if (word.equals(testimony.word()) && !testimony.runId().isEmpty()) {
                finders.computeIfAbsent(testimony.runId(), first -> new HashSet<>())
                        .add(testimony.id());
            }
        }
        return finders.entrySet().stream()
                .filter(each -> 2 * each.getValue().size() > all.size())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }
}
