package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import java.util.concurrent.CompletableFuture;

/**
 * One step on the server, repeated after passing faults until it has a definite end or the time for it is over.
 *
 * <p>A step that gets no answer is not sent again on the same connection, since the answer may still come; it is given
 * up after the time for an answer, and {@link #endedLate} tells what became of it. A step whose connection broke is sent
 * again, since a repeated step has the effect of a single one.
 */
public abstract class Exchange implements StepListener {

    private final Exchanges exchanges;
    private final SerialGate gate;
    private final long answerNanos;
    private final long boundNanos;
    private final String node;
    /** How long the latest try may go without one: less than that close to the bound. For the message, so that it may be short. */
    private int tryMillis;

    /** As far as it counts. */
    private byte failures;

    /** How many pauses it has had; a timer ends the one that it was set for. Written by {@link Exchanges}. */
    byte pauses;

    private boolean maybeApplied;
    private boolean over;
    private boolean unanswered;

    /**
     * @param node the one that the step is meant for
     * @param answerNanos how long one try may go without an answer
     * @param boundNanos when trying again ends
     */
    public Exchange(Exchanges exchanges, SerialGate gate, String node, long answerNanos, long boundNanos) {
        this.exchanges = exchanges;
        this.node = node;
        this.gate = gate;
        this.answerNanos = answerNanos;
        this.boundNanos = boundNanos;
    }

    /** Sends one try. */
    protected abstract void send(long deadlineNanos, StepListener step);

    /**
     * The end: anything but {@link Outcome.Failed}.
     *
     * @param repeated whether an earlier try may have taken effect
     */
    protected abstract void answered(Outcome outcome, boolean repeated);

    /** The end: given up. The fault says whether any try may have taken effect. */
    protected abstract void gaveUp(Fault fault);

    /** The try that was given up for want of an answer has ended after all. */
    protected void endedLate(Outcome outcome) {}

    /** Whether it was given up though the latest try may still be answered, on a connection that stands. */
    public final boolean isUnanswered() {
        return unanswered;
    }

    /** Whether trying again later can help. */
    protected boolean passes(Fault fault) {
        return fault.mayPass();
    }

    public final void start() {
        exchanges.begun();
        sendTry();
    }

    /** Sends the last try, and completes when that is done. */
    final CompletableFuture<Void> lastTry() {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        gate.run(() -> {
            try {
                sendTry();
            } finally {
                sent.complete(null);
            }
        });
        return sent;
    }

    /** Sends one more try: within the gate, for it may look at what belongs to the steps there. */
    private void tryAgain() {
        gate.run(this::sendTry);
    }

    /** The same, for a step within this gate that has yet to send something. */
    final void tryAhead(SerialGate present) {
        if (present == gate) {
            sendTry();
        } else {
            tryAgain();
        }
    }

    final Object subject() {
        return gate.subject();
    }

    private void sendTry() {
        long now = exchanges.runtime().nanos();
        long tryNanos = Math.min(boundNanos - now, answerNanos);
        tryMillis = (int) Math.round(tryNanos / 1e6);
        send(now + tryNanos, this);
    }

    @Override
    public final void overdue() {
        gate.run(this::onOverdue);
    }

    @Override
    public final void ended(Outcome outcome) {
        gate.run(Exchange::onEnded, this, outcome);
    }

    private void end() {
        over = true;
        exchanges.ended();
    }

    private void onOverdue() {
        if (!over) {
            end();
            unanswered = true;
            gaveUp(new Fault(Fault.Kind.NO_ANSWER, true, node, "no answer within " + tryMillis + " ms"));
        }
    }

    private void onEnded(Outcome outcome) {
        if (over) {
            if (unanswered) {
                unanswered = false;
                endedLate(outcome);
            }
            return;
        }
        if (!(outcome instanceof Outcome.Failed failed)) {
            end();
            answered(outcome, maybeApplied);
            return;
        }
        Fault fault = failed.fault();
        maybeApplied |= fault.maybeApplied();
        Runtime runtime = exchanges.runtime();
        long backoff = exchanges.pauseNanos(failures, fault);
        failures = (byte) Math.min(failures + 1, Byte.MAX_VALUE);
        long pause = fault.kind() == Fault.Kind.PAUSED ? failed.quarantineNanos() : backoff;
        boolean repeat = !failed.spent() && passes(fault) && runtime.nanos() + pause - boundNanos < 0;
        if (repeat && exchanges.mayPause(this)) {
            byte number = pauses;
            runtime.after(pause, () -> {
                if (exchanges.resume(this, number)) {
                    tryAgain();
                }
            });
        } else {
            end();
            gaveUp(new Fault(fault.kind(), maybeApplied, fault.node(), fault.detail()));
        }
    }
}
