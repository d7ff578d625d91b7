package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.engine.hold.Grant;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Asker;
import io.holdfast.lock.engine.kind.Awaiting;
import io.holdfast.lock.engine.kind.KeyStep;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.engine.kind.Verb;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of locks on one store: each is one script call, in the words of the lock's kind. */
public final class StoreSteps {

    private static final Logger log = LoggerFactory.getLogger(StoreSteps.class);

    /** In the order of the numbers that stand for them in an answer. */
    private static final List<Outcome.Others> OTHERS = List.of(Outcome.Others.values());

    /** What a release is answered if the lock is reserved for another client now. */
    private static final int RESERVED = 2;

    /** How many numbers an answer has that says who else wants the lock. */
    private static final int WITH_OTHERS = 4;

    public final Store store;
    final Fields fields;
    private final @Nullable FailoverGuard guard;
    public final EndedFields ended;

    /** @param guard what each grant and renewal has to pass; null for none */
    public StoreSteps(Store store, Fields fields, @Nullable FailoverGuard guard, EndedFields ended) {
        this.store = store;
        this.fields = fields;
        this.guard = guard;
        this.ended = ended;
    }

    /** In whose words a lock of a kind is spoken of at this store. */
    public LockKind spoken(LockKind kind) {
        return store.isWithoutTurns() ? kind.withoutTurns() : kind;
    }

    /** Whether a step that was refused may be done without turns: its user may lack the right to their key (rule 117). */
    public static boolean mayDoWithoutTurns(LockKind kind, Fault fault) {
        return fault.kind() == Fault.Kind.NOPERM && kind.takesTurns();
    }

    /** A step was done without turns that had been refused with them. */
    public void isWithoutTurns(Fault refusal) {
        if (store.doWithoutTurns()) {
            Logging.attempt(() -> log.warn(
                    "Clients do not take turns at a lock, and it is not handed on without asking: {} (expected: the right to use"
                            + " the keys '<prefix>:{<name>}:turns', as docs/acl.md has it)",
                    refusal));
        }
    }

    /** Whether a grant of this store could count at present. */
    boolean mayGrant() {
        return guard == null || guard.isVouchedFor();
    }

    /** Takes the lock if nothing excludes it: granted, refused or failed. */
    Asked acquire(LockKeys lock, Asker asker, byte[] field, long deadlineNanos, StepListener step) {
        return sendToGrant(AcquireCall.of(this, lock, asker, field, deadlineNanos, step));
    }

    /** Raises the hold count: done, gone or failed. */
    public void reenter(Hold hold, int count, long leaseMillis, long deadlineNanos, StepListener step) {
        if (!hold.kind().isCounted()) {
            raise(hold, leaseMillis, "at a re-entry", deadlineNanos, step);
            return;
        }
        hold.willAskFor(leaseMillis);
        sendToKeep(new HoldCall(this, Verb.REENTER, hold, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                hold.kind().writeReenter(keys, fields, hold.field, count, leaseMillis, out);
            }

            @Override
            Outcome read(Reply reply) {
                return raised(reply.integer() == 1, leaseMillis, "at a re-entry");
            }
        });
    }

    /** Lowers the hold count, and frees nothing: done, gone or failed. */
    public void lower(Hold hold, int count, long deadlineNanos, StepListener step) {
        send(new HoldCall(this, Verb.LOWER, hold, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                hold.kind().writeLower(keys, fields, hold.field, count, out);
            }

            @Override
            Outcome read(Reply reply) {
                Outcome outcome = released(reply);
                lease.isAnswered();
                return outcome;
            }
        });
    }

    /** Removes the field, whatever its count: done, gone or failed. */
    public void release(LockKeys lock, LockKind kind, byte[] field, long deadlineNanos, StepListener step) {
        send(new Removal(this, lock, spoken(kind), field, deadlineNanos, step));
    }

    /** The same, of a turn that ends while more calls of the client wait. */
    public void endTurn(Hold hold, int distance, long deadlineNanos, StepListener step) {
        send(new Removal(this, hold.cell.keys, spoken(hold.kind()), hold.field, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                kind.endingTurn(distance).writeRelease(keys, at.fields, hold.field, out);
            }
        });
    }

    /** The same at a node that has not answered yet: behind the request for the lock, which may not be written yet. */
    public void releaseBehind(LockKeys lock, LockKind kind, byte[] field, long deadlineNanos, StepListener step) {
        send(new Removal(this, lock, kind, field, deadlineNanos, step) {
            @Override
            public boolean isUrgent() {
                return false;
            }
        });
    }

    private static Outcome released(Reply reply) {
        long done = reply.integer(0);
        return done == 0 ? new Outcome.Gone() : Outcome.Applied.toldTo(reply.integer(1), done == RESERVED);
    }

    /** Hands the lock over: granted, gone or failed. */
    void transfer(Hold hold, HandOver over, long deadlineNanos, StepListener step) {
        LockKind kind = spoken(hold.kind());
        boolean goesOn = over.goesOn() && kind.takesTurns();
        long askedMillis = goesOn ? over.askedMillis() : over.leaseMillis;
        int disconnections = store.disconnections();
        sendToGrant(new Call(this, kind.script(Verb.TRANSFER), hold.cell.keys, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                kind.writeTransfer(keys, fields, hold.field, over.to, askedMillis, over.tokens, out);
            }

            @Override
            Outcome uncounted(Judgement judgement) {
                return notGranted(judgement);
            }

            @Override
            Outcome read(Reply reply) {
                if (reply.integer(0) != 1) {
                    return new Outcome.Gone();
                }
                ended.removed(keys, kind, hold.field, sentNanos, run);
                long token = Tokens.of(reply);
                StoreLease lease = StoreLease.granted(store, run, sentNanos, askedMillis);
                if (reply.size() < WITH_OTHERS) {
                    return new Outcome.Granted(token, lease);
                }
                HoldLeases leases = goesOn
                        ? new Grant(
                                        lease,
                                        over.leaseMillis,
                                        over.watched,
                                        token,
                                        (int) reply.integer(2),
                                        sentNanos,
                                        disconnections)
                                .first(sentNanos)
                        : lease;
                return new Outcome.Granted(token, leases, others(reply));
            }
        });
    }

    /** Who else wants the lock, as the answer of a grant that has put tokens by says. */
    static Outcome.Others others(Reply reply) {
        return reply.size() < WITH_OTHERS ? Outcome.Others.NONE : OTHERS.get((int) reply.integer(3));
    }

    /** Makes the lease last at least so long: done, gone or failed. */
    public void extend(Hold hold, long leaseMillis, long deadlineNanos, StepListener step) {
        raise(hold, leaseMillis, "when it was extended", deadlineNanos, step);
    }

    private void raise(Hold hold, long leaseMillis, String when, long deadlineNanos, StepListener step) {
        hold.willAskFor(leaseMillis);
        sendToKeep(new Raising(this, hold, leaseMillis, when, deadlineNanos, step));
    }

    /** Signals a condition, as the holder: done, unfinished if there is more to do under the same id, gone or failed. */
    void signal(Hold hold, Awaiting condition, byte[] id, boolean all, long deadlineNanos, StepListener step) {
        send(new Call(this, Scripts.COND_SIGNAL, hold.cell.keys, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                condition.writeSignal(keys, fields, hold.field, id, all, out);
            }

            @Override
            Outcome read(Reply reply) {
                if (reply.integer(0) == 0) {
                    return new Outcome.Gone();
                }
                return reply.integer(0) == 1 ? new Outcome.Applied(0) : new Outcome.Unfinished();
            }
        });
    }

    /** Takes places of this client out of a queue whose calls have left: those that are older than this number. */
    void sweep(LockKeys lock, long oldest, long deadlineNanos) {
        long now = store.backend().runtime().nanos();
        store.backend().send(new Sweep(lock.at(store), fields, oldest, now, deadlineNanos));
    }

    /** Frees the lock, whichever owner holds it: done, gone or failed. */
    public void force(LockKeys lock, LockKind kind, long deadlineNanos, StepListener step) {
        send(new Call(this, kind.script(Verb.FORCE), lock, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                kind.writeForce(keys, out);
            }

            @Override
            public void onReply(Reply reply) {
                tellAtThePrimary();
                super.onReply(reply);
            }

            @Override
            Outcome read(Reply reply) {
                return reply.integer() == 1 ? new Outcome.Applied(0) : new Outcome.Gone();
            }
        });
    }

    private void send(Call call) {
        store.backend().send(call);
    }

    /** Sends a request that is of use only if its grant counts. */
    Asked sendToGrant(Call call) {
        return guard == null ? unguarded(call) : guarded(call, guard, guard.forGrant());
    }

    /** Sends a request that is of use only if its answer counts for the hold. */
    private void sendToKeep(HoldCall call) {
        if (guard == null) {
            send(call);
        } else {
            guarded(call, guard, guard.forHold());
        }
    }

    private Asked unguarded(Call call) {
        send(call);
        return call;
    }

    private Asked guarded(Call call, FailoverGuard present, Pass pass) {
        if (!pass.isOpen()) {
            call.onFault(present.notVouched());
            return call;
        }
        GuardedCall guarded = new GuardedCall(pass, call);
        store.backend().send(guarded);
        return guarded;
    }

    /** What was granted is to be undone; a refusal of a server that does not count is none. */
    static Outcome notGranted(Judgement judgement) {
        Reply answer = judgement.answer();
        return answer != null && answer.integer(0) == 1
                ? new Outcome.Uncounted(judgement.harmless())
                : new Outcome.Failed(judgement.harmless(), false, judgement.restNanos());
    }

    /** A call that passes its end on as an outcome. */
    abstract static class Call extends ScriptCall implements Asked {

        /** What the lock is called at this store. */
        final LockKeys keys;

        final StoreSteps at;
        final StepListener step;

        Call(StoreSteps at, Script script, LockKeys lock, long deadlineNanos, StepListener step) {
            super(script, lock.at(at.store).slot, at.store.backend().runtime().nanos(), deadlineNanos);
            this.at = at;
            this.keys = lock.at(at.store);
            this.step = step;
        }

        abstract Outcome read(Reply reply);

        /** What an answer is that the failover guard does not let count. */
        Outcome uncounted(Judgement judgement) {
            return new Outcome.Failed(judgement.fault(), false, judgement.restNanos());
        }

        @Override
        public final void onOverdue() {
            step.overdue();
        }

        @Override
        public void onReply(Reply reply) {
            step.ended(read(reply));
        }

        final void onJudged(Judgement judgement) {
            step.ended(judgement.counts() ? read(judgement.theAnswer()) : uncounted(judgement));
        }

        @Override
        public final void onFault(Fault fault) {
            // The failover guard has no words for single keys, and guards no cluster. What was done in part is repeated
            // first:
            // then what is gone may have gone by that.
            boolean isSplit = fault.kind() == Fault.Kind.TRYAGAIN && !fault.maybeApplied() && at.guard == null;
            if (!isSplit || !goesOnKeyByKey()) {
                failed(fault);
            }
        }

        /** What was freed at another node than the primary is told there; an earlier request may have freed it as well. */
        final void tellAtThePrimary() {
            if (redirections() > 0) {
                Telling.of(at.store, keys.slot, keys.channelBytes(), deadlineNanos);
            }
        }

        /** The slot is being moved, and not all keys are at one node: goes on in steps with one key each, if it can (rules 99, 120). */
        boolean goesOnKeyByKey() {
            return false;
        }

        void failed(Fault fault) {
            step.ended(new Outcome.Failed(fault));
        }

        /** The same for what one hold has. */
        final boolean goesOn(List<KeyStep> steps, byte[] field, long leaseMillis) {
            return new KeyByKey(steps, keys, at.fields, field, leaseMillis)
                    .goesOn(at.store.backend(), this, this::failed);
        }
    }

    /** A call of a hold that lives: the lease knows of it until its answer is applied. */
    private abstract static class HoldCall extends Call {

        final StoreLease lease;

        HoldCall(StoreSteps at, Verb verb, Hold hold, long deadlineNanos, StepListener step) {
            super(at, hold.kind().script(verb), hold.cell.keys, deadlineNanos, step);
            this.lease = hold.leases.at(at.store);
            lease.asks();
        }

        final Outcome raised(boolean known, long leaseMillis, String when) {
            Hold hold = lease.hold();
            if (known) {
                long now = at.store.backend().runtime().nanos();
                hold.raise(lease, sentNanos, leaseMillis, now);
                hold.leases.confirmed(lease, run, sentNanos);
                // A lease that ran out first stays over, and a step can't rest on it.
                return lease.isGranted() ? new Outcome.Applied(0) : new Outcome.Gone();
            }
            // In this order: a lease with an unanswered request is handed on to no other hold.
            hold.forgottenBy(lease, run, when);
            lease.isAnswered();
            return new Outcome.Gone();
        }

        @Override
        final Outcome uncounted(Judgement judgement) {
            if (!judgement.fault().maybeApplied()) {
                lease.isAnswered();
            }
            return super.uncounted(judgement);
        }

        @Override
        final void failed(Fault fault) {
            if (!fault.maybeApplied()) {
                lease.isAnswered();
            }
            super.failed(fault);
        }
    }

    /** Raises the lease of a hold. */
    private static final class Raising extends HoldCall {

        private final Hold hold;
        private final long leaseMillis;
        private final String when;

        Raising(StoreSteps at, Hold hold, long leaseMillis, String when, long deadlineNanos, StepListener step) {
            super(at, Verb.RENEW, hold, deadlineNanos, step);
            this.hold = hold;
            this.leaseMillis = leaseMillis;
            this.when = when;
        }

        @Override
        public void encode(Args out) {
            hold.kind().writeRenewKeys(keys, out);
            hold.kind().writeRenew(at.fields, hold.field, leaseMillis, out);
        }

        @Override
        boolean goesOnKeyByKey() {
            return goesOn(hold.kind().keyByKey(Verb.RENEW), hold.field, leaseMillis);
        }

        @Override
        Outcome read(Reply reply) {
            return raised(reply.integer(0) == 1, leaseMillis, when);
        }
    }

    /** Removes a field. */
    private static class Removal extends Call {

        /** In whose words it is asked for. */
        final LockKind kind;

        private final byte[] field;

        Removal(StoreSteps at, LockKeys lock, LockKind kind, byte[] field, long deadlineNanos, StepListener step) {
            super(at, kind.script(Verb.RELEASE), lock, deadlineNanos, step);
            this.kind = kind;
            this.field = field;
        }

        @Override
        public void encode(Args out) {
            kind.writeRelease(keys, at.fields, field, out);
        }

        @Override
        boolean goesOnKeyByKey() {
            boolean isKeyByKey = goesOn(kind.keyByKey(Verb.RELEASE), field, 0);
            if (isKeyByKey) {
                countRedirection();
            }
            return isKeyByKey;
        }

        @Override
        public void onReply(Reply reply) {
            tellAtThePrimary();
            super.onReply(reply);
        }

        @Override
        void failed(Fault fault) {
            if (mayDoWithoutTurns(kind, fault)) {
                at.send(new Removal(at, keys, kind.withoutTurns(), field, deadlineNanos, step) {
                    @Override
                    Outcome read(Reply reply) {
                        at.isWithoutTurns(fault);
                        return super.read(reply);
                    }
                });
            } else {
                super.failed(fault);
            }
        }

        @Override
        Outcome read(Reply reply) {
            at.ended.removed(keys, kind, field, sentNanos, run);
            return released(reply);
        }
    }
}
