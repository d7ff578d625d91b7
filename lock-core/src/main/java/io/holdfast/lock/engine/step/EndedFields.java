package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.ServerRun;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/**
 * The fields of one store that their calls have done with, and that may be there nevertheless: those that one server process has
 * removed and another one, which takes its place, may still have (rule 128); and those whose removal no process has confirmed, since
 * a request for them may wait in a socket (rule 129).
 *
 * <p>None of them is ever used again (rule 1), so that a repeated release can hit nothing but what it is meant for. What there is no
 * room for ends with its lease.
 */
public final class EndedFields {

    /** How long after its removal a field may be missed by another process: a replica lags, or Sentinels take their time. */
    private static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** More than a busy client removes from the promotion of a replica until it hears of that. */
    private static final int MOST = 131_072;

    private final boolean keepsRemoved;
    /** Oldest first, as the others. */
    private Deque<Ended> removed = new ArrayDeque<>(0);

    private Deque<Ended> unconfirmed = new ArrayDeque<>(0);

    /** A field whose call has ended. */
    public static final class Ended {

        private LockKeys lock;
        private LockKind kind;
        private byte[] field;
        /** When its removal was asked for, or given up. */
        private long sinceNanos;
        /** Which process has confirmed it; unknown for none. */
        private ServerRun by;

        private Ended(LockKeys lock, LockKind kind, byte[] field, long sinceNanos, ServerRun by) {
            this.lock = lock;
            this.kind = kind;
            this.field = field;
            this.sinceNanos = sinceNanos;
            this.by = by;
        }

        private void becomes(LockKeys newLock, LockKind newKind, byte[] newField, long newSinceNanos, ServerRun newBy) {
            lock = newLock;
            kind = newKind;
            field = newField;
            sinceNanos = newSinceNanos;
            by = newBy;
        }

        public LockKeys lock() {
            return lock;
        }

        public LockKind kind() {
            return kind;
        }

        public byte[] field() {
            return field;
        }

        private boolean isOver(long nowNanos) {
            return nowNanos - sinceNanos > LASTING_NANOS;
        }

        private boolean isAt(Backend backend, Object keeper) {
            return backend.keeper(lock.slot) == keeper;
        }

        private boolean isAtAnother(Backend backend) {
            ServerRun present = backend.run(lock.slot);
            return present.isKnown() && !present.id().equals(by.id());
        }
    }

    /** @param keepsRemoved whether a field that was removed is gone for good: over a quorum it may join a node again (rule 73) */
    public EndedFields(boolean keepsRemoved) {
        this.keepsRemoved = keepsRemoved;
    }

    /** A process has removed a field, or did not have it. */
    synchronized void removed(LockKeys lock, LockKind kind, byte[] field, long sentNanos, ServerRun by) {
        if (keepsRemoved && by.isKnown()) {
            Ended forgotten = null;
            while (removed.size() == MOST
                    || (!removed.isEmpty() && removed.getFirst().isOver(sentNanos))) {
                forgotten = removed.removeFirst();
            }
            if (forgotten == null) {
                removed.addLast(new Ended(lock, kind, field, sentNanos, by));
            } else {
                // Releases are many: the place of one that is forgotten is used for the next.
                forgotten.becomes(lock, kind, field, sentNanos, by);
                removed.addLast(forgotten);
            }
        }
    }

    /** The removal of a field was given up without an answer that counts. */
    public synchronized void unconfirmed(LockKeys lock, LockKind kind, byte[] field, long nowNanos) {
        if (unconfirmed.size() == MOST) {
            unconfirmed.removeFirst();
        }
        unconfirmed.addLast(new Ended(lock, kind, field, nowNanos, ServerRun.UNKNOWN));
    }

    /**
     * Takes out what is to be removed once more, now that there is another connection to a keeper of slots: what was never
     * confirmed, and behind it what another process than the present one has confirmed, the latest first.
     */
    public synchronized Deque<Ended> takeDue(Backend backend, Object keeper) {
        Deque<Ended> due = new ArrayDeque<>(0);
        Deque<Ended> kept = new ArrayDeque<>(0);
        for (Ended ended : unconfirmed) {
            (ended.isAt(backend, keeper) ? due : kept).addLast(ended);
        }
        unconfirmed = kept;
        kept = new ArrayDeque<>(0);
        long now = backend.runtime().nanos();
        for (Iterator<Ended> latest = removed.descendingIterator(); latest.hasNext(); ) {
            Ended ended = latest.next();
            if (ended.isAtAnother(backend) && !ended.isOver(now) && ended.isAt(backend, keeper)) {
                due.addLast(ended);
            } else {
                kept.addFirst(ended);
            }
        }
        removed = kept;
        return due;
    }

    /** Takes out what was never confirmed, and looks at nothing else. */
    public synchronized Deque<Ended> takeUnconfirmed() {
        Deque<Ended> due = unconfirmed;
        unconfirmed = new ArrayDeque<>(0);
        return due;
    }
}
