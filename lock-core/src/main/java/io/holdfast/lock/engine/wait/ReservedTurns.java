package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.Share;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.Outcome.Others;
import java.util.concurrent.TimeUnit;

/**
 * Turns by reservation (rules 109, 114): clients that wait leave word at the server, each release reserves the lock for the first of
 * them, and its message names that client. So a client has only to end its turn when it hears that another one waits.
 */
final class ReservedTurns extends Turns {

    /** In how long a reservation has ended. */
    static final long GRACE_IS_OVER_NANOS = TimeUnit.MILLISECONDS.toNanos(11);

    /** How long a turn goes on from when another client is known to want the lock. */
    private static final long AMONG_OTHERS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How long it lasts at most while no client is known to. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The same if others heard of the last release that had left no word, as those of an older version leave none. */
    private static final long LONGEST_AMONG_SILENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** So long those may ask first. */
    private static final long PAUSE_FOR_SILENT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Tokens behind a hand-over after which there was no other one, behind the first of a turn, and at most. */
    private static final int FEWEST_TOKENS = 16;

    private static final int FIRST_TOKENS = 256;
    private static final int MOST_TOKENS = 50_000;

    private final boolean handsOn;
    private long sinceNanos;
    private boolean run;
    private boolean wanted;
    private long wantedSinceNanos;
    private boolean hasQueue;
    private boolean reserved;
    private boolean heardBySilent;
    /** Whether a call of this client has asked right behind a release, and was not refused. */
    private boolean followed;

    private long releasedNanos;
    /** How often the lock was handed on without asking since the server was asked last. */
    private int handedOn = FIRST_TOKENS / 2;

    /**
     * @param sinceNanos when this client was granted the lock that it has now
     * @param handsOn whether the lock may be handed on without asking the server
     */
    ReservedTurns(long sinceNanos, boolean handsOn) {
        super(sinceNanos);
        this.sinceNanos = sinceNanos;
        this.handsOn = handsOn;
    }

    @Override
    void granted(Outcome.Granted granted, long now) {
        if (!followed) {
            sinceNanos = now;
        }
        followed = false;
        run = false;
        wanted = false;
        reserved = false;
        boolean hasTokens = granted.leases() instanceof Share;
        handedOn = hasTokens ? 0 : Math.max(handedOn, FIRST_TOKENS / 2);
        learnOf(granted.others(), now);
    }

    @Override
    public boolean mayGoOn(long now) {
        long longest = heardBySilent ? LONGEST_AMONG_SILENT_NANOS : LONGEST_NANOS;
        return !hasQueue && now - sinceNanos < longest && !(wanted && now - wantedSinceNanos >= AMONG_OTHERS_NANOS);
    }

    @Override
    public boolean isRun() {
        return run;
    }

    /** As many as the last ones lasted for, and as many again. */
    @Override
    public int tokens() {
        return handsOn ? Math.min(Math.max(2 * handedOn, FEWEST_TOKENS), MOST_TOKENS) : 1;
    }

    @Override
    public void handedOn() {
        run = true;
        handedOn++;
    }

    @Override
    public void handedOver(Others others, long now) {
        run = true;
        handedOn = 0;
        learnOf(others, now);
    }

    private void learnOf(Others others, long now) {
        hasQueue = others == Others.QUEUE;
        if (others == Others.CLIENTS) {
            wanted(now);
        }
    }

    @Override
    public void followed() {
        followed = true;
    }

    @Override
    void refused() {
        followed = false;
    }

    @Override
    void wanted(long now) {
        if (!wanted) {
            wanted = true;
            wantedSinceNanos = now;
        }
    }

    @Override
    public void releasing(long now) {
        releasedNanos = now;
    }

    @Override
    void released(Outcome.Applied done, boolean listening) {
        reserved = done.reserved();
        heardBySilent = !reserved && done.listeners() > (listening ? 1 : 0);
    }

    @Override
    boolean letsOthersGo() {
        return reserved || heardBySilent;
    }

    @Override
    long messageDueNanos() {
        return reserved ? GRACE_IS_OVER_NANOS : PAUSE_FOR_SILENT_NANOS;
    }

    @Override
    long pauseNanos(long now) {
        return heardBySilent ? Math.max(0, PAUSE_FOR_SILENT_NANOS - (now - releasedNanos)) : 0;
    }
}
