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
 * and after that from time to time.
 *
 * <p>All methods are called on the event loop.
 */
final class LoginKeeper implements Logins.Receiver, Session.LoginOutcome {

    private static final Logger log = LoggerFactory.getLogger(LoginKeeper.class);

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

    private @Nullable ScheduledFuture<?> timer;
    private Logins.Request request = Logins.Request.ANSWERED;
    private boolean refused;
    private boolean refusalSaid;

    /** @param connectionAnew makes the connection anew, where AUTH can't be said on it */
    LoginKeeper(EventLoop loop, ConnectionSettings settings, Runtime runtime, Runnable connectionAnew) {
        this.loop = loop;
        this.settings = settings;
        this.runtime = runtime;
        this.connectionAnew = connectionAnew;
    }

    /** There is a connection, logged in by this. */
    void begin(Session living, @Nullable Login present) {
        session = living;
        refusalSaid = false;
        loggedIn(present);
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
        tried = next;
        if (!living.logIn(next, this)) {
            connectionAnew.run();
        }
    }

    @Override
    public void noLogin(String why) {
        askAfter(settings.logins().pauseNanos());
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
        if (!refused) {
            refused = true;
            ask();
            return;
        }
        refused = false;
        if (!refusalSaid) {
            refusalSaid = true;
            log.warn("{} refused new credentials; the connection goes on with its earlier ones", settings.node());
        }
        askAfter(settings.logins().pauseNanos());
    }

    private void loggedIn(@Nullable Login present) {
        login = present;
        tried = present;
        refused = false;
        if (present != null && present.isRenewed()) {
            askAfter(Math.max(0, present.renewAtNanos() - runtime.nanos()));
        }
    }

    private void askAfter(long delayNanos) {
        stopTimer();
        timer = loop.schedule(this::ask, delayNanos, TimeUnit.NANOSECONDS);
    }

    private void ask() {
        Login latest = tried;
        if (session != null && latest != null) {
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
