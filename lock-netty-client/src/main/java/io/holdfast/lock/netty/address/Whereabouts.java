package io.holdfast.lock.netty.address;

import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Vouching;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a server is now. A connection asks at each attempt, since the answer may change. */
public interface Whereabouts {

    /** Receives the answer, on the event loop. */
    interface Asker {

        /** The addresses at which the server may be, at least one, in the order in which to try them. */
        void found(List<? extends SocketAddress> addresses);

        /**
         * It is nowhere, as far as can be found out now.
         *
         * @param kind {@link Kind#UNREACHABLE}, or why servers that were asked refuse to tell
         */
        void unknown(Kind kind, String reason);
    }

    /** A search on its way. */
    interface Search {

        /** One that is over already. */
        Search NONE = () -> {};

        /** The asker hears nothing any more. Called on the event loop. */
        void cancel();

        /** What the search has met so far, for an asker that waits no longer; empty for nothing. */
        default String obstacle() {
            return "";
        }
    }

    /**
     * Begins a search. The asker hears once, perhaps before this returns. Called on the event loop.
     *
     * @param anew whether what is remembered of earlier searches is in doubt
     */
    Search ask(EventLoop loop, boolean anew, Asker asker);

    /** A link to the server. Hears on its event loop. */
    interface Follower {

        /** The server is elsewhere now: a connection to where it was is to be left at once (rule 84). */
        void moved();

        /**
         * Where the server is, another process was found than before: a connection to any other is to be left, for another
         * look at what the address leads to.
         *
         * @param runId the process's own id
         */
        void replaced(String runId);

        /** It is known again where the server is. */
        void known();
    }

    /** Registers a link. */
    default void follow(Follower link) {}

    /** Whether a link hears of moves. Then the end of a connection may be nothing but the sign of one. */
    default boolean tellsMoves() {
        return false;
    }

    /**
     * What Sentinels say of the server that the links lead to; null where there are none. Any thread may ask.
     *
     * @param loop the event loop of the links
     * @param silenceNanos for how long an answer of a Sentinel counts
     * @param begin run once, when it is asked for the first time: a lazy client has not looked for its server before
     */
    default @Nullable Vouching vouching(EventLoop loop, long silenceNanos, Runnable begin) {
        return null;
    }

    /** How the connections stand that it keeps open between searches. Any thread. */
    default Stream<NodeConnection> look() {
        return Stream.empty();
    }

    /** Ends what it keeps open between searches. Any thread, once the links have been closed. */
    default CompletionStage<Void> close() {
        return CompletableFuture.completedStage(null);
    }

    /** After how long to ask again while a connection stands; 0: not at all. */
    default long againNanos() {
        return 0;
    }

    /** The same search while a connection stands: an answer that is none too sure is not given. */
    default Search askAgain(EventLoop loop, Asker asker) {
        return ask(loop, false, asker);
    }
}
