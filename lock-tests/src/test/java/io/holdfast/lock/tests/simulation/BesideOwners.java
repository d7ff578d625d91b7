package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.LockHold;
import java.util.HashMap;
import java.util.Map;

/**
 * Owners that take the same lock fairly or plainly, and so fast one behind the other that there is always a queue: a plain call that
 * waits is passed by the queue that stood when it came, and the one that stands when it takes its place, at most (rule 132).
 */
final class BesideOwners extends FamilyOwners {

    /** Grants of before, of which a client has yet to hear, and calls that come between a message and the place. */
    private static final int SLACK = 4;

    /** What has passed a plain call. */
    private static final class Passing {

        final int standing;
        int longest;
        int passed;

        Passing(int standing) {
            this.standing = standing;
        }
    }

    private final Map<Asking, Passing> plain = new HashMap<>();

    BesideOwners(Ground ground) {
        super(ground);
    }

    @Override
    Form form() {
        return chance.below(100) < 75 ? Form.FAIR : Form.PLAIN;
    }

    @Override
    boolean wantsBothHalves() {
        return false;
    }

    @Override
    long keepsNanos() {
        return isReturning() ? 0 : chance.below(400 * MILLI);
    }

    @Override
    void ran(Request request, Keyspace data) {
        plain.keySet().retainAll(open());
        for (Asking asking : open()) {
            int standing = Places.waiting(data, sites.get(asking.object).key.tojstring())
                    .size();
            if (asking.what.endsWith(Form.PLAIN.name()) && !asking.wait.isZero()) {
                Passing passing = plain.computeIfAbsent(asking, one -> new Passing(standing));
                passing.longest = Math.max(passing.longest, standing);
            }
        }
    }

    @Override
    void has(Asking asking, Form form, boolean watched, LockHold hold) {
        super.has(asking, form, watched, hold);
        plain.forEach((waiting, passing) -> {
            if (form == Form.FAIR && waiting.object == asking.object) {
                passing.passed++;
                if (passing.passed > passing.standing + passing.longest + SLACK) {
                    world.fail(
                            "ORD",
                            waiting + ": " + passing.passed + " fair calls have passed it, and at most "
                                    + passing.longest + " stood in the queue");
                }
            }
        });
    }
}
