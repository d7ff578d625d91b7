package io.holdfast.lock.examples.failover;

import io.holdfast.lock.examples.console.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The run in one picture: a lane for each server, with the number of Sentinels that name it the primary, one for the
 * failover guard if there is any, and one for what was granted.
 */
final class Lanes {

    private static final int WIDTH = 62;

    /**
     * One look.
     *
     * @param named letters of servers, and how many Sentinels name each
     * @param dead letters of servers whose process is gone
     * @param gate what the failover guard shows; null without one
     */
    private record Look(
            long nanos, Map<String, Integer> named, List<String> dead, long granted, Gate.@Nullable State gate) {}

    private final List<Look> looks = new ArrayList<>();

    void look(long nanos, Map<String, Integer> named, List<String> dead, long granted, Gate.@Nullable State gate) {
        looks.add(new Look(nanos, named, dead, granted, gate));
    }

    /** The lanes, for servers of these letters. */
    List<String> lines(List<String> servers) {
        List<String> lines = new ArrayList<>();
        if (looks.isEmpty()) {
            return lines;
        }
        long endNanos = looks.get(looks.size() - 1).nanos();
        for (String server : servers) {
            StringBuilder lane = new StringBuilder("server " + server + "  ");
            for (int column = 0; column < WIDTH; column++) {
                lane.append(sign(server, at(endNanos * (column + 1) / WIDTH)));
            }
            lines.add(lane.toString());
        }
        if (looks.get(0).gate() != null) {
            lines.add("guard     " + gates(endNanos));
        }
        lines.add("granted   " + grants(endNanos).stripTrailing());
        lines.add(
                "          0 s" + " ".repeat(WIDTH - 3 - Text.seconds(endNanos).length()) + Text.seconds(endNanos));
        return lines;
    }

    private static char sign(String server, Look look) {
        Integer voices = look.named().get(server);
        boolean isDead = look.dead().contains(server);
        if (voices != null) {
            return isDead ? 'x' : Character.forDigit(Math.min(voices, 9), 10);
        }
        return isDead ? ' ' : '-';
    }

    private String gates(long endNanos) {
        StringBuilder lane = new StringBuilder();
        for (int column = 0; column < WIDTH; column++) {
            Gate.State gate = at(endNanos * (column + 1) / WIDTH).gate();
            lane.append(gate == null ? ' ' : gate.sign());
        }
        return lane.toString();
    }

    /** How much was granted in each column, in four steps. */
    private String grants(long endNanos) {
        long[] each = new long[WIDTH];
        for (int column = 0; column < WIDTH; column++) {
            each[column] = at(endNanos * (column + 1) / WIDTH).granted()
                    - (column == 0 ? 0 : at(endNanos * column / WIDTH).granted());
        }
        long most = Text.most(each);
        StringBuilder lane = new StringBuilder();
        for (long granted : each) {
            lane.append(Text.level(granted, most));
        }
        return lane.toString();
    }

    /** The last look up to this time, or the first one. */
    private Look at(long nanos) {
        Look last = looks.get(0);
        for (Look look : looks) {
            if (look.nanos() > nanos) {
                break;
            }
            last = look;
        }
        return last;
    }
}
