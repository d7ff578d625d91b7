package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.spi.Fault.Kind;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether a living connection leads to the right server still. Where the whereabouts may change unheard they are asked
 * from time to time, and the connection is left when the answer is another server. Otherwise the server is asked whether it
 * is a primary.
 *
 * <p>All methods are called on the event loop.
 */
final class Lookout implements Whereabouts.Asker {

    private final EventLoop loop;
    private final Whereabouts whereabouts;
    private final long roleNanos;
    private final Runnable leave;

    /** Where the connection leads; null while there is none. */
    private @Nullable SocketAddress present;

    private @Nullable Session session;

    private @Nullable ScheduledFuture<?> timer;
    private Whereabouts.@Nullable Search search;

    /**
     * @param roleNanos after how long to ask the server for its role
     * @param leave ends the connection for one to where the server is now
     */
    Lookout(EventLoop loop, Whereabouts whereabouts, long roleNanos, Runnable leave) {
        this.loop = loop;
        this.whereabouts = whereabouts;
        this.roleNanos = roleNanos;
        this.leave = leave;
    }

    /** There is a connection to this address. */
    void begin(Session connection, SocketAddress address) {
        session = connection;
        present = address;
        lookLater();
    }

    /** There is no connection any more. */
    void end() {
        present = null;
        session = null;
        if (timer != null) {
            timer.cancel(false);
        }
        if (search != null) {
            search.cancel();
        }
    }

    @Override
    public void found(List<? extends SocketAddress> addresses) {
        if (present != null && !addresses.contains(present)) {
            leave.run();
        } else {
            lookLater();
        }
    }

    /** Better a server that may be the wrong one than none: what it says for itself is heard. */
    @Override
    public void unknown(Kind kind, String reason) {
        lookLater();
    }

    private void lookLater() {
        long nanos = whereabouts.againNanos();
        if (present != null) {
            timer = loop.schedule(this::look, nanos > 0 ? nanos : roleNanos, TimeUnit.NANOSECONDS);
        }
    }

    private void look() {
        if (present != null && whereabouts.againNanos() > 0) {
            search = whereabouts.askAgain(loop, this);
        } else if (session != null) {
            session.askRole();
            lookLater();
        }
    }
}
