package io.holdfast.lock.tests.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A correct lock on imagined time whose calls take effect at some moment between question and answer. Its history is
 * possible by construction, with overlaps, expiry, refusals, and answers that never came.
 */
final class ReferenceLock {

    private static final String LOCK = "job";
    private static final long LEASE = 40;

    private final Random random;
    private final Map<String, Long> free = new HashMap<>();
    private final List<Operation> told = new ArrayList<>();
    private @Nullable String holder;
    private int count;
    private long token;
    private long validUntil;
    private long now = 100;

    ReferenceLock(long seed) {
        this.random = new Random(seed);
    }

    /** What so many calls of so many owners looked like from outside. */
    List<Operation> history(int calls, int owners) {
        while (told.size() < calls) {
            now += 1 + random.nextInt(6);
            if (holder != null && now >= validUntil && random.nextBoolean()) {
                holder = null;
            }
            String owner = "owner-" + random.nextInt(owners);
            // An owner makes one call after the other, so a call takes effect after the answer to the one before.
            if (free.getOrDefault(owner, 0L) < now) {
                call(owner);
            }
        }
        return told;
    }

    private void call(String owner) {
        boolean mine = owner.equals(holder);
        boolean silent = random.nextInt(10) == 0;
        if (mine && random.nextInt(3) > 0) {
            if (silent && random.nextBoolean()) {
                tell(owner, Call.RELEASE, Outcome.UNKNOWN, token, 0);
                return;
            }
            tell(owner, Call.RELEASE, silent ? Outcome.UNKNOWN : Outcome.OK, token, 0);
            count--;
            holder = count == 0 ? null : holder;
        } else if (mine) {
            count++;
            validUntil = Math.max(validUntil, now + LEASE);
            tell(owner, Call.ACQUIRE, Outcome.OK, token, validUntil);
        } else if (holder == null) {
            if (!silent || random.nextBoolean()) {
                holder = owner;
                count = 1;
                token++;
                validUntil = now + LEASE;
            }
            tell(owner, Call.ACQUIRE, silent ? Outcome.UNKNOWN : Outcome.OK, silent ? 0 : token, validUntil);
        } else {
            tell(owner, Call.ACQUIRE, Outcome.REFUSED, 0, 0);
        }
    }

    private void tell(String owner, Call call, Outcome outcome, long underToken, long until) {
        long earliest = free.getOrDefault(owner, 0L) + 1;
        long invoked = Math.max(earliest, now - random.nextInt(15));
        long completed = now + random.nextInt(15);
        free.put(owner, completed);
        told.add(new Operation(
                told.size(),
                LOCK,
                owner,
                call,
                outcome,
                invoked,
                completed,
                underToken,
                granted(call, outcome),
                until));
    }

    private int granted(Call call, Outcome outcome) {
        return call == Call.ACQUIRE && outcome == Outcome.OK ? count : 0;
    }
}
