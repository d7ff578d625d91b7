package io.holdfast.lock.engine.kind;

import io.holdfast.lock.spi.Script;
import java.util.List;

/**
 * The scripts of count-down latches and signals, which are no locks: no client holds one (rules 58 to 60, 65); and of what is beside
 * the lock of an election (rule 61).
 */
public final class SharedScripts {

    private static final List<String> LATCH = List.of("latch");
    private static final List<String> SIGNAL = List.of("signal");
    private static final List<String> ELECTION = List.of("election");

    /** Sets the count. Reply of this and the next two: {generation, counts left, 1 if done}. */
    public static final Script LATCH_SET = Scripts.load(LATCH, "latch-set");

    public static final Script LATCH_COUNT = Scripts.load(LATCH, "latch-count");
    public static final Script LATCH_DELETE = Scripts.load(LATCH, "latch-delete");

    /** Reply: {generation, counts left, line}. */
    public static final Script LATCH_LOOK = Scripts.load(LATCH, "latch-look");

    /** Reply of this and the next: the number. */
    public static final Script SIGNAL_SEND = Scripts.load(SIGNAL, "signal-send");

    public static final Script SIGNAL_LOOK = Scripts.load(SIGNAL, "signal-look");

    /** Reply: 1 if the field holds the lock. It is for what is held already, and never waits behind acquisitions (rule 80). */
    public static final Script PROCLAIM = Scripts.urgent(ELECTION, "proclaim");

    /** Reply: {token, time to live, version, id, value}, or the first two. */
    public static final Script OBSERVE = Scripts.load(ELECTION, "observe");

    private SharedScripts() {}

    static List<Script> all() {
        return List.of(LATCH_SET, LATCH_COUNT, LATCH_DELETE, LATCH_LOOK, SIGNAL_SEND, SIGNAL_LOOK, PROCLAIM, OBSERVE);
    }
}
