package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.call.Alarm;
import io.holdfast.lock.engine.call.Backoff;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Retries;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.engine.wait.PlannedLook;
import io.holdfast.lock.engine.wait.Poll;
import io.holdfast.lock.engine.wait.ReleaseChannel;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Timer;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one client that await one latch or one signal, or observe one election: one look at the server for all of them, and one subscription.
 *
 * <p><b>When it looks</b> (rules 24, 26, 59): when a call comes, when the subscription is confirmed, at a message, at the poll, and
 * when what was seen may have changed by itself (rule 61).
 * What makes it look while a look is in flight makes it look again: that one may have been answered before. So an answer counts
 * for those calls only that were there when it was asked for.
 *
 * <p>It is there while a call waits, or the channel is open. Everything here runs within its gate, which is its own.
 */
final class Watch extends SerialGate implements ReleaseChannel.Listener {

    /** For how long a call may go by what was seen (rule 77). */
    private static final long TRUSTED_NANOS = TimeUnit.SECONDS.toNanos(5);

    final ClientFacts facts;
    final Watches all;
    private final Retries retries;
    final Watched watched;
    private final Set<Await> waiting = new LinkedHashSet<>();
    private final Poll poll;
    private final PlannedLook plannedLook;
    private final Alarm outageAlarm;

    /** Null while no call needs messages. */
    private @Nullable ReleaseChannel channel;
    /** The look in flight; null while there is none. */
    private @Nullable Look look;
    /** Nodes that have not answered an earlier look, by their index; of several only. */
    private final BitSet owing = new BitSet();
    /** Something came while that was in flight. */
    private boolean lookAgain;
    /** Until a look that met a fault is repeated; null while there is no such pause. */
    private @Nullable Timer pause;

    private int failures;
    /** Since when no look was answered; null while looks are answered. */
    private @Nullable Long silentSinceNanos;
    /** Since when the slot is known to be moved; null while looks are answered. */
    private @Nullable Long movingSinceNanos;
    /** What the latest look met; null if it was answered, or has met nothing yet. */
    private @Nullable Fault fault;

    private boolean retired;

    Watch(ClientFacts facts, Watches all, Retries retries, Watched watched) {
        super(facts.runtime().steps());
        this.facts = facts;
        this.all = all;
        this.retries = retries;
        this.watched = watched;
        this.poll = new Poll(facts.runtime());
        this.plannedLook = new PlannedLook(facts.runtime(), this, this::lookNow);
        this.outageAlarm = new Alarm(facts.runtime(), this, this::endForOutage);
    }

    Watched watched() {
        return watched;
    }

    // --- arrival and departure ---

    /** Brings a call; false if this has ended, and another has to be made. */
    boolean enter(Await call) {
        if (retired) {
            return false;
        }
        if (facts.isClosed()) {
            fail(call, closed());
            return true;
        }
        waiting.add(call);
        if (call.isLimited()) {
            deadlineAfter(call, call.leftNanos(facts.nanos()));
        }
        lookNow();
        return true;
    }

    /** The caller has given up. */
    void withdrawn(Await call) {
        take(call);
    }

    private void take(Await call) {
        call.cancelTimer();
        waiting.remove(call);
    }

    private void fail(Await call, Fault why) {
        take(call);
        call.fail(Failures.ofQuestion(watched.named(), why));
    }

    @Override
    protected void afterStep() {
        if (!waiting.isEmpty() || retired) {
            return;
        }
        plannedLook.forget();
        ReleaseChannel open = channel;
        if (open != null) {
            open.closeSoon();
        } else {
            retire();
        }
    }

    private void retire() {
        retired = true;
        plannedLook.end();
        outageAlarm.cancel();
        endPause();
        all.remove(this);
    }

    /** The client is closed. */
    void close() {
        for (Await call : List.copyOf(waiting)) {
            fail(call, closed());
        }
        closeChannel();
    }

    private Fault closed() {
        return new Fault(Fault.Kind.CLOSED, false, facts.node(), "the client is closed");
    }

    // --- looks ---

    private void lookNow() {
        if (look != null) {
            lookAgain = true;
        } else if (!waiting.isEmpty()) {
            ask();
        }
    }

    private void ask() {
        endPause();
        plannedLook.forget();
        lookAgain = false;
        Look asked = Look.of(this, owing);
        look = asked;
        waiting.forEach(Await::asked);
        if (silentSinceNanos == null) {
            silentSinceNanos = asked.sentNanos;
        }
        outageAlarm.setFor(asked.sentNanos + maxOutageNanos());
        asked.send();
    }

    void answered(Look asked, Object seen) {
        look = null;
        silentSinceNanos = null;
        movingSinceNanos = null;
        fault = null;
        failures = 0;
        for (Await call : List.copyOf(waiting)) {
            if (call.isAsked() && (call.judge(seen, facts.node()) || isRefused(call, asked))) {
                take(call);
            }
        }
        if (!waiting.isEmpty()) {
            waiting.forEach(Await::waits);
            awaitNews(watched.changesAfterNanos(seen));
        }
    }

    private boolean isRefused(Await call, Look asked) {
        call.seen(asked.sentNanos);
        return call.isLate() && call.refuse();
    }

    /** Waits for a message or the next poll, or looks again if one came meanwhile. */
    private void awaitNews(long changesAfterNanos) {
        ReleaseChannel open = channel;
        if (open == null) {
            open = new ReleaseChannel(
                    facts,
                    this,
                    (store, wakeup) -> Channels.subscribe(store, watched.slot(), watched.channels(), wakeup),
                    this);
            channel = open;
            open.open();
        }
        open.stay();
        if (lookAgain) {
            ask();
        } else if (look == null) {
            plannedLook.after(open.isConfirmed() ? poll.listeningNanos() : poll.deafNanos());
            if (changesAfterNanos != Watched.NEVER) {
                plannedLook.within(changesAfterNanos);
            }
        }
    }

    void met(Fault latest) {
        look = null;
        fault = latest;
        if (latest.kind() == Fault.Kind.TRYAGAIN) {
            // The slot is being moved, and its nodes answer: that is no outage.
            long now = facts.nanos();
            Long since = movingSinceNanos == null ? Long.valueOf(now) : movingSinceNanos;
            silentSinceNanos = now;
            movingSinceNanos = since;
            facts.moves().waits(watched.named(), watched.slot(), since, latest.node());
        }
        for (Await call : List.copyOf(waiting)) {
            if (call.endsWith(latest)) {
                fail(call, latest);
            }
        }
        if (!waiting.isEmpty()) {
            waiting.forEach(Await::waits);
            long pauseNanos = latest.mayPass() ? Backoff.nanos(failures++, facts.runtime()) : poll.listeningNanos();
            pause = retries.after(pauseNanos, () -> run(this::lookNow));
        }
    }

    private void endPause() {
        Timer timer = pause;
        if (timer != null) {
            pause = null;
            timer.cancel();
        }
    }

    // --- the channel ---

    @Override
    public void listening(boolean again) {
        lookNow();
    }

    @Override
    public void deafened() {
        if (look == null && pause == null && !waiting.isEmpty()) {
            plannedLook.within(poll.deafNanos());
        }
    }

    @Override
    public void released(String message) {
        lookNow();
    }

    @Override
    public void unused() {
        if (waiting.isEmpty()) {
            closeChannel();
        }
    }

    private void closeChannel() {
        ReleaseChannel open = channel;
        if (open != null) {
            channel = null;
            open.close();
        }
    }

    // --- deadlines ---

    private void deadlineAfter(Await call, long delayNanos) {
        call.timer(facts.runtime().after(Math.max(0, delayNanos), () -> run(() -> onDeadline(call))));
    }

    /** A call that saw the latch closed a few seconds ago is told so; else it stays for an answer (rules 77, 78). */
    private void onDeadline(Await call) {
        if (!waiting.contains(call)) {
            return;
        }
        long now = facts.nanos();
        if (call.isLate()) {
            fail(call, faultNow());
        } else if (silentSinceNanos == null && call.sawWithin(TRUSTED_NANOS, now)) {
            take(call);
            call.refuse();
        } else {
            call.late();
            deadlineAfter(call, facts.commandNanos());
            if (look == null) {
                lookNow();
            }
        }
    }

    /** Calls without a limit put up with an outage for so long (rule 21). */
    private void endForOutage() {
        Long since = silentSinceNanos;
        if (since == null) {
            return;
        }
        long now = facts.nanos();
        endAll(call -> call.endsWithOutage() && outageLeftNanos(call, since, now) <= 0);
        long least = Long.MAX_VALUE;
        for (Await call : waiting) {
            least = call.endsWithOutage() ? Math.min(least, outageLeftNanos(call, since, now)) : least;
        }
        if (least != Long.MAX_VALUE) {
            outageAlarm.setFor(now + least);
        }
    }

    private long outageLeftNanos(Await call, long sinceNanos, long now) {
        long began = sinceNanos - call.startNanos > 0 ? sinceNanos : call.startNanos;
        return maxOutageNanos() - (now - began);
    }

    private long maxOutageNanos() {
        return facts.options().maxOutage().toNanos();
    }

    private void endAll(Predicate<Await> which) {
        for (Await call : List.copyOf(waiting)) {
            if (which.test(call)) {
                fail(call, faultNow());
            }
        }
    }

    private Fault faultNow() {
        Fault latest = fault;
        return latest == null ? Failures.noAnswer(facts.node(), false) : latest;
    }
}
