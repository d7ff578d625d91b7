package io.holdfast.lock.engine.election;

import io.holdfast.lock.Leader;
import io.holdfast.lock.LeaderElection;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.Registration;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.key.ElectionKeys;
import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.kind.SharedScripts;
import io.holdfast.lock.engine.latch.Watched;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An election as its user sees it (rules 61, 62, 66). */
public final class EngineElection implements LeaderElection, Watched {

    final Elections work;
    final ElectionKeys keys;
    final EngineLock lock;
    /** How long a term lasts at most; {@link Ticket#NEVER} without a limit. */
    final long limitNanos;

    /** @param lock the lock of the election's name: the fair one, or over nodes the plain one */
    public EngineElection(Elections work, ElectionKeys keys, EngineLock lock) {
        this(work, keys, lock, Ticket.NEVER);
    }

    private EngineElection(Elections work, ElectionKeys keys, EngineLock lock, long limitNanos) {
        this.work = work;
        this.keys = keys;
        this.lock = lock;
        this.limitNanos = limitNanos;
    }

    @Override
    public String getName() {
        return keys.name;
    }

    @Override
    public LeaderElection withTermLimit(Duration limit) {
        Objects.requireNonNull(limit, "limit");
        Duration lease = Duration.ofMillis(LeaseTerm.unnamed(lock.options).millis());
        if (limit.compareTo(lease) < 0) {
            throw outOfBounds("term limit", Durations.of(limit), "at least the lease, " + Durations.of(lease));
        }
        Duration longest = Duration.ofMillis(LeaseTerm.LONGEST_MILLIS);
        if (limit.compareTo(longest) > 0) {
            throw outOfBounds("term limit", Durations.of(limit), "at most " + Durations.of(longest));
        }
        return new EngineElection(work, keys, lock, limit.toNanos());
    }

    IllegalArgumentException outOfBounds(String what, String given, String expected) {
        return new IllegalArgumentException(named() + ": " + what + ": " + given + " (expected: " + expected + ")");
    }

    // --- campaigns ---

    @Override
    public Leadership campaign(String id, byte[] value) throws InterruptedException {
        return only(campaign(id, value, Ticket.NEVER));
    }

    @Override
    public Optional<Leadership> campaign(String id, byte[] value, Duration wait) throws InterruptedException {
        return campaign(id, value, waitNanos(wait));
    }

    private Optional<Leadership> campaign(String id, byte[] value, long waitNanos) throws InterruptedException {
        byte[] copy = checked(id, value);
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before campaign on " + named());
        }
        Parked<Optional<EngineLeadership>> result =
                Parked.forOthers(work.facts.runtime().blocker(), "campaign", named());
        Campaign call = new Campaign(this, id, copy, waitNanos, result);
        call.start();
        return result.awaitInterruptibly(call::withdraw).map(granted -> granted);
    }

    @Override
    public RFuture<Leadership> campaignAsync(String id, byte[] value) {
        return campaignAsync(id, value, Ticket.NEVER, EngineElection::only);
    }

    @Override
    public RFuture<Optional<Leadership>> campaignAsync(String id, byte[] value, Duration wait) {
        return campaignAsync(id, value, waitNanos(wait), granted -> granted.map(leadership -> leadership));
    }

    private <V extends @Nullable Object> RFuture<V> campaignAsync(
            String id, byte[] value, long waitNanos, Function<Optional<EngineLeadership>, V> view) {
        byte[] copy = checked(id, value);
        Promise<Optional<EngineLeadership>, V> result =
                new Promise<>(work.facts.callbacks(), view, granted -> granted.ifPresent(EngineLeadership::giveBack));
        Campaign call = new Campaign(this, id, copy, waitNanos, result);
        call.start();
        result.onWithdrawn(call::withdraw);
        return result.future();
    }

    private static Leadership only(Optional<? extends Leadership> granted) {
        return granted.orElseThrow(() -> new IllegalStateException("a campaign without a limit was refused"));
    }

    private static long waitNanos(Duration wait) {
        return Ticket.waitNanos(Objects.requireNonNull(wait, "wait"));
    }

    private byte[] checked(String id, byte[] value) {
        Objects.requireNonNull(id, "id");
        ElectionKeys.checkId(named() + ": id", id);
        return checked(value);
    }

    /** A copy of a value that is not too long. */
    byte[] checked(byte[] value) {
        Objects.requireNonNull(value, "value");
        if (value.length > MAX_VALUE_BYTES) {
            throw outOfBounds("value", value.length + " bytes", "at most " + MAX_VALUE_BYTES);
        }
        return value.clone();
    }

    // --- looks ---

    @Override
    public Optional<Leader> leader() {
        return leader(new Parked<Sight>(work.facts.runtime().blocker(), "leader on " + named()))
                .await()
                .leader();
    }

    @Override
    public RFuture<Optional<Leader>> leaderAsync() {
        return leader(new Promise<Sight, Optional<Leader>>(work.facts.callbacks(), Sight::leader, seen -> {}))
                .future();
    }

    private <P extends Pending<Sight>> P leader(P result) {
        work.observe(keys, result);
        return result;
    }

    @Override
    public Registration observe(Consumer<? super Optional<Leader>> changes) {
        Objects.requireNonNull(changes, "changes");
        if (work.facts.isClosed()) {
            throw Failures.ofQuestion(
                    named(), new Fault(Fault.Kind.CLOSED, false, work.facts.node(), "the client is closed"));
        }
        Observer observer = new Observer(this, changes);
        work.watches.enter(this, observer);
        return observer;
    }

    // --- how the server is asked ---

    @Override
    public Named named() {
        return Elections.named(keys);
    }

    @Override
    public String key() {
        return keys.key();
    }

    @Override
    public int slot() {
        return keys.lock.slot;
    }

    @Override
    public List<byte[]> channels() {
        return keys.channels();
    }

    @Override
    public Script script() {
        return SharedScripts.OBSERVE;
    }

    @Override
    public void write(Args out) {
        keys.writeKeys(out);
    }

    @Override
    public Sight read(Reply reply) {
        return Sight.of(reply);
    }

    @Override
    public Optional<Object> agreed(List<Object> seen, int nodes) {
        return Sight.agreed(seen.stream().map(Sight.class::cast).toList(), nodes)
                .map(sight -> sight);
    }

    /** A millisecond later than the lock's time is over: then it is gone, unless it was renewed. */
    @Override
    public long changesAfterNanos(Object seen) {
        long left = ((Sight) seen).timeToLiveMillis();
        return left < 0 ? NEVER : TimeUnit.MILLISECONDS.toNanos(left + 1);
    }

    @Override
    public String toString() {
        return named().toString();
    }
}
