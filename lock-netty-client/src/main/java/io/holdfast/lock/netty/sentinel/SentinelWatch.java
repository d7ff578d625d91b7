package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Vouching;
import io.holdfast.lock.text.Printable;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the Sentinels of a primary say that it is.
 *
 * <p>All Sentinels are asked in rounds: every second, or sooner where answers count for less than four, when one of them says that the primary was replaced, when a link
 * looks for the server, and soon again while they disagree. A round ends as soon as the Sentinels without an answer can't
 * change its outcome, or have had their time. Its outcome is a {@link Vote}; when another primary comes of it, all links
 * leave the one before in the same step (rule 84).
 *
 * <p>State belongs to the event loop of the links that ask.
 */
public final class SentinelWatch implements Whereabouts, KnownSentinel.Listener {

    /** How a client reaches what Sentinels name. */
    public interface Ways {

        /**
         * How to connect to a Sentinel.
         *
         * @param isSeed whether the Sentinel stands in the client's address, as opposed to having been announced
         */
        ConnectionSettings toSentinel(Target.Host sentinel, boolean isSeed);

        /** Where a primary is. */
        Whereabouts toPrimary(Target.Host announced);
    }

    private static final long BETWEEN_ROUNDS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LONGEST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Bounds what a flood of messages makes a client ask. */
    private static final long AFTER_MESSAGE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Target.Sentinels group;
    private final Ways ways;
    private final IoLoops loops;
    private final Runtime runtime;
    private final SentinelLog log;
    private final long leastPatienceNanos;
    private final List<Follower> links = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    // --- the event loop's own; there is none before the first question ---

    private volatile @Nullable EventLoop loop;
    private final KnownSentinels sentinels;
    private final Vouchings vouchings;
    private final Set<Question> questions = new LinkedHashSet<>();

    private @Nullable Word present;
    private final PrimaryRun run = new PrimaryRun();
    private @Nullable Whereabouts place;
    /** When a round has named the primary last. */
    private long namedNanos;

    /** Whether a link was told that the primary is not known, and has not been told otherwise. */
    private boolean unknown;

    /** How long a round waits for answers: twice as long as the slowest has taken. */
    private long patienceNanos;

    private long slowestNanos;

    private boolean inRound;
    private long begunNanos;
    private boolean patienceIsOver;
    private boolean again;
    private long pauseNanos = BETWEEN_ROUNDS_NANOS;
    private @Nullable ScheduledFuture<?> timer;
    private boolean closed;

    /**
     * @param connectTimeoutNanos what an attempt to connect may take; a round has a part of it
     * @param silenceNanos after how long without any answer the log says so
     */
    public SentinelWatch(
            Target.Sentinels group,
            Ways ways,
            IoLoops loops,
            Runtime runtime,
            long connectTimeoutNanos,
            long silenceNanos) {
        this.leastPatienceNanos = Math.min(PATIENCE_NANOS, connectTimeoutNanos / 4);
        this.patienceNanos = leastPatienceNanos;
        this.group = group;
        this.ways = ways;
        this.loops = loops;
        this.runtime = runtime;
        this.log = new SentinelLog(group, runtime, silenceNanos);
        this.sentinels = new KnownSentinels(this::connect, log);
        this.vouchings = new Vouchings(Printable.of(group.master()), runtime);
    }

    @Override
    public void follow(Follower link) {
        links.add(link);
    }

    @Override
    public Stream<NodeConnection> look() {
        return sentinels.look();
    }

    @Override
    public boolean tellsMoves() {
        return true;
    }

    @Override
    public Search ask(EventLoop askersLoop, boolean anew, Asker asker) {
        if (loop == null) {
            loop = askersLoop;
            log.begin();
            group.seeds().forEach(sentinels::addSeed);
        }
        Question question = new Question(anew, asker);
        questions.add(question);
        if (place != null && runtime.nanos() - namedNanos < SOON_NANOS) {
            question.lookUp();
        } else {
            round(true);
        }
        return question;
    }

    @Override
    public Vouching vouching(EventLoop linksLoop, long silenceNanos, Runnable begin) {
        return vouchings.add(linksLoop, silenceNanos, begin);
    }

    /** Ends all connections to Sentinels. */
    @Override
    public CompletionStage<Void> close() {
        EventLoop own = loop;
        if (own == null) {
            gone.complete(null);
            return gone;
        }
        try {
            own.execute(this::closeNow);
        } catch (RejectedExecutionException loopEnded) {
            gone.complete(null);
        }
        return gone;
    }

    @Override
    public void heard(long nanos) {
        log.heard();
        slowestNanos = Math.max(slowestNanos, nanos);
        if (nanos > patienceNanos) {
            patienceNanos = patienceFor(nanos);
        }
        if (closed) {
            return;
        }
        if (inRound) {
            consider();
        } else {
            hearLate();
        }
        vouch();
    }

    @Override
    public void failed() {
        if (inRound && !closed) {
            consider();
        }
        vouch();
    }

    @Override
    public void switched(String message) {
        if (closed || !message.startsWith(group.master() + " ")) {
            return;
        }
        if (inRound) {
            again = true;
        } else {
            long sinceNanos = runtime.nanos() - begunNanos;
            nextRound(Math.max(0, AFTER_MESSAGE_NANOS - sinceNanos));
        }
    }

    private void closeNow() {
        closed = true;
        cancelTimer();
        vouchings.end();
        sentinels.close().whenComplete((nothing, failure) -> gone.complete(null));
    }

    private KnownSentinel connect(Target.Host address, boolean isSeed) {
        return new KnownSentinel(
                ways.toSentinel(address, isSeed), isSeed, group.master(), loop(), loops, runtime, this);
    }

    // --- rounds ---

    /**
     * Begins a round, unless one is under way.
     *
     * @param urgent whether Sentinels without a connection are tried now
     */
    private void round(boolean urgent) {
        if (inRound || closed) {
            return;
        }
        patienceIsOver = false;
        again = false;
        slowestNanos = 0;
        begunNanos = runtime.nanos();
        cancelTimer();
        timer = loop().schedule(this::endPatience, patienceNanos, TimeUnit.NANOSECONDS);
        sentinels.each(sentinel -> sentinel.ask(urgent));
        // What was heard until here was no answer to this round.
        inRound = true;
        consider();
    }

    private void endPatience() {
        patienceIsOver = true;
        sentinels.each(KnownSentinel::patienceIsOver);
        log.tellSilence(present);
        consider();
        vouch();
        if (inRound && !closed) {
            timer = loop().schedule(this::endPatience, BETWEEN_ROUNDS_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    /** Ends the round if there is enough to go by. */
    private void consider() {
        List<Testimony> said = sentinels.said();
        if (sentinels.learn(said)) {
            // They are asked before the round ends.
            return;
        }
        Vote vote = Vote.of(said, sentinels.size(), present);
        // Without any word, late answers and connections that are being made are waited for.
        boolean mayHearMore = sentinels.any(sentinel -> sentinel.isAwaited() || (said.isEmpty() && sentinel.isAsked()));
        boolean isEnough = vote.isFinal() || !mayHearMore || (patienceIsOver && !said.isEmpty());
        if (inRound && isEnough) {
            end(vote, said);
        }
    }

    private void end(Vote vote, List<Testimony> said) {
        inRound = false;
        cancelTimer();
        sentinels.each(KnownSentinel::isTooSlow);
        if (said.size() == sentinels.size()) {
            patienceNanos = patienceFor(slowestNanos);
        }
        Word word = vote.word();
        log.outcome(vote, said, present);
        if (word != null) {
            pauseNanos = BETWEEN_ROUNDS_NANOS;
            named(word);
            found(run.heard(said, word));
        } else {
            boolean soon = !said.isEmpty() && !vote.knowNone();
            pauseNanos = soon ? Math.min(BETWEEN_ROUNDS_NANOS, nextPause()) : BETWEEN_ROUNDS_NANOS;
        }
        if (!closed) {
            sentinels.forget(said);
            nextRound(again ? AFTER_MESSAGE_NANOS : Math.min(pauseNanos, vouchings.longestPauseNanos()));
        }
        answer(vote);
    }

    /** Tells clients with the failover guard what it may go by. It counts all Sentinels and not those of a round. */
    private void vouch() {
        if (!closed) {
            vouchings.consider(Warrant.of(sentinels.latest(), sentinels.size()));
        }
    }

    private void nextRound(long delayNanos) {
        cancelTimer();
        timer = loop().schedule(() -> round(false), delayNanos, TimeUnit.NANOSECONDS);
    }

    /** An answer that comes when its round is over counts with the others of the round. */
    private void hearLate() {
        List<Testimony> said = sentinels.said();
        Vote vote = Vote.of(said, sentinels.size(), present);
        Word word = vote.word();
        if (word != null) {
            log.outcome(vote, said, present);
            named(word);
            found(run.heard(said, word));
            answer(vote);
        }
    }

    private long patienceFor(long answerNanos) {
        return Math.max(leastPatienceNanos, Math.min(LONGEST_PATIENCE_NANOS, 2 * answerNanos));
    }

    private long nextPause() {
        return pauseNanos == BETWEEN_ROUNDS_NANOS ? SOON_NANOS : 2 * pauseNanos;
    }

    private void named(Word word) {
        Word before = present;
        present = word;
        namedNanos = runtime.nanos();
        boolean isThere = before != null && before.primary().equals(word.primary());
        if (!isThere) {
            place = ways.toPrimary(word.primary());
        }
        // With a higher epoch it was replaced meanwhile, and may have forgotten.
        if (before != null && (!isThere || word.epoch() > before.epoch())) {
            List.copyOf(questions).forEach(Question::forgetPlace);
            links.forEach(Follower::moved);
        }
        if (!isThere) {
            // Last: a client that hears of it sends something at once, which is not for the server of before.
            vouchings.leadTo(word.primary());
        }
    }

    /** Has links leave that lead to another server process than the one that Sentinels have found in place of one before. */
    private void found(String runId) {
        if (!runId.isEmpty()) {
            links.forEach(link -> link.replaced(runId));
        }
    }

    /** Tells those that look for the server what the round has brought. */
    private void answer(Vote vote) {
        boolean isKnown = place != null && !vote.knowNone() && (vote.word() != null || presentIsNamed());
        if (isKnown && unknown) {
            unknown = false;
            links.forEach(Follower::known);
        }
        for (Question question : List.copyOf(questions)) {
            if (isKnown) {
                question.lookUp();
            } else {
                unknown = true;
                question.fail(kind(vote), log.reason(vote, sentinels.said(), sentinels.obstacles(), present));
            }
        }
    }

    /** Whether the primary in use, if there is no majority for it, is what one of those says that answer. */
    private boolean presentIsNamed() {
        Word word = present;
        return word != null
                && sentinels.said().stream()
                        .map(Testimony::word)
                        .anyMatch(said -> said != null && said.primary().equals(word.primary()));
    }

    /** A Sentinel that refuses the client for good, as with a wrong password, may be the one that knows. */
    private Kind kind(Vote vote) {
        if (vote.knowNone()) {
            return present == null ? Kind.SERVER_ERROR : Kind.UNREACHABLE;
        }
        return sentinels.obstacles().stream()
                .map(Fault::kind)
                .filter(kind -> vote.answers() == 0 && !kind.isTransient())
                .findFirst()
                .orElse(Kind.UNREACHABLE);
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private EventLoop loop() {
        return Objects.requireNonNull(loop, "nothing was asked yet");
    }

    /** A link that looks for the server. */
    private final class Question implements Search, Asker {

        private final boolean anew;
        private final Asker asker;
        private @Nullable Search lookup;

        Question(boolean anew, Asker asker) {
            this.anew = anew;
            this.asker = asker;
        }

        /** Finds the addresses of the primary, unless that is under way. */
        void lookUp() {
            if (lookup == null && place != null && questions.contains(this)) {
                lookup = Search.NONE;
                Search begun = place.ask(loop(), anew, this);
                if (questions.contains(this)) {
                    lookup = begun;
                }
            }
        }

        /** The primary is another one now. */
        void forgetPlace() {
            if (lookup != null) {
                lookup.cancel();
                lookup = null;
            }
        }

        void fail(Kind kind, String reason) {
            if (lookup == null) {
                unknown(kind, reason);
            }
        }

        @Override
        public String obstacle() {
            return lookup != null
                    ? lookup.obstacle()
                    : log.reason(
                            Vote.of(List.of(), sentinels.size(), present), List.of(), sentinels.obstacles(), present);
        }

        @Override
        public void cancel() {
            forgetPlace();
            questions.remove(this);
        }

        @Override
        public void found(List<? extends SocketAddress> addresses) {
            if (questions.remove(this)) {
                asker.found(addresses);
            }
        }

        @Override
        public void unknown(Kind kind, String reason) {
            if (questions.remove(this)) {
                asker.unknown(kind, reason);
            }
        }
    }
}
