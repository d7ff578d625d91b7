package io.holdfast.lock.netty.replication;

import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.ErrorReplies;
import io.holdfast.lock.netty.connection.Session;
import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.resp.InfoText;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.text.Printable;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which replicas are waited for: it writes a key of its own, and says WAIT, which counts the replicas that
 * have what this connection wrote, and so all from before.
 *
 * <p>Answers carry no numbers. A PING with a number ends each round, and nothing counts before that is answered (rule 70).
 */
final class WaitSession extends Session {

    /** Hears how a round ended, unless the connection ended before. */
    interface Owner {

        /** These have confirmed. */
        void confirmed(Confirmed confirmed);

        /** WAIT was left out, since no more than so many replicas are connected. */
        void tooFewConnected(int replicas);

        /** The server has refused. */
        void refused(Fault fault);
    }

    private enum Question {
        DATABASE,
        RUN_ID,
        WRITE,
        REPLICAS,
        WAIT,
        END_OF_ROUND,
        PING,
        LOGIN
    }

    private static final long MOST_FIRST_NUMBER = 1L << 32;
    private static final int UNKNOWN = -1;

    private final Wish wish;
    private final Owner owner;
    private final ArrayDeque<Question> unanswered = new ArrayDeque<>();
    private final ArrayDeque<LoginOutcome> logins = new ArrayDeque<>();
    /** The numbers of the PINGs without an answer. */
    private final ArrayDeque<String> pings = new ArrayDeque<>();

    private long latestPing;
    private long expectsSinceNanos;
    private boolean waiting;
    private String runId = "";

    // What was said in the round that is under way.

    private @Nullable Fault refusal;
    private Confirmed confirmed = Confirmed.NONE;
    private int connected;

    WaitSession(ConnectionSettings settings, Runtime runtime, Wish wish, Owner owner) {
        super(settings, runtime);
        this.wish = wish;
        this.owner = owner;
        this.latestPing = runtime.random(MOST_FIRST_NUMBER);
    }

    /** Asks what every round has to know. */
    void begin() {
        int database = settings.server().database();
        if (database != 0) {
            ask(Question.DATABASE, "SELECT", Integer.toString(database));
        }
        ask(Question.RUN_ID, "INFO", "server");
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
        ask(Question.WRITE, "SET", wish.key(), "1", "PX", Long.toString(wish.keptMillis()));
        if (count) {
            ask(Question.REPLICAS, "INFO", "replication");
        } else {
            waitForThem();
        }
        flush();
    }

    private void waitForThem() {
        waiting = true;
        ask(Question.WAIT, wish.command());
        ping(Question.END_OF_ROUND);
    }

    @Override
    public boolean logIn(Login newLogin, LoginOutcome outcome) {
        logins.add(outcome);
        ask(Question.LOGIN, "AUTH", newLogin.user(), newLogin.password());
        flush();
        return true;
    }

    @Override
    protected boolean onReply(RespValue reply) {
        if (reply.kind() == RespValue.Kind.PUSH) {
            return false;
        }
        Question question = unanswered.poll();
        if (question == null) {
            outOfTurn(reply);
            return false;
        }
        switch (question) {
            case DATABASE -> onDatabase(reply);
            case RUN_ID -> runId = reply.isError() ? "" : InfoText.field(reply.text(), "run_id:");
            case WRITE -> onWrite(reply);
            case REPLICAS -> onReplicas(reply);
            case WAIT -> onWait(reply);
            case END_OF_ROUND -> onEndOfRound(reply);
            case PING -> checkPong(reply);
            case LOGIN -> onLogin(reply);
        }
        return true;
    }

    @Override
    protected boolean expectsAnswer() {
        return !unanswered.isEmpty();
    }

    /** A server that waits for replicas owes no answer before their time is over. */
    @Override
    protected long expectsSince() {
        return waiting ? expectsSinceNanos + wish.timeoutNanos() : expectsSinceNanos;
    }

    @Override
    protected void ping() {
        ping(Question.PING);
        flush();
    }

    @Override
    protected void onEnd(Fault fault) {
        unanswered.clear();
        logins.clear();
        pings.clear();
    }

    private void onDatabase(RespValue reply) {
        if (reply.isError()) {
            abort(ErrorReplies.fault(settings.node(), reply));
        }
    }

    private void onWrite(RespValue reply) {
        if (reply.isError()) {
            note(ErrorReplies.fault(settings.node(), reply));
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
            ping(Question.END_OF_ROUND);
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
        expectsSinceNanos = runtime.nanos();
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
        if (!checkPong(pong)) {
            return;
        }
        Fault refused = refusal;
        if (refused != null) {
            owner.refused(refused);
        } else if (connected != UNKNOWN) {
            owner.tooFewConnected(connected);
        } else {
            owner.confirmed(confirmed);
        }
    }

    private boolean checkPong(RespValue reply) {
        String number = pings.remove();
        // A refusal is a sign of life too.
        if (reply.isError() || number.equals(reply.text())) {
            return true;
        }
        outOfTurn(reply);
        return false;
    }

    /** The words of a refusal are not passed on: they may quote the password. */
    private void onLogin(RespValue reply) {
        LoginOutcome outcome = logins.remove();
        if (reply.isError()) {
            outcome.loginRefused();
        } else if ("OK".equals(reply.text())) {
            outcome.loginTaken();
        } else {
            outOfTurn(reply);
        }
    }

    private void outOfTurn(RespValue reply) {
        abort(new Fault(Kind.PROTOCOL, true, settings.node(), "an answer out of turn: " + Printable.of(reply)));
    }

    private void ping(Question question) {
        String number = Long.toString(++latestPing);
        pings.add(number);
        ask(question, "PING", number);
    }

    private void ask(Question question, String... command) {
        if (unanswered.isEmpty()) {
            expectsSinceNanos = runtime.nanos();
        }
        unanswered.add(question);
        write(command);
    }
}
