package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** Several listeners as one. A client tells each by itself; a call of this one reaches all, also after one has failed. */
final class ListenerList implements LockListener {

    /** What the parts of a list have given back at the start of one call. */
    private static final class Contexts {

        private final ListenerList list;
        private final @Nullable Object[] ofParts;
        private @Nullable RuntimeException failure;

        Contexts(ListenerList list, @Nullable Object[] ofParts, @Nullable RuntimeException failure) {
            this.list = list;
            this.ofParts = ofParts;
            this.failure = failure;
        }

        /** What has failed at the start: once. */
        @Nullable
        RuntimeException failure() {
            RuntimeException untold = failure;
            failure = null;
            return untold;
        }
    }

    private final List<LockListener> parts;

    private ListenerList(List<LockListener> parts) {
        this.parts = parts;
    }

    static LockListener of(List<LockListener> listeners) {
        List<LockListener> parts = new ArrayList<>();
        listeners.forEach(listener -> parts.addAll(parts(listener)));
        return switch (parts.size()) {
            case 0 -> NONE;
            case 1 -> parts.get(0);
            default -> new ListenerList(List.copyOf(parts));
        };
    }

    /** What a listener is made of: nothing, itself, or several. */
    static List<LockListener> parts(LockListener listener) {
        if (listener == NONE) {
            return List.of();
        }
        return listener instanceof ListenerList several ? several.parts : List.of(listener);
    }

    /** A part that fails has no context; the failure comes out with the call's first event. */
    @Override
    public Object started(String lockName) {
        @Nullable Object[] contexts = new @Nullable Object[parts.size()];
        RuntimeException failure = tellAll(null, (part, index) -> contexts[index] = part.started(lockName));
        return new Contexts(this, contexts, failure);
    }

    @Override
    public void waiting(LockEvent event) {
        tell(LockListener::waiting, event);
    }

    @Override
    public void acquired(LockEvent event) {
        tell(LockListener::acquired, event);
    }

    @Override
    public void reentered(LockEvent event) {
        tell(LockListener::reentered, event);
    }

    @Override
    public void refused(LockEvent event) {
        tell(LockListener::refused, event);
    }

    @Override
    public void transferred(LockEvent event) {
        tell(LockListener::transferred, event);
    }

    @Override
    public void released(LockEvent event) {
        tell(LockListener::released, event);
    }

    @Override
    public void renewed(LockEvent event) {
        tell(LockListener::renewed, event);
    }

    @Override
    public void renewalFailed(LockEvent event) {
        tell(LockListener::renewalFailed, event);
    }

    @Override
    public void lost(LockEvent event) {
        tell(LockListener::lost, event);
    }

    @Override
    public void connection(ConnectionEvent event) {
        throwIfAny(tellAll(null, (part, index) -> part.connection(event)));
    }

    @Override
    public void missed(long events) {
        throwIfAny(tellAll(null, (part, index) -> part.missed(events)));
    }

    private void tell(BiConsumer<LockListener, LockEvent> method, LockEvent event) {
        if (event.context() instanceof Contexts contexts && contexts.list.equals(this)) {
            throwIfAny(tellAll(
                    contexts.failure(),
                    (part, index) -> method.accept(part, new PartEvent(event, contexts.ofParts[index]))));
        } else {
            throwIfAny(tellAll(null, (part, index) -> method.accept(part, event)));
        }
    }

    /** Tells each part; returns the first failure, with the others. */
    private @Nullable RuntimeException tellAll(
            @Nullable RuntimeException before, ObjIntConsumer<LockListener> telling) {
        RuntimeException first = before;
        for (int i = 0; i < parts.size(); i++) {
            try {
                telling.accept(parts.get(i), i);
            } catch (RuntimeException failed) {
                if (first == null) {
                    first = failed;
                } else {
                    first.addSuppressed(failed);
                }
            }
        }
        return first;
    }

    private static void throwIfAny(@Nullable RuntimeException failure) {
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ListenerList that && parts.equals(that.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    @Override
    public String toString() {
        return Printable.of(parts);
    }
}
