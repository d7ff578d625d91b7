package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Several listeners as one. A client tells each by itself; a call of this one reaches all, also after one has failed. */
final class ListenerList implements LockListener {

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

    @Override
    public void acquired(LockEvent event) {
        tell(LockListener::acquired, event);
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

    private void tell(BiConsumer<LockListener, LockEvent> method, LockEvent event) {
        RuntimeException first = null;
        for (LockListener part : parts) {
            try {
                method.accept(part, event);
            } catch (RuntimeException failed) {
                if (first == null) {
                    first = failed;
                } else {
                    first.addSuppressed(failed);
                }
            }
        }
        if (first != null) {
            throw first;
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
