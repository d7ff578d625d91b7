package io.holdfast.lock.tests.evidence;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a lock guards, within one JVM: it notes that two owners are inside at once, and that the token of one is not greater
 * than that of the owner before it. Owners come on any threads.
 */
public final class Guarded {

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger visits = new AtomicInteger();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private volatile long lastToken;

    public Guarded() {
        this(0);
    }

    /** @param lowest the token above which all are to be */
    public Guarded(long lowest) {
        lastToken = lowest;
    }

    /** An owner that asks for no token goes in and out. */
    public void visit() {
        visit(lastToken + 1);
    }

    /** An owner goes in and out. */
    public void visit(long token) {
        if (inside.incrementAndGet() != 1) {
            wrong.add("two owners at once");
        }
        if (token <= lastToken) {
            wrong.add("token " + token + " after " + lastToken);
        }
        lastToken = token;
        visits.incrementAndGet();
        Thread.yield();
        inside.decrementAndGet();
    }

    /** How often an owner was inside. */
    public int visits() {
        return visits.get();
    }

    /** What must not have been; empty if all was well. */
    public List<String> wrong() {
        return List.copyOf(wrong);
    }
}
