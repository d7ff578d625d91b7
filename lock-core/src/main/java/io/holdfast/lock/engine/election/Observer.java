package io.holdfast.lock.engine.election;

import io.holdfast.lock.Leader;
import io.holdfast.lock.Registration;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Unwanted;
import io.holdfast.lock.engine.latch.Await;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.spi.Fault;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One observer of an election: a call that waits and is never over, until it is closed. What a look has seen is told elsewhere, the
 * newest only, so that it costs no look and no other observer time how long the observer takes.
 */
final class Observer extends Await implements Registration {

    private static final Logger log = LoggerFactory.getLogger(Observer.class);

    private final EngineElection election;
    private final Consumer<? super Optional<Leader>> changes;
    private final Pending<Done> result = new Unwanted<>();

    /** The newest that was seen; null if it was told already. */
    private final AtomicReference<@Nullable Optional<Leader>> untold = new AtomicReference<>();
    /** Whether a thread tells, or is about to. */
    private final AtomicBoolean telling = new AtomicBoolean();
    /** What was told last, if anything was. Belongs to the thread that tells. */
    private Optional<Leader> told = Optional.empty();

    private boolean hasTold;

    /** What follows belongs to the steps of the watch. The newest term that was seen, and the newest version in it. */
    private long term;

    private long version;
    /** Whether the log was told that nothing can be seen. */
    private boolean blind;

    Observer(EngineElection election, Consumer<? super Optional<Leader>> changes) {
        super(election.work.facts.nanos(), Ticket.NEVER);
        this.election = election;
        this.changes = changes;
    }

    // --- what is seen ---

    @Override
    protected Pending<?> result() {
        return result;
    }

    @Override
    protected boolean judge(Object seen, String node) {
        blind = false;
        Sight sight = (Sight) seen;
        if (sight.leader().isEmpty()) {
            tell(Optional.empty());
            return false;
        }
        long seenTerm = sight.leader().get().term();
        if (seenTerm < term) {
            // The server has lost a term: a leader of an earlier one is none (rule 61).
            tell(Optional.empty());
        } else if (seenTerm > term || sight.version() >= version) {
            term = seenTerm;
            version = sight.version();
            tell(sight.leader());
        }
        return false;
    }

    /** Trouble ends no observer: the log is told of what does not pass by itself. */
    @Override
    protected boolean endsWith(Fault met) {
        if (met.kind() == Fault.Kind.CLOSED) {
            return true;
        }
        if (!met.mayPass() && !blind) {
            blind = true;
            Logging.attempt(() -> log.warn(
                    "{}, {}: its observers are told nothing for now: {}: {}",
                    election,
                    met.node(),
                    met.kind(),
                    met.detail()));
        }
        return false;
    }

    @Override
    protected boolean endsWithOutage() {
        return false;
    }

    @Override
    protected boolean refuse() {
        return false;
    }

    // --- what is told ---

    private void tell(Optional<Leader> newest) {
        untold.set(newest);
        tellSoon();
    }

    private void tellSoon() {
        if (telling.compareAndSet(false, true)) {
            boolean handedOver = false;
            try {
                election.work.facts.callbacks().tellElection(this::tellNow);
                handedOver = true;
            } finally {
                if (!handedOver) {
                    telling.set(false);
                }
            }
        }
    }

    private void tellNow() {
        try {
            Optional<Leader> newest = untold.getAndSet(null);
            if (newest != null && !(hasTold && newest.equals(told)) && !result.isSettled()) {
                told = newest;
                hasTold = true;
                attempt(newest);
            }
        } finally {
            telling.set(false);
        }
        if (untold.get() != null) {
            tellSoon();
        }
    }

    private void attempt(Optional<Leader> newest) {
        try {
            changes.accept(newest);
        } catch (Throwable broken) {
            if (election.work.failures.permits()) {
                Logging.attempt(() -> log.warn("{}: an observer failed", election, broken));
            }
        }
    }

    @Override
    public void close() {
        if (result.abandon()) {
            election.work.watches.withdraw(election, this);
        }
    }
}
