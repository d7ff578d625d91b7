package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Looks at a lock whose slot is being moved, so that its keys may be at two nodes: at one key after the other (rule 120). What it
 * sees was not there all at one moment.
 *
 * <p>What says in the lock that there are readers is no holder: the last of them may have left it behind.
 */
final class MovingLook<T> {

    private final Store store;
    private final LockKeys keys;
    private final Function<LockSnapshot, T> view;
    private final long deadlineNanos;
    private final StepListener step;
    private boolean overdue;

    /** @param keys what the lock is called at the store */
    MovingLook(Store store, LockKeys keys, Function<LockSnapshot, T> view, long deadlineNanos, StepListener step) {
        this.store = store;
        this.keys = keys;
        this.view = view;
        this.deadlineNanos = deadlineNanos;
        this.step = step;
    }

    void look() {
        send(
                Scripts.INSPECT,
                out -> keys.writeKey(out).arg(keys.channelBytes()),
                reply -> beside(LockSnapshot.read(reply), LockSnapshot.isMarked(reply)));
    }

    private void beside(LockSnapshot lock, boolean isMarked) {
        if (isMarked) {
            members(keys::writeReaders, 1, readers -> queueOf(lock.withReaders(readers)));
        } else {
            queueOf(lock);
        }
    }

    private void queueOf(LockSnapshot lock) {
        members(keys::writeQueue, 0, queue -> step.ended(new Outcome.Answer(view.apply(lock.withQueue(queue)))));
    }

    private void members(Function<Args, Args> writesKey, int onlyLive, Consumer<List<String>> seen) {
        send(
                Scripts.MEMBERS,
                out -> writesKey.apply(out).arg(onlyLive),
                reply -> seen.accept(LockSnapshot.texts(reply)));
    }

    private void send(Script script, Consumer<Args> words, Consumer<Reply> answered) {
        store.backend()
                .send(
                        new ScriptCall(
                                script, keys.slot, store.backend().runtime().nanos(), deadlineNanos) {
                            @Override
                            public void encode(Args out) {
                                words.accept(out);
                            }

                            @Override
                            public void onOverdue() {
                                if (!overdue) {
                                    overdue = true;
                                    step.overdue();
                                }
                            }

                            @Override
                            public void onReply(Reply reply) {
                                answered.accept(reply);
                            }

                            @Override
                            public void onFault(Fault fault) {
                                step.ended(new Outcome.Failed(fault));
                            }
                        });
    }
}
