package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.kind.KeyStep;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ScriptCall;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Goes on with a call for one hold, which a node has refused since the slot is being moved and some of its keys are at another
 * node: in steps with one key each (rule 120). The call hears the last answer as its own, and what it met as a fault; either way
 * all of it may be repeated.
 */
public final class KeyByKey {

    private final Iterator<KeyStep> steps;
    private final LockKeys keys;
    private final Fields fields;
    private final byte[] field;
    private final long leaseMillis;

    /**
     * @param steps none if there is no such way
     * @param keys what the lock is called at the store
     * @param leaseMillis for a renewal; else 0
     */
    public KeyByKey(List<KeyStep> steps, LockKeys keys, Fields fields, byte[] field, long leaseMillis) {
        this.steps = steps.iterator();
        this.keys = keys;
        this.fields = fields;
        this.field = field;
        this.leaseMillis = leaseMillis;
    }

    /**
     * Sends the first step.
     *
     * @param call what goes on so
     * @param failed hears why a step has no answer
     * @return false if there is no such way
     */
    public boolean goesOn(Backend backend, ScriptCall call, Consumer<Fault> failed) {
        if (!steps.hasNext()) {
            return false;
        }
        new Progress(backend, call, failed).sendNext();
        return true;
    }

    private final class Progress {

        private final Backend backend;
        private final ScriptCall call;
        private final Consumer<Fault> failed;
        private boolean overdue;

        Progress(Backend backend, ScriptCall call, Consumer<Fault> failed) {
            this.backend = backend;
            this.call = call;
            this.failed = failed;
        }

        void sendNext() {
            backend.send(new OneKey(this, steps.next(), backend.runtime().nanos()));
        }

        void answered(OneKey step, Reply reply) {
            if (steps.hasNext() && !(step.isNeeded && reply.integer(0) == 0)) {
                sendNext();
            } else {
                call.run = step.run;
                call.onReply(reply);
            }
        }

        void overdue() {
            if (!overdue) {
                overdue = true;
                call.onOverdue();
            }
        }
    }

    private final class OneKey extends ScriptCall {

        private final Progress progress;
        private final KeyStep.Words words;
        final boolean isNeeded;

        OneKey(Progress progress, KeyStep step, long sentNanos) {
            super(step.script(), progress.call.slot, sentNanos, progress.call.deadlineNanos);
            this.progress = progress;
            this.words = step.words();
            this.isNeeded = step.isNeeded();
        }

        @Override
        public void encode(Args out) {
            words.write(keys, fields, field, leaseMillis, out);
        }

        @Override
        public boolean isUrgent() {
            return progress.call.isUrgent();
        }

        @Override
        public void onOverdue() {
            progress.overdue();
        }

        @Override
        public void onReply(Reply reply) {
            progress.answered(this, reply);
        }

        @Override
        public void onFault(Fault fault) {
            progress.failed.accept(fault);
        }
    }
}
