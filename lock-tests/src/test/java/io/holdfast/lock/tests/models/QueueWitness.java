package io.holdfast.lock.tests.models;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * What a bystander notes, who sees all requests arrive and all grants, and knows nothing of the server's queue.
 *
 * <p>A client has an excuse to be passed when it has not asked for as long as presence lasts, or when it has let a claim
 * window pass and not asked since. Where everything arrives before time passes, it must also have been dead or paused.
 */
final class QueueWitness {
    private final QueueScope scope;

    /** The calls that were refused and still wait, in the order in which they came. */
    final List<Integer> order;

    /** For how long each client has not asked. */
    final int[] silent;

    /** Whether a reservation of each client ran out, and it has not asked since. */
    final boolean[] missed;

    /** For how long a client has had an excuse. */
    final int[] absent;

    /** Whether each call has given up or released. */
    final boolean[] gone;

    /** Whether each client has been dead or paused. */
    final boolean[] away;

    /** Whether each client has asked since time passed; looked at when clients pause. */
    final boolean[] asked;

    /** How many ticks there was room for a living call, and nobody was there. */
    int idle;

    /** How often the server has lost its data. */
    int epoch;

    /** How many acquisitions there were, and in which of them the resource was touched last. */
    int grants;

    int touched;

    /** What the resource has seen: the greatest token of all, and of those who write. */
    int seen;

    int seenOfWriters;

    boolean isPassed;
    boolean isStuck;
    boolean isLateWrite;

    QueueWitness(QueueScope scope) {
        this.scope = scope;
        order = new ArrayList<>();
        silent = new int[scope.clients()];
        missed = new boolean[scope.clients()];
        absent = new int[scope.clients()];
        gone = new boolean[scope.wants.size()];
        away = new boolean[scope.clients()];
        asked = new boolean[scope.clients()];
        Arrays.fill(silent, scope.presence);
    }

    QueueWitness(QueueWitness other) {
        scope = other.scope;
        order = new ArrayList<>(other.order);
        silent = other.silent.clone();
        missed = other.missed.clone();
        absent = other.absent.clone();
        gone = other.gone.clone();
        away = other.away.clone();
        asked = other.asked.clone();
        idle = other.idle;
        epoch = other.epoch;
        grants = other.grants;
        touched = other.touched;
        seen = other.seen;
        seenOfWriters = other.seenOfWriters;
        isPassed = other.isPassed;
        isStuck = other.isStuck;
        isLateWrite = other.isLateWrite;
    }

    void asks(int client) {
        silent[client] = 0;
        missed[client] = false;
        absent[client] = 0;
        asked[client] = scope.pauses > 0;
    }

    /** A client has asked, so it is there, and all its calls wait, whatever the server has forgotten. */
    void returns(int call) {
        if (asked[scope.clientOf(call)] && !order.contains(call)) {
            order.add(call);
        }
    }

    /**
     * A request has been answered.
     *
     * @param writes whether the owner writes, and wanted to read as well
     * @param waits whether it waits when it is refused
     */
    void answers(int call, boolean granted, boolean writes, boolean waits) {
        isStuck |= writes && !granted;
        if (!granted && waits && !gone[call] && !order.contains(call)) {
            order.add(call);
        }
    }

    /** A call is let in: all that came before it must have been, but those that are excused, which keep their places. One that is about to leave takes nobody's place. */
    void admits(int call) {
        if (gone[call]) {
            return;
        }
        boolean isDowngrade = scope.wants.get(call).downgrades();
        int place = order.contains(call) ? order.indexOf(call) : order.size();
        for (int before : isDowngrade ? Collections.<Integer>emptyList() : List.copyOf(order.subList(0, place))) {
            isPassed |= !isExcused(before);
        }
        order.remove((Integer) call);
    }

    /** The server has thrown a call out of its queue. */
    void drops(int call) {
        if (isExcused(call) && absent[scope.clientOf(call)] >= scope.passed) {
            order.remove((Integer) call);
        }
    }

    /** A call has gone. */
    void leaves(int call) {
        gone[call] = true;
        order.remove((Integer) call);
    }

    private boolean isExcused(int call) {
        int client = scope.clientOf(call);
        boolean mayBe = away[client] || !scope.isPrompt();
        return mayBe && (missed[client] || silent[client] >= scope.presence);
    }

    /** A reservation has run out. */
    void misses(int client) {
        missed[client] = true;
    }

    void forgets() {
        order.clear();
        epoch++;
    }

    /** The excuses of those who wait for nothing: their next request ends them. */
    void forgetWhatIsOver() {
        for (int client = 0; client < silent.length; client++) {
            int one = client;
            if (order.stream().noneMatch(call -> scope.clientOf(call) == one)) {
                silent[client] = scope.presence;
                missed[client] = false;
                absent[client] = 0;
            }
        }
    }

    /** Time passes; whether there was room. */
    void tick(boolean room) {
        idle = room ? idle + 1 : 0;
        Arrays.fill(asked, false);
        for (int client = 0; client < silent.length; client++) {
            boolean isAbsent = missed[client] || silent[client] >= scope.presence;
            absent[client] = isAbsent ? Math.min(scope.passed, absent[client] + 1) : 0;
            silent[client] = Math.min(scope.presence, silent[client] + 1);
        }
    }
}
