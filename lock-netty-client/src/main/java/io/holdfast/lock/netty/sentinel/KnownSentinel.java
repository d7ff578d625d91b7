package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.netty.connection.Link;
import io.holdfast.lock.netty.connection.ServerIdentity;
import io.holdfast.lock.netty.connection.Session;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Runtime;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One of the Sentinels that a client knows: the connection to it, and what it said in the latest round.
 *
 * <p>All methods but {@link #look} are called on the event loop.
 */
final class KnownSentinel implements Link.Owner {

    /** Hears of what may decide a round, or be the reason for one. */
    interface Listener {

        /** The Sentinel has answered, after so long. */
        void heard(long nanos);

        /** It will not answer for now. */
        void failed();

        void switched(String message);
    }

    private final ConnectionSettings settings;
    private final Runtime runtime;
    private final String primaryName;
    private final boolean isSeed;
    private final Listener listener;
    private final Link link;

    private @Nullable SentinelRounds rounds;
    private @Nullable Testimony testimony;
    /** What it has said last, in this round or any before. */
    private @Nullable DatedTestimony latest;
    /** What it has called itself last. */
    private @Nullable String id;
    /** Why there is no connection; null while there is one, and while the first is being made. */
    private @Nullable Fault failure;

    private long askedNanos;
    private boolean awaited;
    /** Whether it has let a round wait in vain, and has not answered since. */
    private boolean slow;

    KnownSentinel(
            ConnectionSettings settings,
            boolean isSeed,
            String primaryName,
            EventLoop loop,
            IoLoops loops,
            Runtime runtime,
            Listener listener) {
        this.settings = settings;
        this.isSeed = isSeed;
        this.primaryName = primaryName;
        this.runtime = runtime;
        this.listener = listener;
        this.link = new Link(
                loop,
                loops,
                settings,
                runtime,
                NodeConnection.Use.SENTINEL,
                found -> new Session(found, runtime, this::isNews),
                this);
    }

    /** Begins to connect; a round waits for that. */
    void start() {
        awaited = true;
        link.start();
    }

    CompletableFuture<Void> close() {
        return link.close(() -> {});
    }

    /** How the connection stands. Any thread. */
    Stream<NodeConnection> look() {
        return link.look(0);
    }

    /** Whether it stands in the client's address, as opposed to having been named by others. */
    boolean isSeed() {
        return isSeed;
    }

    String node() {
        return settings.node();
    }

    /**
     * A round begins.
     *
     * @param urgent whether a Sentinel without a connection is tried now
     */
    void ask(boolean urgent) {
        testimony = null;
        SentinelRounds open = rounds;
        if (open == null) {
            awaited |= urgent && link.hurry();
            return;
        }
        awaited = !slow;
        if (!open.isAsking()) {
            ask(open);
        }
    }

    private void ask(SentinelRounds open) {
        askedNanos = runtime.nanos();
        open.ask();
    }

    /** Whether it owes an answer. */
    boolean isAsked() {
        return rounds != null && rounds.isAsking();
    }

    /** Whether the round under way has to wait for it. */
    boolean isAwaited() {
        return awaited;
    }

    /** The round waits no longer for an answer; it may wait for a connection. */
    void patienceIsOver() {
        if (rounds != null) {
            isTooSlow();
        }
    }

    /** The round waits no longer. */
    void isTooSlow() {
        if (awaited) {
            awaited = false;
            slow = true;
        }
    }

    /** What it has said in this round; null for nothing. */
    @Nullable
    Testimony testimony() {
        return testimony;
    }

    /** What it has said last; null as long as it has not answered. */
    @Nullable
    DatedTestimony latest() {
        return latest;
    }

    /** What it calls itself; null as long as it has not answered. */
    @Nullable
    String id() {
        return id;
    }

    /** Whether it may yet say who it is. */
    boolean isUnheard() {
        return id == null && failure == null;
    }

    /** Why it says nothing. */
    Fault obstacle() {
        return failure == null ? new Fault(Fault.Kind.NO_ANSWER, false, settings.node(), "no answer in time") : failure;
    }

    private boolean isNews(RespValue push) {
        if (SentinelRounds.isOf("message", push)) {
            listener.switched(String.valueOf(push.text(2)));
        }
        return Session.isPush(push);
    }

    @Override
    public void up(Session ready, ServerIdentity identity, SocketAddress address) {
        SentinelRounds open = new SentinelRounds(ready, primaryName, this::said);
        rounds = open;
        failure = null;
        slow = false;
        open.listen();
        ask(open);
    }

    @Override
    public void down(Fault fault) {
        rounds = null;
        failed(fault);
    }

    @Override
    public void failed(Fault fault) {
        failure = fault;
        testimony = null;
        awaited = false;
        listener.failed();
    }

    private void said(Testimony said) {
        testimony = said;
        latest = new DatedTestimony(said, askedNanos);
        id = said.id();
        awaited = false;
        slow = false;
        listener.heard(runtime.nanos() - askedNanos);
    }
}
