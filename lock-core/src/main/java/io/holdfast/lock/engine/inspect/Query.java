package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.step.Exchange;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.engine.step.Telling;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A script call beside the locks' own steps: a look, or a write that may be repeated. */
public final class Query<T> implements Question<T> {

    /** Hears how a call ends. */
    public interface Hearer<T> {

        /**
         * The store has answered.
         *
         * @param repeated whether an earlier copy of the call may have taken effect
         */
        void answered(T answer, boolean repeated);

        /** It has not, or has refused. */
        void failed(LockException failure);
    }

    private final ClientFacts facts;
    private final Exchanges exchanges;
    private final Store store;
    private final String name;
    private final Script script;
    private final int slot;
    private boolean namesKeys = true;
    private boolean ofMany;
    private final Consumer<Args> arguments;
    private final Function<Reply, T> answer;
    private Function<Fault, LockException> failure;
    /** Asks in another way where the keys are not at one node; null if there is none. */
    private @Nullable BiConsumer<Long, StepListener> keyByKey;
    /** Where a change is told of; null if it is to none. */
    private byte @Nullable [] channel;

    /**
     * @param store the one to ask
     * @param name what the question is about, for messages; empty if it is about no lock
     * @param answer what a reply says; throws the {@link LockException} that the question is to end with
     */
    public Query(
            ClientFacts facts,
            Exchanges exchanges,
            Store store,
            String name,
            Script script,
            int slot,
            Consumer<Args> arguments,
            Function<Reply, T> answer) {
        this.facts = facts;
        this.exchanges = exchanges;
        this.store = store;
        this.name = name;
        this.script = script;
        this.slot = slot;
        this.arguments = arguments;
        this.answer = answer;
        this.failure = fault -> Failures.ofQuestion(name, "", fault);
    }

    /**
     * Says how to ask where the slot is being moved, and the keys are not at one node (rule 120).
     *
     * @param asks hears until when an answer is of use, and what hears the end: an {@link Outcome.Answer}, or a failure
     */
    Query<T> keyByKey(BiConsumer<Long, StepListener> asks) {
        keyByKey = asks;
        return this;
    }

    /** Says where this tells of a change: also at the primary, where another node has answered since the slot is being moved (rule 98). */
    public Query<T> thatTells(byte[] of) {
        channel = of;
        return this;
    }

    /** Says that this is a write, whose effect is unknown when no answer comes. */
    Query<T> thatWrites() {
        failure = fault -> Failures.of(name, "", fault);
        return this;
    }

    /** Says what this is about, if it is no lock; and whether it is a write, whose effect is unknown without an answer. */
    public Query<T> about(Named what, boolean writes) {
        failure = fault -> writes ? Failures.of(what, fault) : Failures.ofQuestion(what, fault);
        return this;
    }

    /** Says that this is a write of an owner. */
    public Query<T> about(Named what, String owner) {
        failure = fault -> Failures.of(what, owner, fault);
        return this;
    }

    /**
     * Says that this is part of a search. One that names many locks asks for each alone where the user may not look at all of them.
     *
     * @param named whether it names keys
     */
    Query<T> ofSearch(LockQuery search, boolean named) {
        namesKeys = named;
        ofMany = named;
        failure = fault -> Failures.ofSearch(search, fault);
        return this;
    }

    /** Asks; the result is settled within a command timeout. */
    @Override
    public <P extends Pending<T>> P ask(P result) {
        return ask(result, facts.nanos() + facts.commandNanos());
    }

    private LockException closed() {
        return name.isEmpty()
                ? failure.apply(new Fault(Fault.Kind.CLOSED, false, facts.node(), "the client is closed"))
                : Failures.closed(name, "", facts.node());
    }

    /** Asks; the result is settled by then. */
    public <P extends Pending<T>> P ask(P result, long dueNanos) {
        ask(dueNanos, new Hearer<>() {
            @Override
            public void answered(T answer, boolean repeated) {
                result.complete(answer);
            }

            @Override
            public void failed(LockException told) {
                result.fail(told);
            }
        });
        return result;
    }

    /** Asks; the end is told by then, within a step. */
    public void ask(long dueNanos, Hearer<T> hearer) {
        if (facts.isClosed()) {
            hearer.failed(closed());
            return;
        }
        SerialGate gate = new SerialGate(facts.runtime().steps());
        new Exchange(exchanges, gate, store.node(), facts.commandNanos(), dueNanos) {
            @Override
            protected void send(long deadlineNanos, StepListener step) {
                store.backend().send(new Call(script, slot, deadlineNanos, step));
            }

            @Override
            @SuppressWarnings("unchecked")
            protected void answered(Outcome outcome, boolean repeated) {
                if (outcome instanceof Outcome.Answer given && given.value() instanceof LockException refused) {
                    hearer.failed(refused);
                } else {
                    hearer.answered((T) ((Outcome.Answer) outcome).value(), repeated);
                }
            }

            @Override
            protected void gaveUp(Fault fault) {
                hearer.failed(failure.apply(fault));
            }
        }.start();
    }

    private final class Call extends ScriptCall {

        private final StepListener step;

        Call(Script script, int slot, long deadlineNanos, StepListener step) {
            super(script, slot, facts.runtime().nanos(), deadlineNanos);
            this.step = step;
        }

        @Override
        public void encode(Args out) {
            arguments.accept(out);
        }

        @Override
        public boolean namesKeys() {
            return namesKeys;
        }

        @Override
        public void onOverdue() {
            step.overdue();
        }

        @Override
        public void onReply(Reply reply) {
            if (channel != null && redirections() > 0) {
                Telling.of(store, slot, channel, deadlineNanos);
            }
            step.ended(new Outcome.Answer(read(reply)));
        }

        /** The answer, or the exception that it means. */
        private Object read(Reply reply) {
            try {
                return Objects.requireNonNull(answer.apply(reply));
            } catch (LockException refused) {
                return refused;
            }
        }

        @Override
        public void onFault(Fault fault) {
            boolean isOfSome = fault.kind() == Fault.Kind.TRYAGAIN || (ofMany && fault.kind() == Fault.Kind.NOPERM);
            if (isOfSome && keyByKey != null) {
                keyByKey.accept(deadlineNanos, step);
            } else {
                step.ended(new Outcome.Failed(fault));
            }
        }
    }
}
