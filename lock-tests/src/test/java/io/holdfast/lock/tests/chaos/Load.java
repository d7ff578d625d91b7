package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lanes of one process that contend for locks until they are stopped. */
final class Load {

    private static final Duration LONGEST_CALL = Duration.ofSeconds(40);

    /** How often of ten a lane takes a lock as a hold of its own, and how often it takes one twice. */
    private static final int HANDLES_OF_TEN = 5;

    private static final int TWICE_OF_TEN = 3;

    /** How often of ten a lane that takes locks in the server's order only reads. */
    private static final int READS_OF_TEN = 3;

    private final LoadPlan plan;
    private final Seen.Sink sink;
    private final Counters counters;
    private final LockClient client;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final List<Background<Boolean>> lanes = new ArrayList<>();

    Load(LoadPlan plan, Counters counters, Seen.Sink sink) {
        this.plan = plan;
        this.counters = counters;
        this.sink = sink;
        this.client = connect(plan);
    }

    private static LockClient connect(LoadPlan plan) {
        var options = Clients.quick()
                .clientName("chaos-" + plan.lane())
                .connectTimeout(Duration.ofSeconds(10))
                .localHandOver(!plan.asking())
                .build();
        return plan.urls().size() == 1
                ? LockClient.connect(plan.urls().get(0), options)
                : LockClient.connectQuorum(plan.urls(), options, PATIENT);
    }

    /** A busy machine is no reason to do without a server. */
    static final QuorumOptions PATIENT =
            QuorumOptions.builder().nodeTimeout(Duration.ofMillis(250)).build();

    void start() {
        LockOptions options = Clients.watchdog(Duration.ofMillis(plan.watchdogMillis()));
        for (int i = 1; i <= plan.threads(); i++) {
            String lane = plan.lane() + "." + i;
            Random random = new Random(plan.seed() * 31 + i);
            lanes.add(Background.run(() -> {
                Actor actor = new Actor(sink, lane, client, options, plan.inTurn());
                while (!pause(random.nextInt(plan.thinkMillis() + 1))) {
                    turn(actor, lane, random);
                }
            }));
        }
    }

    private void turn(Actor actor, String lane, Random random) throws InterruptedException {
        String lock = plan.locks().get(random.nextInt(plan.locks().size()));
        Duration wait = Duration.ofMillis(plan.waitMillis());
        boolean reads = plan.inTurn() && random.nextInt(10) < READS_OF_TEN;
        Actor.Held held = reads ? actor.tryRead(lock, wait) : taken(actor, lock, wait, random);
        if (held == null) {
            return;
        }
        try {
            Counters.Reading reading = counters.read(plan.row() + "/" + lock, held.token);
            held.look();
            if (random.nextInt(10) < TWICE_OF_TEN) {
                held.again();
            }
            pause(random.nextInt(plan.holdMillis() + 1));
            if (!reads) {
                counters.write(reading, lane, sink);
            }
        } catch (LockException resource) {
            sink.see(new Seen.Problem("LV", lane + ": the counters can't be reached: " + resource.getMessage()));
        }
        held.look();
        held.release();
    }

    private static Actor.@Nullable Held taken(Actor actor, String lock, Duration wait, Random random) {
        return random.nextInt(10) < HANDLES_OF_TEN ? actor.tryAcquire(lock, wait) : actor.tryLock(lock, wait);
    }

    /** Returns whether the load was stopped meanwhile. */
    private boolean pause(long millis) throws InterruptedException {
        return stopped.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Ends all lanes; a call that does not end is a problem. */
    void stop() {
        stopped.countDown();
        for (Background<Boolean> lane : lanes) {
            try {
                lane.result(LONGEST_CALL);
            } catch (Exception | AssertionError failure) {
                sink.see(new Seen.Problem("LV", plan.lane() + ": a lane did not end well: " + failure));
            }
        }
    }

    void close() {
        client.close();
    }
}
