package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.credentials.Logins;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one link says to AUTH, from attempt to attempt (ADR 34). One question for logins is open at a time:
 *
 * <ul>
 *   <li>An attempt is <b>choosing</b>: the login that is given for it; after a refusal another one; and where there is no
 *       other, the one that the server took last.
 *   <li>A <b>living</b> connection is kept logged in: another login is asked for before the present one expires, and said
 *       there. A login that the server refuses changes nothing: the connection stands as it was. Another one is asked for at once,
 *       and after that from time to time, less often each time. What was refused is not said again on the connection.
 *   <li>A link that <b>waits</b> for its next attempt hears of another login.
 * </ul>
 *
 * <p>All methods are called on the event loop.
 */
final class LinkLogins implements Logins.Receiver {

    /** Hears of the choice once, unless the attempt ends before. */
    interface Chooser {

        /** Null where the server is to be told nothing. */
        void chosen(@Nullable Login login);

        void failed(Fault fault);
    }

    private static final Logger log = LoggerFactory.getLogger(LinkLogins.class);

    private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int MOST_DOUBLINGS = 5;

    private final EventLoop loop;
    private final ConnectionSettings settings;
    private final Runtime runtime;
    private final LastLogin accepted;

    private Logins.Request request = Logins.Request.ANSWERED;

    // Of attempts.

    /** What the handshake says, or has said. */
    private @Nullable Login said;

    /** What the server has refused, attempt after attempt, the newest last. */
    private final Deque<Login> refused = new ArrayDeque<>();

    /** What it said to the newest of these. */
    private @Nullable Fault refusal;

    private @Nullable Chooser chooser;
    /** What is told if the login that the server took before won't do either; null while that one is not tried. */
    private @Nullable Fault lastResort;

    private boolean missing;

    // Of a living connection.

    private @Nullable Session session;
    /** Makes the connection anew; null where AUTH can be said on it. */
    private @Nullable Runnable anew;

    /** What was said on it last. */
    private @Nullable Login tried;

    /** Null unless it is waited for the time to ask again. */
    private @Nullable ScheduledFuture<?> timer;
    /** How often there was nothing but what the server refuses, since it took a login of the provider's last. */
    private int refusals;

    private boolean refusalSaid;

    /** @param accepted what the server took last */
    LinkLogins(EventLoop loop, ConnectionSettings settings, Runtime runtime, LastLogin accepted) {
        this.loop = loop;
        this.settings = settings;
        this.runtime = runtime;
        this.accepted = accepted;
    }

    // --- choosing ---

    /** Forgets what was refused: the next attempt is the first of its kind. */
    void forget() {
        refused.clear();
        refusal = null;
    }

    /** Chooses for an attempt; a provider has this time for it. */
    void choose(Chooser attempt, long patienceNanos) {
        chooser = attempt;
        said = null;
        lastResort = null;
        missing = false;
        if (refused.size() > 1) {
            goBack(newestRefusal());
            return;
        }
        Logins.Receiver receiver = new Logins.Receiver() {

            @Override
            public void login(@Nullable Login given) {
                if (chooser != attempt) {
                    return;
                }
                Login inVain = refused.peekLast();
                if (inVain != null && (given == null || given.saysTheSameAs(inVain))) {
                    goBack(newestRefusal());
                } else {
                    decide(given);
                }
            }

            @Override
            public void noLogin(String why) {
                if (chooser != attempt) {
                    return;
                }
                if (refused.isEmpty()) {
                    fail(unreachable("no credentials: " + why));
                } else {
                    goBack(unreachable("no credentials but those that were refused: " + why));
                }
            }
        };
        Login inVain = refused.peekLast();
        Logins.Request asked = inVain == null
                ? settings.logins().forConnection(patienceNanos, loop, receiver)
                : settings.logins().after(inVain, patienceNanos, loop, receiver);
        if (chooser == attempt) {
            request = asked;
        }
    }

    boolean isChoosing() {
        return chooser != null;
    }

    /** What the handshake says; null if nothing. */
    @Nullable
    Login said() {
        return said;
    }

    /** An attempt, or its connection, has ended with this. What is told of it: where the last resort was refused too, why it was. */
    Fault ended(Fault fault) {
        Login inVain = said;
        missing |= isChoosing() || (isRefusal(fault) && inVain != null && inVain.number() != 0);
        chooser = null;
        request.cancel();
        return lastResort != null && isRefusal(fault) ? lastResort : fault;
    }

    /** Whether another attempt may mend what has ended an attempt without a connection, by another login. */
    boolean mayMend(Fault fault) {
        Login inVain = said;
        if (inVain == null || inVain.number() == 0 || !isRefusal(fault) || lastResort != null) {
            return false;
        }
        refused.add(inVain);
        Login earlier = accepted.get();
        if (refused.size() == 1 || (earlier != null && !wasRefused(earlier))) {
            refusal = fault;
            return true;
        }
        refused.removeLast();
        return false;
    }

    /** Whether a login of a provider's was missing, or not taken, so that another one is worth an attempt at any time. */
    boolean isMissing() {
        return missing;
    }

    /** Whether this is what a server says to a login that it does not take. */
    private static boolean isRefusal(Fault fault) {
        return fault.kind() == Kind.WRONGPASS || fault.kind() == Kind.NOAUTH;
    }

    private Fault newestRefusal() {
        return Objects.requireNonNull(refusal, "a refused login without a refusal");
    }

    private boolean wasRefused(Login login) {
        return refused.stream().anyMatch(login::saysTheSameAs);
    }

    private void goBack(Fault otherwise) {
        Login earlier = accepted.get();
        if (earlier == null || refused.isEmpty() || wasRefused(earlier)) {
            fail(otherwise);
        } else {
            lastResort = otherwise;
            decide(earlier);
        }
    }

    private void decide(@Nullable Login chosen) {
        Chooser attempt = chooser;
        if (attempt != null) {
            chooser = null;
            said = chosen;
            attempt.chosen(chosen);
        }
    }

    private void fail(Fault fault) {
        Chooser attempt = chooser;
        if (attempt != null) {
            chooser = null;
            missing = true;
            attempt.failed(fault);
        }
    }

    private Fault unreachable(String detail) {
        return new Fault(Kind.UNREACHABLE, false, settings.node(), detail);
    }

    // --- waiting ---

    /** Runs this once there is a login that says something else than the newest one that is known not to do. */
    void whenOther(Runnable isThere) {
        Login inVain = said;
        Login newest = refused.peekLast();
        boolean isOlder = newest != null && (inVain == null || inVain.number() < newest.number());
        watchForOther(isOlder ? newest : inVain, isThere);
    }

    private void watchForOther(@Nullable Login inVain, Runnable isThere) {
        request = settings.logins().whenGiven(inVain, loop, new Logins.Receiver() {

            @Override
            public void login(@Nullable Login given) {
                if (given == null) {
                    return;
                }
                if (inVain != null && given.saysTheSameAs(inVain)) {
                    watchForOther(given, isThere);
                } else {
                    isThere.run();
                }
            }

            @Override
            public void noLogin(String why) {
                // The pause goes on.
            }
        });
    }

    void stopWaiting() {
        request.cancel();
    }

    // --- living ---

    /**
     * There is a connection, whose handshake has said what was chosen.
     *
     * @param inPlaceOfAuth makes the connection anew; null where AUTH can be said on it
     */
    void begin(Session living, @Nullable Runnable inPlaceOfAuth) {
        session = living;
        anew = inPlaceOfAuth;
        if (lastResort == null) {
            refusalSaid = false;
            loggedIn(said);
        } else {
            // The attempts have asked twice.
            accepted.accepted(said);
            tried = refused.peekLast();
            refusals = Math.max(1, refusals);
            refusedAgain();
        }
    }

    /** There is no connection any more. */
    void end() {
        session = null;
        request.cancel();
        stopTimer();
    }

    /** Whether the server may have ended the connection because its credentials have expired. */
    boolean mayBeOver() {
        Login present = accepted.get();
        return present != null && present.mayBeOver(runtime.nanos());
    }

    @Override
    public void login(@Nullable Login next) {
        Login present = accepted.get();
        Session living = session;
        if (living == null || present == null || next == null) {
            return;
        }
        if (next.saysTheSameAs(present)) {
            loggedIn(next);
            return;
        }
        boolean wasRefused = refusals > 0 && tried != null && next.saysTheSameAs(tried);
        tried = next;
        if (wasRefused) {
            if (timer == null) {
                refusedAgain();
            } else {
                watch();
            }
            return;
        }
        stopTimer();
        if (anew == null) {
            living.logIn(next, this::answered);
        } else {
            anew.run();
        }
    }

    @Override
    public void noLogin(String why) {
        pause(settings.logins().pauseNanos());
    }

    /** The words of a refusal are not shown: they may quote the password. */
    private void answered(RespValue reply) {
        if (session == null) {
            return;
        }
        if (!reply.isError()) {
            log.debug("Logged in anew at {}", settings.node());
            refusalSaid = false;
            loggedIn(tried);
        } else if (refusals == 0) {
            refusals = 1;
            ask();
        } else {
            refusedAgain();
        }
    }

    private void refusedAgain() {
        long pauseNanos = FIRST_PAUSE_NANOS << Math.min(refusals - 1, MOST_DOUBLINGS);
        refusals++;
        if (!refusalSaid) {
            refusalSaid = true;
            log.warn("{} refused new credentials; the connection goes on with its earlier ones", settings.node());
        }
        pause(Math.min(pauseNanos, LONGEST_PAUSE_NANOS));
    }

    private void loggedIn(@Nullable Login present) {
        accepted.accepted(present);
        tried = present;
        refusals = 0;
        stopTimer();
        if (present != null && present.isRenewed()) {
            askAfter(Math.max(0, present.renewAtNanos() - runtime.nanos()));
        }
    }

    /** Asks after this time, and listens meanwhile to what other connections are given. */
    private void pause(long delayNanos) {
        askAfter(delayNanos);
        watch();
    }

    private void watch() {
        Login latest = tried;
        if (session != null && latest != null) {
            request.cancel();
            request = settings.logins().whenGiven(latest, loop, this);
        }
    }

    private void askAfter(long delayNanos) {
        stopTimer();
        timer = loop.schedule(this::ask, delayNanos, TimeUnit.NANOSECONDS);
    }

    private void ask() {
        timer = null;
        Login latest = tried;
        if (session != null && latest != null) {
            request.cancel();
            request = settings.logins().after(latest, settings.connectTimeoutNanos(), loop, this);
        }
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
