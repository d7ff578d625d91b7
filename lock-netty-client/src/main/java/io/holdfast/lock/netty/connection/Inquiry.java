package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A few questions to one server, asked in one go on a connection of its own that ends with the last answer.
 *
 * <p>All methods are called on the event loop.
 */
public final class Inquiry implements Whereabouts.Search {

    /** Hears once how the inquiry went, unless it was cancelled. */
    public interface Asker {

        /** What the server has said. */
        void answered(Answers answers);

        void failed(Fault fault);
    }

    /**
     * What a server has said.
     *
     * @param values an answer to each question, which may be an error
     * @param askedNanos when the questions were written
     * @param answeredNanos when the last answer was there
     */
    public record Answers(List<RespValue> values, SocketAddress server, long askedNanos, long answeredNanos) {}

    private final EventLoop loop;
    private final IoLoops loops;
    private final ConnectionSettings settings;
    private final Runtime runtime;
    private final List<String[]> questions;
    private final List<RespValue> answers = new ArrayList<>();
    private final Asker asker;
    private final LastLogin lastLogin;
    private final LinkLogins logins;
    private final boolean anew;
    private final @Nullable SocketAddress place;
    /** For the answers; until there is a connection, the attempt has its own. */
    private @Nullable ScheduledFuture<?> timeout;

    private Attempt attempt;
    private @Nullable SocketAddress server;
    private long askedNanos;
    private boolean over;

    /**
     * @param lastLogin what the server took when it was asked before
     * @param budgetNanos for everything, from the lookup of the server's name to the answer
     * @param anew whether what is remembered of the server's addresses is in doubt
     * @param place where the server is; null: look for it
     */
    public Inquiry(
            EventLoop loop,
            IoLoops loops,
            ConnectionSettings settings,
            Runtime runtime,
            LastLogin lastLogin,
            long budgetNanos,
            boolean anew,
            @Nullable SocketAddress place,
            Asker asker,
            List<String[]> questions) {
        this.place = place;
        this.loop = loop;
        this.loops = loops;
        this.settings = settings;
        this.runtime = runtime;
        this.questions = questions;
        this.asker = asker;
        this.lastLogin = lastLogin;
        this.anew = anew;
        this.logins = new LinkLogins(loop, settings, runtime, lastLogin);
        this.attempt = newAttempt(budgetNanos);
    }

    /** Asks. */
    public Inquiry begin() {
        attempt.start(place, anew);
        return this;
    }

    @Override
    public void cancel() {
        over = true;
        end();
    }

    private Attempt newAttempt(long budgetNanos) {
        return new Attempt(
                loop,
                loops,
                settings,
                runtime,
                budgetNanos,
                logins,
                new EarlierConnections(),
                found -> new Session(found, runtime, Session::isPush),
                new AttemptOwner());
    }

    private void answered(RespValue answer) {
        answers.add(answer);
        if (answers.size() < questions.size()) {
            return;
        }
        if (!over && server != null) {
            over = true;
            asker.answered(new Answers(List.copyOf(answers), server, askedNanos, runtime.nanos()));
        }
        end();
    }

    private void failed(Fault fault) {
        if (timeout != null) {
            timeout.cancel(false);
        }
        if (!over) {
            over = true;
            asker.failed(fault);
        }
    }

    private void timeIsOver() {
        String node = server == null ? settings.node() : settings.at(server).node();
        attempt.fail(new Fault(Kind.UNREACHABLE, false, node, "no answer in time"));
    }

    private void end() {
        attempt.fail(new Fault(Kind.CLOSED, false, settings.node(), "the questions are answered"));
    }

    private final class AttemptOwner implements Attempt.Owner {

        @Override
        public void ready(Session session, ServerIdentity identity, SocketAddress address) {
            server = address;
            lastLogin.accepted(logins.said());
            askedNanos = runtime.nanos();
            timeout = loop.schedule(Inquiry.this::timeIsOver, Math.max(0, attempt.leftNanos()), TimeUnit.NANOSECONDS);
            questions.forEach(question -> session.ask(Inquiry.this::answered, question));
            session.flush();
        }

        @Override
        public void over(Attempt ended, Fault fault) {
            if (!over && ended.readySession() == null && logins.mayMend(fault)) {
                attempt = newAttempt(ended.leftNanos());
                attempt.start(place, anew);
            } else {
                failed(fault);
            }
        }
    }
}
