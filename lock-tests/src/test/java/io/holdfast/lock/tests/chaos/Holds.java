package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.history.Call;
import io.holdfast.lock.tests.history.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts the holds together from what was seen. */
final class Holds {

    private final Map<String, Seen.Asked> asked = new HashMap<>();
    private final Map<String, Draft> open = new LinkedHashMap<>();
    private final List<Hold> done = new ArrayList<>();

    private Holds() {}

    private static final class Draft {
        private final Seen.Asked grant;
        private final long token;
        private final long fromNanos;
        private int levels = 1;
        private int mostLevels = 1;
        private long validUntilNanos;
        private long toldNanos = Long.MAX_VALUE;
        private long releaseAskedNanos = Long.MAX_VALUE;

        private Draft(Seen.Asked grant, Seen.Answered answer) {
            this.grant = grant;
            this.token = answer.token();
            this.fromNanos = answer.nanos();
            this.validUntilNanos = answer.validUntilNanos();
        }

        private Hold ended(Hold.End end, long nanos) {
            long to = Math.min(Math.min(releaseAskedNanos, toldNanos), nanos);
            to = end == Hold.End.LOST || end == Hold.End.OPEN ? Math.min(to, validUntilNanos) : to;
            return new Hold(
                    grant.lane(),
                    grant.lock(),
                    grant.owner(),
                    token,
                    mostLevels,
                    grant.nanos(),
                    fromNanos,
                    Math.max(fromNanos, to),
                    Math.max(fromNanos, Math.min(nanos, Math.max(toldNanos, fromNanos))),
                    end);
        }
    }

    /** All holds, in the order in which they began. */
    static List<Hold> of(List<Seen> entries) {
        Holds holds = new Holds();
        entries.stream().sorted(Comparator.comparingLong(Holds::nanos)).forEach(holds::see);
        long last = entries.stream().mapToLong(Holds::nanos).max().orElse(0);
        holds.open
                .values()
                .forEach(draft -> holds.done.add(draft.ended(
                        draft.toldNanos == Long.MAX_VALUE ? Hold.End.OPEN : Hold.End.LOST,
                        Math.min(last, draft.toldNanos))));
        return holds.done.stream()
                .sorted(Comparator.comparingLong(Hold::fromNanos))
                .toList();
    }

    static long nanos(Seen seen) {
        if (seen instanceof Seen.Asked call) {
            return call.nanos();
        }
        if (seen instanceof Seen.Answered answer) {
            return answer.nanos();
        }
        if (seen instanceof Seen.Lasting lasting) {
            return lasting.nanos();
        }
        if (seen instanceof Seen.Told told) {
            return told.nanos();
        }
        if (seen instanceof Seen.Wrote wrote) {
            return wrote.nanos();
        }
        return Long.MIN_VALUE;
    }

    private void see(Seen seen) {
        if (seen instanceof Seen.Asked call) {
            asked.put(call.id(), call);
            Draft draft = open.get(key(call.owner(), call.lock(), call.token()));
            if (call.call() == Call.RELEASE && draft != null && draft.levels == 1) {
                draft.releaseAskedNanos = call.nanos();
            }
        } else if (seen instanceof Seen.Answered answer) {
            Seen.Asked call = asked.get(answer.id());
            if (call != null && call.call() == Call.ACQUIRE && answer.outcome() == Outcome.OK) {
                granted(call, answer);
            } else if (call != null && call.call() == Call.RELEASE) {
                released(call, answer);
            }
        } else if (seen instanceof Seen.Lasting lasting) {
            Draft draft = open.get(key(lasting.owner(), lasting.lock(), lasting.token()));
            if (draft != null) {
                draft.validUntilNanos = Math.max(draft.validUntilNanos, lasting.validUntilNanos());
            }
        } else if (seen instanceof Seen.Told told) {
            open.values().stream()
                    .filter(draft -> draft.grant.lane().equals(told.lane()) && draft.token == told.token())
                    .forEach(draft -> draft.toldNanos = Math.min(draft.toldNanos, told.nanos()));
        }
    }

    private void granted(Seen.Asked call, Seen.Answered answer) {
        Draft draft = open.get(key(call.owner(), call.lock(), answer.token()));
        if (draft == null) {
            open.put(key(call.owner(), call.lock(), answer.token()), new Draft(call, answer));
        } else {
            draft.levels++;
            draft.mostLevels = Math.max(draft.mostLevels, draft.levels);
        }
    }

    private void released(Seen.Asked call, Seen.Answered answer) {
        String key = key(call.owner(), call.lock(), call.token());
        Draft draft = open.get(key);
        if (draft == null) {
            return;
        }
        switch (answer.outcome()) {
            case OK -> {
                draft.levels--;
                if (draft.levels == 0) {
                    done.add(draft.ended(Hold.End.RELEASED, answer.nanos()));
                    open.remove(key);
                }
            }
            case LOST -> {
                done.add(draft.ended(Hold.End.LOST, answer.nanos()));
                open.remove(key);
            }
            default -> {
                if (draft.levels == 1) {
                    done.add(draft.ended(Hold.End.UNKNOWN, answer.nanos()));
                    open.remove(key);
                }
            }
        }
    }

    private static String key(String owner, String lock, long token) {
        return owner + " " + lock + " " + token;
    }
}
