package io.holdfast.lock.netty.topology;

import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of several servers is the primary, by what they say.
 *
 * <p>One server that calls itself primary is believed. Of two, the one that was promoted from a replica of the other is its
 * successor. The offset does not tell: a primary that was cut off goes on counting, and was seen far ahead of the one that
 * had replaced it. It decides only where no server is known to have succeeded another, and then it is said.
 */
final class PrimaryChoice {

    private static final Logger log = LoggerFactory.getLogger(PrimaryChoice.class);

    private PrimaryChoice() {}

    /** The servers to connect to, best first: the primary, or those that do not say what they are. */
    static List<Claim> among(List<Claim> claims) {
        List<Claim> primaries = claims.stream().filter(Claim::isPrimary).toList();
        List<Claim> current = primaries.stream()
                .filter(claim -> primaries.stream().noneMatch(other -> other.succeeds(claim)))
                .toList();
        List<Claim> inTurn = new ArrayList<>(current.isEmpty() ? primaries : current);
        if (inTurn.size() > 1) {
            inTurn.sort(Comparator.comparingLong(Claim::offset).reversed());
            log.warn(
                    "{} call themselves primary, and none is known to have succeeded another: taking {}, whose offset is"
                            + " the highest; other clients may take another",
                    Printable.of(inTurn.stream().map(Claim::node).collect(Collectors.joining(" and "))),
                    Printable.of(inTurn.get(0).node()));
        }
        if (!inTurn.isEmpty()) {
            return List.of(inTurn.get(0));
        }
        return claims.stream().filter(Claim::isSilent).toList();
    }
}
