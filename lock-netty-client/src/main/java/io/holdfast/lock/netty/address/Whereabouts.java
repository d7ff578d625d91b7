package io.holdfast.lock.netty.address;

import io.holdfast.lock.spi.Fault.Kind;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.List;

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

        /** The asker hears nothing any more. Called on the event loop. */
        void cancel();
    }

    /**
     * Begins a search. The asker hears once, perhaps before this returns. Called on the event loop.
     *
     * @param anew whether what is remembered of earlier searches is in doubt
     */
    Search ask(EventLoop loop, boolean anew, Asker asker);
}
