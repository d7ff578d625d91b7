package io.holdfast.lock.netty.connection;

import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/** What any thread does with a link, and with the state of its owner: in steps on their event loop, until the link is closed. */
public final class LinkSteps {

    private final EventLoop loop;
    private final Link link;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private boolean closed;

    public LinkSteps(EventLoop loop, Link link) {
        this.loop = loop;
        this.link = link;
    }

    /** Runs a step; never, if the loop has ended, as the client has then. */
    public void run(Runnable step) {
        if (loop.inEventLoop()) {
            step.run();
            return;
        }
        try {
            loop.execute(step);
        } catch (RejectedExecutionException loopEnded) {
            gone.complete(null);
        }
    }

    /** Connects to this address of the server's host from now on. */
    public void follow(SocketAddress address) {
        run(() -> link.follow(address));
    }

    /** Whether the link is closed. To be asked on the event loop. */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Closes the link, once.
     *
     * @param before the owner's own end
     * @return completes when nothing is left
     */
    public CompletionStage<Void> close(Runnable before) {
        run(() -> {
            if (!closed) {
                closed = true;
                before.run();
                link.close(() -> gone.complete(null));
            }
        });
        return gone;
    }
}
