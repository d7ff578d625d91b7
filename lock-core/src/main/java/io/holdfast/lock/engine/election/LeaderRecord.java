package io.holdfast.lock.engine.election;

import io.holdfast.lock.engine.inspect.Query;

/** Where a leader is written down: beside its lock at the one store, or at each node of a quorum (rules 61, 66). */
interface LeaderRecord {

    /**
     * Says this of the leader, or says it again, until that is answered or the time is over.
     *
     * @param told hears, within a step, whether the leader's field holds the lock; if it does, this is said
     */
    void say(Proclamation said, long dueNanos, Query.Hearer<Boolean> told);

    /** The leader's client gives the lock up, or has lost it. Within the cell's gate. */
    void end();
}
