package io.holdfast.lock.engine.election;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.LogLimit;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.inspect.Query;
import io.holdfast.lock.engine.inspect.QuorumQuery;
import io.holdfast.lock.engine.key.ElectionKeys;
import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.SharedScripts;
import io.holdfast.lock.engine.kind.Verb;
import io.holdfast.lock.engine.latch.Watches;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.engine.wait.Deadlines;
import io.holdfast.lock.engine.wait.Ticket;
import java.util.function.Consumer;

/** What the elections of one client share. */
public final class Elections {

    final ClientFacts facts;
    final Watches watches;
    /** Of what observers throw. */
    final LogLimit failures;

    /** Asks a store soon whether it knows a hold. */
    final Consumer<StoreLease> doubt;

    private final Exchanges exchanges;
    private final Deadlines deadlines;

    /**
     * What the elections of one client share.
     *
     * @param watches where observers look; they end with the client
     * @param doubt asks a store soon whether it knows a hold
     */
    public Elections(
            ClientFacts facts, Exchanges exchanges, Deadlines deadlines, Watches watches, Consumer<StoreLease> doubt) {
        this.doubt = doubt;
        this.facts = facts;
        this.exchanges = exchanges;
        this.deadlines = deadlines;
        this.watches = watches;
        this.failures = new LogLimit(facts.runtime());
    }

    static Named named(ElectionKeys keys) {
        return new Named("election", keys.name);
    }

    /** Where a leader is written down. */
    LeaderRecord record(ElectionKeys keys, Hold hold) {
        return facts.isQuorum() ? new NodeRecords(this, keys, hold) : new StoreRecord(this, keys);
    }

    /** A proclamation at a store; true if its field holds the lock there. */
    Query<Boolean> proclaim(Store store, ElectionKeys keys, Proclamation said) {
        return new Query<>(
                        facts,
                        exchanges,
                        store,
                        "",
                        SharedScripts.PROCLAIM,
                        keys.lock.slot,
                        out -> said.write(facts.fields(), keys, out),
                        reply -> reply.integer() == 1)
                .about(named(keys), said.owner())
                .thatTells(keys.leaderChannel());
    }

    /** Gives the lock at a node the hold's token; true if the hold has it there. */
    Query<Boolean> adopt(Store store, ElectionKeys keys, Hold hold) {
        LockKind kind = hold.kind();
        return new Query<>(
                        facts,
                        exchanges,
                        store,
                        "",
                        kind.script(Verb.ADOPT),
                        keys.lock.slot,
                        out -> kind.writeAdopt(keys.lock, facts.fields(), hold.field, hold.token, out),
                        reply -> reply.integer() == 1)
                .about(named(keys), hold.ownerText());
    }

    /** Whether a failure may pass by itself, or its call may have had its effect. */
    static boolean mayPass(LockException failure) {
        return failure instanceof LockUnavailableException || failure instanceof LockOutcomeUnknownException;
    }

    /** Looks at who leads, by what a majority of the stores says. */
    void observe(ElectionKeys keys, Pending<Sight> result) {
        int nodes = facts.stores().size();
        if (!facts.isQuorum()) {
            observe(facts.stores().get(0), keys).ask(result);
            return;
        }
        new QuorumQuery<Sight>(
                        facts,
                        facts.stores(),
                        HoldLeases.majority(nodes),
                        watches.nodeTimeoutNanos(),
                        fault -> Failures.ofQuestion(named(keys), fault),
                        store -> observe(store, keys))
                .decide(seen -> Sight.agreed(seen.values(), nodes), result);
    }

    private Query<Sight> observe(Store store, ElectionKeys keys) {
        return new Query<>(
                        facts, exchanges, store, "", SharedScripts.OBSERVE, keys.lock.slot, keys::writeKeys, Sight::of)
                .about(named(keys), false);
    }

    /**
     * When proclaiming a candidate that was elected ends: with the longest outage, or with what is left of its wait. A full command
     * timeout is left in any case.
     */
    long proclaimDueNanos(long startNanos, long waitNanos) {
        long now = facts.nanos();
        return waitNanos == Ticket.NEVER
                ? deadlines.writeDueNanos(now, now)
                : now + Math.max(facts.commandNanos(), waitNanos - (now - startNanos));
    }
}
