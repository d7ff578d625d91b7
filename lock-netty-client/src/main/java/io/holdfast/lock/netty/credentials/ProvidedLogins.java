package io.holdfast.lock.netty.credentials;

import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logins that a user's provider gives to all connections of a client (ADR 34).
 *
 * <p>One call to the provider is under way at a time, and all connections that ask meanwhile have its answer. A call that
 * goes unanswered is overtaken by another one. A few at most have a thread inside the provider; the oldest is interrupted
 * after a while. A call that only waits for what the provider returned keeps no other from being made.
 *
 * <p>What the provider gave last stays in use while it fails or hangs. That is said once, and again only after it has
 * worked in between.
 *
 * <p>Safe for use by many threads; no code of others runs while it is locked.
 */
public final class ProvidedLogins implements Logins, ProviderCall.Owner {

    private static final Logger log = LoggerFactory.getLogger(ProvidedLogins.class);

    static final int MOST_UNANSWERED = 4;

    /** So long a thread may be inside the provider, where another call needs one. */
    static final long LONGEST_CALL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int MOST_DOUBLINGS = 5;

    private final CredentialsProvider provider;
    private final Runtime runtime;
    private final Executor threads;
    private final WallClock clock;
    private final String clientName;

    // What follows is guarded by this.

    private final List<Question> questions = new ArrayList<>();
    /** Those that wait for a login that others ask for. */
    private final List<Question> watchers = new ArrayList<>();

    private final List<ProviderCall> unanswered = new ArrayList<>();
    /** The call that began last; null once it is answered. */
    private @Nullable ProviderCall latest;
    /** What the provider gave last. */
    private @Nullable Login current;

    private long calls;
    /** How many calls brought no login in time since there was one. */
    private int misses;
    /** Which call was the last of these. */
    private long missed;
    /** Whether a question has waited in vain since the last answer. */
    private boolean silent;

    private boolean failureSaid;
    private boolean closed;

    /** @param threads for a provider that may block */
    public ProvidedLogins(CredentialsProvider provider, Runtime runtime, Executor threads, String clientName) {
        this(provider, runtime, threads, clientName, WallClock.SYSTEM);
    }

    ProvidedLogins(
            CredentialsProvider provider, Runtime runtime, Executor threads, String clientName, WallClock clock) {
        this.provider = provider;
        this.runtime = runtime;
        this.threads = provider.mayBlock() ? threads : Runnable::run;
        this.clientName = clientName;
        this.clock = clock;
    }

    @Override
    public Request forConnection(long patienceNanos, Executor loop, Receiver receiver) {
        return ask(new Question(null, patienceNanos, loop, receiver));
    }

    @Override
    public Request after(Login earlier, long patienceNanos, Executor loop, Receiver receiver) {
        return ask(new Question(earlier, patienceNanos, loop, receiver));
    }

    @Override
    public Request whenGiven(@Nullable Login earlier, Executor loop, Receiver receiver) {
        Question watcher = new Question(earlier, 0, loop, receiver);
        Login known;
        synchronized (this) {
            if (closed) {
                return Request.ANSWERED;
            }
            known = current;
            if (known == null || !watcher.likes(known)) {
                watchers.add(watcher);
                return watcher;
            }
        }
        watcher.tell(known);
        return watcher;
    }

    @Override
    public synchronized long pauseNanos() {
        long pauseNanos = FIRST_PAUSE_NANOS << Math.min(Math.max(0, misses - 1), MOST_DOUBLINGS);
        return Math.min(pauseNanos, LONGEST_PAUSE_NANOS);
    }

    @Override
    public void close() {
        List<ProviderCall> useless;
        synchronized (this) {
            closed = true;
            useless = List.copyOf(unanswered);
            unanswered.clear();
            questions.forEach(Question::stopWaiting);
            questions.clear();
            watchers.clear();
        }
        useless.forEach(ProviderCall::cancel);
    }

    @Override
    public void given(ProviderCall call, Credentials credentials, Optional<Duration> interval) {
        Login login = Login.of(credentials, call.number, interval, runtime.nanos(), clock.now());
        List<Question> answered = new ArrayList<>();
        boolean works;
        synchronized (this) {
            ended(call);
            if (closed) {
                return;
            }
            if (current == null || current.number() < login.number()) {
                current = login;
            }
            silent = false;
            misses = 0;
            works = failureSaid;
            failureSaid = false;
            takeThoseThatLike(login, questions, answered);
            takeThoseThatLike(login, watchers, answered);
        }
        if (works) {
            log.info("The credentials provider of {} works again", Printable.of(clientName));
        }
        answered.forEach(question -> question.tell(login));
    }

    @Override
    public void failed(ProviderCall call, String why) {
        List<Question> answered;
        Login kept;
        synchronized (this) {
            boolean superseded = latest != call;
            ended(call);
            if (closed || superseded) {
                return;
            }
            silent = false;
            miss(call.number);
            kept = current;
            answered = List.copyOf(questions);
            questions.clear();
            answered.forEach(Question::stopWaiting);
        }
        say(why);
        answered.forEach(question -> question.tellOfFailure(kept, why));
    }

    @Override
    public String toString() {
        return "ProvidedLogins{" + Printable.of(clientName) + '}';
    }

    private Request ask(Question question) {
        Login atOnce;
        ProviderCall call;
        List<ProviderCall> stuck = List.of();
        synchronized (this) {
            if (closed) {
                return Request.ANSWERED;
            }
            atOnce = question.answerAtOnce();
            call = null;
            if (atOnce == null || silent) {
                call = newCall(question.patienceNanos);
                stuck = call == null ? stuckCalls() : List.of();
            }
            if (atOnce == null) {
                questions.add(question);
                question.startWaiting();
            }
        }
        stuck.forEach(ProviderCall::cancel);
        if (call != null) {
            call.begin(threads);
        }
        if (atOnce != null) {
            question.tell(atOnce);
        }
        return question;
    }

    /** A call, unless one is under way that may still be answered, or too many keep a thread. */
    private @Nullable ProviderCall newCall(long patienceNanos) {
        long now = runtime.nanos();
        if ((latest != null && now - latest.beganNanos < patienceNanos) || !makeRoom()) {
            return null;
        }
        ProviderCall call = new ProviderCall(provider, ++calls, now, this);
        latest = call;
        unanswered.add(call);
        return call;
    }

    /** Forgets the oldest call without a thread if there are too many; its answer is used if it comes after all. */
    private boolean makeRoom() {
        if (unanswered.size() < MOST_UNANSWERED) {
            return true;
        }
        for (ProviderCall call : unanswered) {
            if (!call.needsThread()) {
                return unanswered.remove(call);
            }
        }
        return false;
    }

    /** The calls that have had their time, where no more can be made. */
    private List<ProviderCall> stuckCalls() {
        if (unanswered.size() < MOST_UNANSWERED) {
            return List.of();
        }
        long now = runtime.nanos();
        return unanswered.stream()
                .filter(call -> now - call.beganNanos >= LONGEST_CALL_NANOS)
                .toList();
    }

    /** A call brought no login in time; all connections that waited for it make this one miss. */
    private void miss(long call) {
        if (call > missed) {
            missed = call;
            misses++;
        }
    }

    private void ended(ProviderCall call) {
        unanswered.remove(call);
        if (latest == call) {
            latest = null;
        }
    }

    private static void takeThoseThatLike(Login login, List<Question> waiting, List<Question> taken) {
        for (Iterator<Question> each = waiting.iterator(); each.hasNext(); ) {
            Question question = each.next();
            if (question.likes(login)) {
                each.remove();
                question.stopWaiting();
                taken.add(question);
            }
        }
    }

    /** Says what is wrong with the provider, unless that was said before, or is said by the connections anyway. */
    private void say(String why) {
        boolean first;
        synchronized (this) {
            first = !failureSaid && current != null;
            failureSaid |= first;
        }
        if (first) {
            log.warn(
                    "The credentials provider of {} {}; what it gave before stays in use",
                    Printable.of(clientName),
                    Printable.message(why));
        } else {
            log.debug("The credentials provider of {} {}", Printable.of(clientName), Printable.message(why));
        }
    }

    /** A connection that wants a login; guarded by the logins, but for what it tells. */
    private final class Question implements Request, Runnable {

        private final @Nullable Login earlier;
        private final long patienceNanos;
        private final Executor loop;
        private final Receiver receiver;
        private volatile boolean cancelled;
        private @Nullable Timer patience;

        Question(@Nullable Login earlier, long patienceNanos, Executor loop, Receiver receiver) {
            this.earlier = earlier;
            this.patienceNanos = patienceNanos;
            this.loop = loop;
            this.receiver = receiver;
        }

        /** What is there already and will do. */
        @Nullable
        Login answerAtOnce() {
            Login known = current;
            if (known == null) {
                return null;
            }
            if (earlier == null) {
                return silent ? known : null;
            }
            return likes(known) && !known.isDue(runtime.nanos()) ? known : null;
        }

        boolean likes(Login login) {
            return earlier == null || login.number() > earlier.number();
        }

        void startWaiting() {
            patience = runtime.after(patienceNanos, this);
        }

        void stopWaiting() {
            if (patience != null) {
                patience.cancel();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            synchronized (ProvidedLogins.this) {
                questions.remove(this);
                watchers.remove(this);
                stopWaiting();
            }
        }

        /** The patience is at its end. */
        @Override
        public void run() {
            Login kept;
            synchronized (ProvidedLogins.this) {
                if (!questions.contains(this)) {
                    return;
                }
                silent = true;
                kept = current;
                if (earlier != null) {
                    miss(calls);
                }
                if (earlier != null || kept != null) {
                    questions.remove(this);
                }
            }
            String why = "has not answered for " + TimeUnit.NANOSECONDS.toMillis(patienceNanos) + " ms";
            say(why);
            if (earlier != null || kept != null) {
                tellOfFailure(kept, why);
            }
        }

        /** A connection has what there was before; a better one than that there is not. */
        void tellOfFailure(@Nullable Login kept, String why) {
            if (earlier == null && kept != null) {
                tell(kept);
            } else {
                pass(() -> receiver.noLogin("the credentials provider " + why));
            }
        }

        void tell(Login login) {
            pass(() -> receiver.login(login));
        }

        private void pass(Runnable news) {
            try {
                loop.execute(() -> {
                    if (!cancelled) {
                        news.run();
                    }
                });
            } catch (RejectedExecutionException closedLoop) {
                // The client was closed meanwhile, and its connections with it.
                log.debug("A login came after its client was closed");
            }
        }
    }
}
