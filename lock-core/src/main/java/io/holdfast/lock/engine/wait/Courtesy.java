package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.Outcome.Others;
import java.util.concurrent.TimeUnit;

/**
 * Turns where the server says nothing of them (rule 30).
 *
 * <p>A client that has the lock passes it on among its own for a while, and then frees it for others. A release is told
 * to all of them at once, and always in the same order: left to themselves, the same one would win again and again. So a
 * client that has had its turn lets others go first: it asks after a pause that is the shorter the more of them it has
 * heard giving the lock back since. The client that waits longest asks at once.
 *
 * <p>Clients of Redisson pass nothing on and never let others go first, and it takes them longer to ask. Where they may
 * be among the others, a turn is no longer than those of the others were.
 *
 * <p>It is a courtesy and no rule. The pause is short, no client waits for those that do not come, and how many come
 * is learned from those that did. Belongs to the cell's steps.
 */
final class Courtesy extends Turns {

    private static final int MOST_PASSES = 32;
    /** The same while others are there: a turn of theirs is what the last in a queue waits for. */
    private static final int MOST_PASSES_AMONG_OTHERS = 16;

    private static final long LONGEST_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(300);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    /** The same where clients of Redisson are to go first: it may take them so long until they have asked. */
    private static final long REDISSON_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long MESSAGE_DUE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long FORGOTTEN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final boolean sharedWithRedisson;

    /** How often the lock was passed on in this turn. */
    private int passes;

    private long turnSinceNanos;
    /** A waiter of this client asks right behind a release, ahead of all others. */
    private boolean followed;

    private boolean hadTurn;
    private long releasedNanos;
    /** Releases that were heard of since this client's own, which it may hear of itself. */
    private int heard;
    /** Whether the own release is among those that are heard of. */
    private boolean hearsItself;
    /** Connections of others that heard of the own release. */
    private int others;
    /** How many of them are likely to want the lock. */
    private int rivals = 1;

    /** How many grants each other connection had, on average, between this client's last turn and this one. */
    private int turnOfEachOther;

    private boolean paused;

    /**
     * @param turnSinceNanos when this client was granted the lock that it has now
     * @param sharedWithRedisson whether others may be clients of Redisson
     */
    Courtesy(long turnSinceNanos, boolean sharedWithRedisson) {
        super(turnSinceNanos);
        this.sharedWithRedisson = sharedWithRedisson;
        this.turnSinceNanos = turnSinceNanos;
    }

    @Override
    public boolean mayGoOn(long now) {
        return passes < mostPasses() && now - turnSinceNanos < LONGEST_TURN_NANOS;
    }

    private int mostPasses() {
        if (others == 0) {
            return MOST_PASSES;
        }
        return sharedWithRedisson ? Math.min(turnOfEachOther - 1, MOST_PASSES_AMONG_OTHERS) : MOST_PASSES_AMONG_OTHERS;
    }

    @Override
    public void handedOver(Others wanting, long now) {
        passes++;
    }

    @Override
    public void followed() {
        followed = true;
    }

    @Override
    public void releasing(long now) {
        hadTurn = true;
        followed = false;
        releasedNanos = now;
        heard = 0;
        paused = false;
    }

    @Override
    void released(Outcome.Applied done, boolean listening) {
        hearsItself = listening;
        others = (int) Math.min(Math.max(0, done.listeners() - (listening ? 1 : 0)), 1_000);
    }

    @Override
    void heard() {
        heard++;
    }

    @Override
    boolean letsOthersGo() {
        return others > 0 && hearsItself;
    }

    /** Whether the message of the own release has come, or that of another since. */
    @Override
    boolean hasHeard() {
        return heard > 0;
    }

    @Override
    long messageDueNanos() {
        return MESSAGE_DUE_NANOS;
    }

    @Override
    long pauseNanos(long now) {
        paused = hadTurn && now - releasedNanos < FORGOTTEN_NANOS && ahead() > 0;
        if (!paused) {
            return 0;
        }
        return sharedWithRedisson ? REDISSON_PAUSE_NANOS : Math.min(ahead() * STEP_NANOS, LONGEST_PAUSE_NANOS);
    }

    /** Others have had their chance, unless the request followed a release. */
    @Override
    void granted(Outcome.Granted granted, long now) {
        if (followed) {
            followed = false;
            passes++;
        } else {
            passes = 0;
            turnSinceNanos = now;
            turnOfEachOther = turnsOfOthers() / Math.max(1, others);
        }
        if (hadTurn) {
            // After a pause: no others came but those that were heard. Without one: there may be more of them.
            rivals = paused ? Math.max(1, turnsOfOthers()) : Math.min(rivals + 1, Math.max(1, others));
        }
        hadTurn = false;
    }

    private int ahead() {
        return Math.min(rivals, others) - turnsOfOthers();
    }

    private int turnsOfOthers() {
        return Math.max(0, heard - (hearsItself ? 1 : 0));
    }
}
