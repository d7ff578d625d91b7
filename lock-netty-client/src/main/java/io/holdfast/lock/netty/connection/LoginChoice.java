package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.credentials.Logins;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * Which login an attempt to connect uses: the one that is given for it; after a refusal another one; and where there is no
 * other, the one that the server took last.
 *
 * <p>All methods are called on the event loop.
 */
final class LoginChoice implements Logins.Receiver {

    /** Hears of the choice once, unless the question is taken back before. */
    interface Chooser {

        /** Null where the server is to be told nothing. */
        void chosen(@Nullable Login login);

        void failed(Fault fault);
    }

    private final ConnectionSettings settings;
    private final @Nullable Refusal refusal;
    private final @Nullable Login accepted;
    private final Chooser chooser;

    private Logins.Request request = Logins.Request.ANSWERED;
    private boolean over;
    private @Nullable Login login;
    /** What is told if the login that the server took before won't do either; null while that one is not tried. */
    private @Nullable Fault lastResort;

    private boolean isMissing;

    /**
     * @param refusal what became of the attempt before, if a login was refused
     * @param accepted what the server took last
     */
    LoginChoice(ConnectionSettings settings, @Nullable Refusal refusal, @Nullable Login accepted, Chooser chooser) {
        this.settings = settings;
        this.refusal = refusal;
        this.accepted = accepted;
        this.chooser = chooser;
    }

    void begin(EventLoop loop, long patienceNanos) {
        if (refusal != null && refusal.before() != null) {
            goBack(refusal.fault());
            return;
        }
        Logins logins = settings.logins();
        Logins.Request asked = refusal == null
                ? logins.forConnection(patienceNanos, loop, this)
                : logins.after(refusal.login(), patienceNanos, loop, this);
        if (!over) {
            request = asked;
        }
    }

    /** Takes the question back, if there is no answer yet. */
    void cancel() {
        isMissing |= !over;
        over = true;
        request.cancel();
    }

    boolean isOver() {
        return over;
    }

    @Override
    public void login(@Nullable Login given) {
        if (over) {
            return;
        }
        if (refusal != null && (given == null || given.saysTheSameAs(refusal.login()))) {
            goBack(refusal.fault());
        } else {
            choose(given);
        }
    }

    @Override
    public void noLogin(String why) {
        if (over) {
            return;
        }
        if (refusal == null) {
            fail(unreachable("no credentials: " + why));
        } else {
            goBack(unreachable("no credentials but those that were refused: " + why));
        }
    }

    /** What the handshake says; null if nothing. */
    @Nullable
    Login login() {
        return login;
    }

    /** How an attempt ended that ended with this: where the last resort was refused too, the reason for it counts. */
    Fault endedWith(Fault fault) {
        isMissing |= Refusal.is(fault) && login != null && login.number() != 0;
        return lastResort != null && Refusal.is(fault) ? lastResort : fault;
    }

    /** What another attempt may mend, with another login; null if there is no such thing. */
    @Nullable
    Refusal refusalOf(Fault fault) {
        Login said = login;
        if (said == null || said.number() == 0 || !Refusal.is(fault) || lastResort != null) {
            return null;
        }
        Refusal next = new Refusal(said, fault, refusal);
        boolean anotherIsLeft = refusal == null || (accepted != null && !next.isOf(accepted));
        return anotherIsLeft ? next : null;
    }

    /** The login that was refused in favour of one from before, which the server took; null if there is no such thing. */
    @Nullable
    Login refusedForEarlier() {
        return lastResort == null || refusal == null ? null : refusal.login();
    }

    /** Whether a login of a provider's was missing, or not taken, so that another one is worth an attempt at any time. */
    boolean isMissing() {
        return isMissing;
    }

    /** The newest login that is known not to do; null if there was none. */
    @Nullable
    Login newestInVain() {
        Login said = login;
        return refusal != null
                        && (said == null || said.number() < refusal.login().number())
                ? refusal.login()
                : said;
    }

    private void goBack(Fault otherwise) {
        Login earlier = accepted;
        if (earlier == null || refusal == null || refusal.isOf(earlier)) {
            fail(otherwise);
        } else {
            lastResort = otherwise;
            choose(earlier);
        }
    }

    private void choose(@Nullable Login chosen) {
        over = true;
        login = chosen;
        chooser.chosen(chosen);
    }

    private void fail(Fault fault) {
        over = true;
        isMissing = true;
        chooser.failed(fault);
    }

    private Fault unreachable(String detail) {
        return new Fault(Kind.UNREACHABLE, false, settings.node(), detail);
    }
}
