package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.call.Alarm;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Identity;
import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.engine.call.OnceTask;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.engine.call.Version;
import io.holdfast.lock.engine.key.RecordKey;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.Machine;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.text.Printable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this client says of itself at its stores: a record under each prefix of its locks, from soon after the first grant until
 * it is closed. A record lives three times as long as the pause between renewals, so that one may fail.
 *
 * <p>No lock waits for a record. It is written after the grant, by ordinary calls on a timer's thread, and what goes wrong with
 * it goes wrong in silence; but a right that is missing is told once, and then nothing is written any more.
 */
public final class ClientRecords {

    /** How long a record lives. */
    public static final long LIFE_MILLIS = TimeUnit.SECONDS.toMillis(90);

    private static final long RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** A program that locks once and ends leaves no record, and the first locks have the connection for themselves. */
    private static final long AFTER_GRANT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** How long closing waits for the records to go: what is left of them expires. */
    private static final long GOING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Names are made up by users: a prefix more than these has no record. */
    private static final int MOST_PREFIXES = 64;

    private static final Logger log = LoggerFactory.getLogger(ClientRecords.class);

    private final ClientFacts facts;
    private final Instant since;
    private final boolean wanted;
    /** Prefixes of locks that were granted. */
    private final Set<String> prefixes = ConcurrentHashMap.newKeySet();
    /** Those of the latest grant with others than before: most clients have no others. A race costs a look at the set. */
    private @Nullable LockOptions known;

    // The gate's own.

    private final SerialGate gate;
    private final Alarm alarm;
    private final List<ClientRecord> records = new ArrayList<>();
    private boolean asking;
    private boolean closed;

    private final AtomicBoolean warned = new AtomicBoolean();

    public ClientRecords(ClientFacts facts) {
        this.facts = facts;
        this.wanted = facts.options().clientRecord();
        this.since = facts.runtime().timeOfDay();
        this.gate = new SerialGate(facts.runtime().steps());
        this.alarm = new Alarm(facts.runtime(), gate, this::renew);
    }

    /** A lock was granted. Within a step, so options are told apart by identity: what listeners call equal is code of users. */
    @SuppressWarnings("ReferenceEquality")
    public void granted(LockOptions options) {
        if (wanted && options != known) {
            known = options;
            String prefix = options.prefix();
            if (prefixes.size() < MOST_PREFIXES && prefixes.add(prefix)) {
                gate.run(() -> begin(prefix));
            }
        }
    }

    private void begin(String prefix) {
        if (closed) {
            return;
        }
        RecordKey key = RecordKey.of(prefix, facts.clientId());
        for (Store store : facts.stores()) {
            records.add(new ClientRecord(this, facts, store, key));
        }
        long due = facts.nanos() + AFTER_GRANT_NANOS;
        alarm.setFor(due);
    }

    private void renew() {
        if (closed) {
            return;
        }
        Identity own = (Identity) facts.identity().orElse(null);
        if (own == null) {
            introduce();
            return;
        }
        for (ClientRecord record : records) {
            record.write(own);
        }
        alarm.setFor(facts.nanos() + RENEWAL_NANOS);
    }

    /** Finds out which process this is, once: on a thread that may ask a name server. */
    private void introduce() {
        if (!asking) {
            asking = OnceTask.send(facts.runtime().callbacks(), () -> {
                Machine machine = facts.runtime().machine();
                gate.run(() -> introduced(machine));
            });
        }
        if (!asking) {
            alarm.setFor(facts.nanos() + RENEWAL_NANOS);
        }
    }

    private void introduced(Machine machine) {
        facts.identity(new Identity(
                facts.clientId(),
                facts.options().applicationName().orElse(""),
                machine.host(),
                machine.processId(),
                Version.text(),
                since));
        renew();
    }

    /**
     * Takes the records away, where the stores are there to be told.
     *
     * @return completes soon, with whether no call is left without an answer
     */
    public CompletableFuture<Boolean> close() {
        CompletableFuture<Boolean> gone = new CompletableFuture<>();
        gate.run(() -> {
            closed = true;
            alarm.cancel();
            CompletableFuture<?>[] all =
                    records.stream().map(ClientRecord::remove).toArray(CompletableFuture[]::new);
            CompletableFuture.allOf(all).thenRun(() -> gone.complete(true));
        });
        if (!gone.isDone()) {
            Timer patience = facts.runtime().after(GOING_NANOS, () -> gone.complete(false));
            gone.whenComplete((all, failure) -> patience.cancel());
        }
        return gone;
    }

    /** A store refuses a record: one warning says so, whatever other stores refuse. */
    void refused(Store store, String detail) {
        if (warned.compareAndSet(false, true)) {
            Logging.attempt(() -> log.warn(
                    "{}: this client keeps no record of itself there, so others can't tell which process holds its locks: {}",
                    store.node(),
                    Printable.of(detail)));
        }
    }
}
