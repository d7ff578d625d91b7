package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.credentials.Logins;
import io.holdfast.lock.spi.Runtime;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a living connection logged in: gets another login before the present one expires, and says it there.
 *
 * <p>A login that the server refuses changes nothing: the connection stands as it was. Another one is asked for at once,
 * and after that from time to time, less often each time. What was refused is not said again on the connection.
 *
 * <p>All methods are called on the event loop.
 */
final class LoginKeeper implements Logins.Receiver, Session.LoginOutcome {

    private static final Logger log = LoggerFactory.getLogger(LoginKeeper.class);

    private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int MOST_DOUBLINGS = 5;

    private final EventLoop loop;
    private final ConnectionSettings settings;
    private final Runtime runtime;
    private final Runnable connectionAnew;

    /** The connection; null while there is none. */
    private @Nullable Session session;
    /** What the connection is logged in by; null if nothing was said. */
    private @Nullable Login login;
    /** What was said on the connection last. */
    private @Nullable Login tried;

    /** Null unless it is waited for the time to ask again. */
    private @Nullable ScheduledFuture<?> timer;

    private Logins.Request request = Logins.Request.ANSWERED;
    /** How often there was nothing but what the server refuses, since it took a login of the provider's last. */
    private int refusals;

    private boolean refusalSaid;

    /** @param connectionAnew makes the connection anew, where AUTH can't be said on it */
    LoginKeeper(EventLoop loop, ConnectionSettings settings, Runtime runtime, Runnable connectionAnew) {
        this.loop = loop;
        this.settings = settings;
        this.runtime = runtime;
        this.connectionAnew = connectionAnew;
    }

    /**
     * There is a connection.
     *
     * @param present what it is logged in by
     * @param refusedBefore what the provider gave instead, and the server refused; null if there is no such thing
     */
    void begin(Session living, @Nullable Login present, @Nullable Login refusedBefore) {
        session = living;
        if (refusedBefore == null) {
            refusalSaid = false;
            loggedIn(present);
        } else {
            login = present;
            tried = refusedBefore;
            // The attempt has asked twice.
            refusals = Math.max(1, refusals);
            refusedAgain();
        }
    }

    /** What the server took last, on this connection or one before; null if there was none. */
    @Nullable
    Login accepted() {
        return login;
    }

    /** There is no connection any more. */
    void end() {
        session = null;
        request.cancel();
        stopTimer();
    }

    /** Whether the server may have ended the connection because its credentials have expired. */
    boolean mayBeOver() {
        return login != null && login.mayBeOver(runtime.nanos());
    }

    @Override
    public void login(@Nullable Login next) {
        Login present = login;
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
        if (!living.logIn(next, this)) {
            connectionAnew.run();
        }
    }

    @Override
    public void noLogin(String why) {
        pause(settings.logins().pauseNanos());
    }

    @Override
    public void loginTaken() {
        if (session != null) {
            log.debug("Logged in anew at {}", settings.node());
            refusalSaid = false;
            loggedIn(tried);
        }
    }

    /** The words of the refusal are not shown: they may quote the password. */
    @Override
    public void loginRefused() {
        if (session == null) {
            return;
        }
        if (refusals == 0) {
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
        login = present;
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
