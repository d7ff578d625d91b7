package io.holdfast.lock.engine.election;

import io.holdfast.lock.engine.inspect.Query;
import io.holdfast.lock.engine.key.ElectionKeys;

/** The record at the one store. */
final class StoreRecord implements LeaderRecord {

    private final Elections work;
    private final ElectionKeys keys;

    StoreRecord(Elections work, ElectionKeys keys) {
        this.work = work;
        this.keys = keys;
    }

    @Override
    public void say(Proclamation said, long dueNanos, Query.Hearer<Boolean> told) {
        work.proclaim(work.facts.stores().get(0), keys, said).ask(dueNanos, told);
    }

    @Override
    public void end() {}
}
