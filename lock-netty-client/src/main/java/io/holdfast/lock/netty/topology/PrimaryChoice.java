package io.holdfast.lock.netty.topology;

import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of several servers is the primary, by what they say and have said.
 *
 * <p>One server that calls itself primary is believed. Of two, the one that was promoted from a replica of the other is its
 * successor. That stays true: a history that was succeeded is never taken again, also when its successor does not answer.
 * The offset does not tell: a primary that was cut off goes on counting, and was seen far ahead of the one that had
 * replaced it. It decides only where no server is known to have succeeded another, and then it is said.
 *
 * <p>Belongs to one event loop.
 */
final class PrimaryChoice {

    private static final Logger log = LoggerFactory.getLogger(PrimaryChoice.class);

    /** More promotions than a client lives to see; the first are forgotten first. */
    private static final int MOST_REMEMBERED = 1_000;

    private final Set<String> succeeded = new LinkedHashSet<>();
    private String latestHistory = "";
    private String warnedOf = "";

    /** The servers to connect to, best first: the primary, or those that do not say what they are. */
    List<Claim> among(List<Claim> claims) {
        claims.forEach(this::remember);
        List<Claim> inTurn = claims.stream()
                .filter(claim -> claim.isPrimary() && !isSucceeded(claim))
                .collect(Collectors.toCollection(ArrayList::new));
        if (inTurn.isEmpty()) {
            return claims.stream().filter(Claim::isSilent).toList();
        }
        if (inTurn.size() > 1) {
            inTurn.sort(Comparator.comparingLong(Claim::offset).reversed());
            warn(inTurn);
        }
        Claim chosen = inTurn.get(0);
        latestHistory = chosen.history();
        return List.of(chosen);
    }

    /** Whether the others need not be waited for: one is the primary that was there before, or its successor. */
    boolean isPlain(List<Claim> claims) {
        return claims.stream()
                .anyMatch(claim -> claim.isPrimary()
                        && !isSucceeded(claim)
                        && (latestHistory.isEmpty()
                                || latestHistory.equals(claim.history())
                                || latestHistory.equals(claim.formerHistory())));
    }

    boolean isSucceeded(Claim claim) {
        return succeeded.contains(claim.history());
    }

    private void remember(Claim claim) {
        String former = claim.formerHistory();
        if (former.isEmpty() || former.equals(claim.history()) || !succeeded.add(former)) {
            return;
        }
        if (succeeded.size() > MOST_REMEMBERED) {
            succeeded.remove(succeeded.iterator().next());
        }
    }

    private void warn(List<Claim> inTurn) {
        String nodes = inTurn.stream().map(Claim::node).collect(Collectors.joining(" and "));
        if (!nodes.equals(warnedOf)) {
            warnedOf = nodes;
            log.warn(
                    "{} call themselves primary, and none is known to have succeeded another: taking {}, whose offset is"
                            + " the highest; other clients may take another",
                    Printable.of(nodes),
                    Printable.of(inTurn.get(0).node()));
        }
    }
}
