package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** This library's client. */
final class HoldfastParty implements Party {

    /** A busy machine is no reason to do without a server. */
    static final QuorumOptions PATIENT =
            QuorumOptions.builder().nodeTimeout(Duration.ofMillis(250)).build();

    /** The least for a busy machine, docs/sentinel.md says. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    /** How often of ten a lane takes a lock as a hold of its own. */
    private static final int HANDLES_OF_TEN = 5;

    /** How often of ten a lane that takes locks in the server's order only reads. */
    private static final int READS_OF_TEN = 3;

    private final LoadPlan plan;
    private final LockClient client;

    HoldfastParty(LoadPlan plan) {
        this.plan = plan;
        Duration lease = Duration.ofMillis(plan.watchdogMillis());
        ClientOptions.Builder options = Clients.quick()
                .clientName("chaos-" + plan.lane())
                .connectTimeout(Duration.ofSeconds(10))
                .localHandOver(plan.peer() != Peer.ASKING);
        if (plan.peer() == Peer.GUARDED) {
            options.failoverGuard(lease)
                    .lockOptions(Clients.watchdog(lease))
                    .sentinel(SentinelOptions.builder().silence(SILENCE).build());
        }
        client = plan.urls().size() == 1
                ? LockClient.connect(plan.urls().get(0), options.build())
                : LockClient.connectQuorum(plan.urls(), options.build(), PATIENT);
    }

    @Override
    public Lane lane(String name, Seen.Sink sink) {
        LockOptions options = LockOptions.builder()
                .watchdogLease(Duration.ofMillis(plan.watchdogMillis()))
                .listener(new Losses(name, sink))
                .build();
        Actor actor = new Actor(sink, name, client, options, plan.inTurn());
        return (lock, wait, random) -> take(actor, lock, wait, random);
    }

    private @Nullable Taken take(Actor actor, String lock, Duration wait, Random random) {
        if (plan.inTurn() && random.nextInt(10) < READS_OF_TEN) {
            return actor.tryRead(lock, wait);
        }
        return random.nextInt(10) < HANDLES_OF_TEN ? actor.tryAcquire(lock, wait) : actor.tryLock(lock, wait);
    }

    /** Writes down what a lane is told of its losses: of a thread's holds as of others. */
    private record Losses(String lane, Seen.Sink sink) implements LockListener {
        @Override
        public void lost(LockEvent event) {
            event.fencingToken()
                    .ifPresent(token -> sink.see(new Seen.Told(
                            lane,
                            event.name(),
                            token,
                            event.lossReason().map(Enum::name).orElse(""),
                            System.nanoTime())));
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
