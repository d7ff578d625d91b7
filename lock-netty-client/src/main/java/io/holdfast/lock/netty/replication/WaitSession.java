package io.holdfast.lock.netty.replication;

import io.holdfast.lock.netty.connection.AskingSession;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.ErrorReplies;
import io.holdfast.lock.netty.resp.InfoText;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which replicas are waited for: it writes a key of its own, and says WAIT, which counts the replicas that
 * have what this connection wrote, and so all from before.
 *
 * <p>A PING with a number ends each round, and nothing counts before that is answered.
 */
final class WaitSession extends AskingSession {

    /** Hears how a round ended, unless the connection ended before. */
    interface Owner {

        /** These have confirmed. */
        void confirmed(Confirmed confirmed);

        /** WAIT was left out, since no more than so many replicas are connected. */
        void tooFewConnected(int replicas);

        /** The server has refused. */
        void refused(Fault fault);
    }

    private static final int UNKNOWN = -1;

    private final Wish wish;
    private final WaitKey key;
    private final Owner owner;

    private boolean waiting;
    private String runId = "";
    /** Whether the round that is under way counts replicas before it waits for them. */
    private boolean counts;

    // What was said in the round that is under way.

    private @Nullable Fault refusal;
    private Confirmed confirmed = Confirmed.NONE;
    private int connected;
    /** Whether the server has sent the write elsewhere. */
    private boolean elsewhere;

    WaitSession(ConnectionSettings settings, Runtime runtime, Wish wish, WaitKey key, Owner owner) {
        super(settings, runtime);
        this.wish = wish;
        this.key = key;
        this.owner = owner;
    }

    /** Asks what every round has to know. */
    void begin() {
        int database = settings.server().database();
        if (database != 0) {
            ask(this::onDatabase, "SELECT", Integer.toString(database));
        }
        ask(this::onServer, "INFO", "server");
    }

    /** The id of the server process; empty if it does not tell. */
    String runId() {
        return runId;
    }

    /**
     * Begins a round; one at a time.
     *
     * @param count whether WAIT is left out where too few replicas are connected
     */
    void ask(boolean count) {
        refusal = null;
        confirmed = Confirmed.NONE;
        connected = UNKNOWN;
        elsewhere = false;
        counts = count;
        if (key.isAsked()) {
            ask(this::onAsking, "ASKING");
        }
        ask(this::onWrite, "SET", key.name(), "1", "PX", Long.toString(wish.keptMillis()));
        if (count) {
            ask(this::onReplicas, "INFO", "replication");
        } else {
            waitForThem();
        }
        flush();
    }

    private void waitForThem() {
        waiting = true;
        ask(this::onWait, wish.command());
        ping(this::onEndOfRound);
    }

    /** A server that waits for replicas owes no answer before their time is over. */
    @Override
    protected long expectsSince() {
        return super.expectsSince() + (waiting ? wish.timeoutNanos() : 0);
    }

    private void onDatabase(RespValue reply) {
        if (reply.isError()) {
            abort(ErrorReplies.fault(settings.node(), reply));
        }
    }

    private void onServer(RespValue reply) {
        runId = reply.isError() ? "" : InfoText.field(reply.text(), "run_id:");
    }

    /** Where it is refused, the write is as well. */
    private void onAsking(RespValue reply) {
        if (reply.isError()) {
            note(ErrorReplies.fault(settings.node(), reply));
        }
    }

    private void onWrite(RespValue reply) {
        if (reply.isError()) {
            Fault refused = ErrorReplies.fault(settings.node(), reply);
            elsewhere = refusal == null && (refused.kind() == Kind.MOVED || refused.kind() == Kind.ASK);
            note(refused);
        }
    }

    /** The first refusal of a round is why it ends. */
    private void note(Fault refused) {
        if (refusal == null) {
            refusal = refused;
        }
    }

    /** Where the server does not say how many there are, WAIT finds out. */
    private void onReplicas(RespValue reply) {
        connected = reply.isError() ? UNKNOWN : replicasOnLine(reply);
        if (refusal == null && (connected == UNKNOWN || connected >= wish.replicas())) {
            connected = UNKNOWN;
            waitForThem();
        } else {
            ping(this::onEndOfRound);
        }
    }

    /** How many replicas have caught up so far that they are sent what is written. */
    private static int replicasOnLine(RespValue reply) {
        return (int) InfoText.replicas(InfoText.fields(reply.text())).stream()
                .filter(replica -> InfoText.word(replica, "state").equals("online"))
                .count();
    }

    private void onWait(RespValue reply) {
        waiting = false;
        expectsFromNow();
        Confirmed said = Confirmed.of(reply, wish.onDisk());
        if (reply.isError()) {
            note(WaitRefusal.of(settings.node(), reply, wish.onDisk()));
        } else if (said == null) {
            outOfTurn(reply);
        } else {
            confirmed = said;
        }
    }

    private void onEndOfRound(RespValue pong) {
        Fault refused = refusal;
        if (elsewhere && key.next()) {
            ask(counts);
        } else if (refused != null) {
            owner.refused(refused);
        } else if (connected != UNKNOWN) {
            owner.tooFewConnected(connected);
        } else {
            owner.confirmed(confirmed);
        }
    }
}
