package io.holdfast.lock.netty.replication;

import io.holdfast.lock.netty.connection.Command;
import io.holdfast.lock.netty.connection.ErrorReplies;
import io.holdfast.lock.netty.connection.Session;
import io.holdfast.lock.netty.resp.InfoText;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rounds of questions about replicas, on one connection: it writes a key of its own, and says WAIT, which counts the replicas that
 * have what this connection wrote, and so all from before.
 *
 * <p>A PING with a number ends each round, and nothing counts before that is answered.
 */
final class ReplicaQuestions {

    private static final int UNKNOWN = -1;

    private final Session session;
    private final Wish wish;
    private final WaitKey key;
    private final Supplier<Round> over;

    private String runId = "";
    /**
     * Whether replicas are counted before they are waited for, on a fresh connection and after a round with too few: where fewer
     * are connected than have to confirm, no call spends its time on them.
     */
    private boolean counts = true;

    // What was said in the round that is under way.

    private @Nullable Fault refusal;
    private Confirmed confirmed = Confirmed.NONE;
    private int connected;
    /** Whether the server has sent the write elsewhere. */
    private boolean elsewhere;

    /** @param over the round that is under way, which is over with that; not called if the connection ends before */
    ReplicaQuestions(Session session, Wish wish, WaitKey key, Supplier<Round> over) {
        this.session = session;
        this.wish = wish;
        this.key = key;
        this.over = over;
    }

    /** Asks what every round has to know. */
    void begin(int database) {
        if (database != 0) {
            session.ask(this::onDatabase, "SELECT", Integer.toString(database));
        }
        session.ask(this::onServer, "INFO", "server");
    }

    /** Begins a round; one at a time. */
    void ask() {
        refusal = null;
        confirmed = Confirmed.NONE;
        connected = UNKNOWN;
        elsewhere = false;
        if (key.isAsked()) {
            session.ask(this::onAsking, "ASKING");
        }
        session.ask(this::onWrite, "SET", key.name(), "1", "PX", Long.toString(wish.keptMillis()));
        if (counts) {
            session.ask(this::onReplicas, "INFO", "replication");
        } else {
            waitForThem();
        }
        session.flush();
    }

    private void waitForThem() {
        session.say(
                new Command((reply, number) -> Confirmed.of(reply, wish.onDisk()) != null, this::onWait),
                wish.command());
        session.endRound(this::onEndOfRound);
        // A server that waits for replicas owes no answer before their time is over.
        session.expectsAfter(wish.timeoutNanos());
    }

    private void onDatabase(RespValue reply) {
        if (reply.isError()) {
            session.abort(ErrorReplies.fault(session.node(), reply));
        }
    }

    private void onServer(RespValue reply) {
        runId = reply.isError() ? "" : InfoText.field(reply.text(), "run_id:");
    }

    /** Where it is refused, the write is as well. */
    private void onAsking(RespValue reply) {
        if (reply.isError()) {
            note(ErrorReplies.fault(session.node(), reply));
        }
    }

    private void onWrite(RespValue reply) {
        if (reply.isError()) {
            Fault refused = ErrorReplies.fault(session.node(), reply);
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
            session.endRound(this::onEndOfRound);
        }
    }

    /** How many replicas have caught up so far that they are sent what is written. */
    private static int replicasOnLine(RespValue reply) {
        return (int) InfoText.replicas(InfoText.fields(reply.text())).stream()
                .filter(replica -> InfoText.word(replica, "state").equals("online"))
                .count();
    }

    private void onWait(RespValue reply) {
        session.expectsAfter(0);
        Confirmed said = Confirmed.of(reply, wish.onDisk());
        if (said == null) {
            note(WaitRefusal.of(session.node(), reply, wish.onDisk()));
        } else {
            confirmed = said;
        }
    }

    private void onEndOfRound(RespValue pong) {
        Fault refused = refusal;
        if (elsewhere && key.next()) {
            ask();
        } else if (refused != null) {
            over.get().failed(refused);
        } else if (connected != UNKNOWN) {
            over.get().answered(runId, wish.tooFewConnected(connected));
        } else {
            counts = !wish.isMetBy(confirmed);
            over.get().answered(runId, counts ? wish.unmetBy(confirmed) : null);
        }
    }
}
