package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.LockException;
import io.holdfast.lock.tests.harness.Background;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lanes of one process that contend for locks until they are stopped. */
final class Load {

    private static final Duration LONGEST_CALL = Duration.ofSeconds(40);

    /** How often of ten a lane takes it twice. */
    private static final int TWICE_OF_TEN = 3;

    private final LoadPlan plan;
    private final Seen.Sink sink;
    private final Counters counters;
    private final Party party;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final List<Background<Boolean>> lanes = new ArrayList<>();

    Load(LoadPlan plan, Counters counters, Seen.Sink sink) {
        this.plan = plan;
        this.counters = counters;
        this.sink = sink;
        this.party = plan.peer() == Peer.REDISSON ? new RedissonParty(plan) : new HoldfastParty(plan);
    }

    void start() {
        for (int i = 1; i <= plan.threads(); i++) {
            String lane = plan.lane() + "." + i;
            Random random = new Random(plan.seed() * 31 + i);
            lanes.add(Background.run(() -> {
                Party.Lane calls = party.lane(lane, sink);
                while (!pause(random.nextInt(plan.thinkMillis() + 1))) {
                    turn(calls, lane, random);
                }
            }));
        }
    }

    private void turn(Party.Lane calls, String lane, Random random) throws InterruptedException {
        String lock = plan.locks().get(random.nextInt(plan.locks().size()));
        Party.Taken held = calls.take(lock, Duration.ofMillis(plan.waitMillis()), random);
        if (held == null) {
            return;
        }
        try {
            Counters.Reading reading = counters.read(plan.row() + "/" + lock, held.token());
            held.look();
            if (random.nextInt(10) < TWICE_OF_TEN) {
                held.again();
            }
            pause(random.nextInt(plan.holdMillis() + 1));
            if (held.isExclusive()) {
                counters.write(reading, lane, sink);
            }
        } catch (LockException resource) {
            sink.see(new Seen.Problem("LV", lane + ": the counters can't be reached: " + resource.getMessage()));
        }
        held.look();
        held.release();
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
        party.close();
    }
}
