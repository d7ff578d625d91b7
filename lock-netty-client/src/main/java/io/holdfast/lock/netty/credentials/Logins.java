package io.holdfast.lock.netty.credentials;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Where connections get their login. Its methods never block. */
public interface Logins {

    /** Whose connection it is. Hears once, unless it takes its request back before. */
    interface Receiver {

        /** There is one, or null where the server is to be told nothing. */
        void login(@Nullable Login login);

        /** There is none. */
        void noLogin(String why);
    }

    /** A question under way. */
    interface Request {

        /** A request that was answered before it could be taken back. */
        Request ANSWERED = new Request() {

            @Override
            public void cancel() {
                // There is nothing left to take back.
            }
        };

        /** Takes the question back; called where the receiver hears. */
        void cancel();
    }

    /**
     * A login for a new connection.
     *
     * @param patienceNanos after this an earlier login will do, if there is one; without one the question stays
     * @param loop where the receiver hears of it, perhaps before this returns
     */
    Request forConnection(long patienceNanos, Executor loop, Receiver receiver);

    /**
     * A login that was given after this one, which the server would not take, or which expires.
     *
     * @param patienceNanos after this there is none
     */
    Request after(Login earlier, long patienceNanos, Executor loop, Receiver receiver);

    /**
     * A login that was given after this one, or any for null, whenever that may be. It is not asked for: another connection
     * does that.
     */
    Request whenGiven(@Nullable Login earlier, Executor loop, Receiver receiver);

    /** How long to wait before asking again where there was none. */
    long pauseNanos();

    /** Ends what is under way: no connection needs it any more. */
    void close();
}
