package io.holdfast.lock.engine.election;

import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.LogLimit;
import io.holdfast.lock.engine.inspect.Query;
import io.holdfast.lock.engine.key.ElectionKeys;
import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.kind.SharedScripts;
import io.holdfast.lock.engine.latch.Watches;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.engine.wait.Deadlines;
import io.holdfast.lock.engine.wait.Ticket;

/** What the elections of one client share. */
public final class Elections {

    final ClientFacts facts;
    final Watches watches;
    /** Of what observers throw. */
    final LogLimit failures;

    private final Exchanges exchanges;
    private final Deadlines deadlines;

    /** @param watches where observers look; they end with the client */
    public Elections(ClientFacts facts, Exchanges exchanges, Deadlines deadlines, Watches watches) {
        this.facts = facts;
        this.exchanges = exchanges;
        this.deadlines = deadlines;
        this.watches = watches;
        this.failures = new LogLimit(facts.runtime());
    }

    static Named named(ElectionKeys keys) {
        return new Named("election", keys.name);
    }

    /** A proclamation; true if its field holds the lock. */
    Query<Boolean> proclaim(ElectionKeys keys, Proclamation said) {
        return new Query<>(
                        facts,
                        exchanges,
                        facts.stores().get(0),
                        "",
                        SharedScripts.PROCLAIM,
                        keys.lock.slot,
                        out -> said.write(facts.fields(), keys, out),
                        reply -> reply.integer() == 1)
                .about(named(keys), said.owner());
    }

    /** A look at who leads. */
    Query<Sight> observe(ElectionKeys keys) {
        return new Query<>(
                        facts,
                        exchanges,
                        facts.stores().get(0),
                        "",
                        SharedScripts.OBSERVE,
                        keys.lock.slot,
                        keys::writeKeys,
                        Sight::of)
                .about(named(keys), false);
    }

    /**
     * When proclaiming a candidate that was elected ends: with the longest outage, or with what is left of its wait. A full command
     * timeout is left in any case.
     */
    long proclaimDueNanos(long startNanos, long waitNanos) {
        long now = facts.nanos();
        return waitNanos == Ticket.NEVER
                ? deadlines.releaseDueNanos(now, now)
                : now + Math.max(facts.commandNanos(), waitNanos - (now - startNanos));
    }
}
