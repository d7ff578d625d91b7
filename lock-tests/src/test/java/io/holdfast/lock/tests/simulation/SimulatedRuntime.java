package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.spi.Machine;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Timer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** The time, the timers, the chance and the executors of one client. */
final class SimulatedRuntime implements Runtime {

    private static final long MOST_TIMER_LATENESS_NANOS = 60_000;
    private static final long MOST_TASK_LATENESS_NANOS = 120_000;
    private static final long MOST_HICCUP_NANOS = 4_000_000;
    private static final int HICCUP_ONCE_IN = 64;

    private final World world;
    private final SimulatedClient client;
    private final Clock clock;
    private final Chance chance;
    private final Blocker blocker;
    private boolean closed;

    SimulatedRuntime(World world, SimulatedClient client, Clock clock, Chance chance) {
        this.world = world;
        this.client = client;
        this.clock = clock;
        this.chance = chance;
        this.blocker = new SimulatedBlocker(world, client);
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public Timer after(long delayNanos, Runnable step) {
        Alarm alarm = new Alarm(client, step, clock.nanos() + delayNanos);
        if (!closed) {
            world.plan(alarm, clock.worldNanos(delayNanos) + lateness(MOST_TIMER_LATENESS_NANOS));
        }
        return alarm;
    }

    @Override
    public long random(long bound) {
        return chance.below(bound);
    }

    @Override
    public Executor steps() {
        return this::execute;
    }

    @Override
    public Executor callbacks() {
        return this::later;
    }

    @Override
    public Blocker blocker() {
        return blocker;
    }

    @Override
    public Machine machine() {
        return new Machine("simulated", client.index + 1);
    }

    /** The client's threads end: timers are forgotten, and no more tasks are taken. */
    void close() {
        closed = true;
    }

    /** Several threads serve the tasks, so their order is no promise. */
    private void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException("the client is closed");
        }
        later(task);
    }

    private void later(Runnable task) {
        world.after(lateness(MOST_TASK_LATENESS_NANOS), client, task);
    }

    private long lateness(long most) {
        return chance.onceIn(HICCUP_ONCE_IN) ? chance.below(MOST_HICCUP_NANOS) : chance.below(most);
    }

    /** A timer: due by the client's own clock, which may have stood still in between. */
    private final class Alarm extends Event {

        private final long dueNanos;

        Alarm(SimulatedClient client, Runnable step, long dueNanos) {
            super(client, step);
            this.dueNanos = dueNanos;
        }

        @Override
        boolean happen() {
            long left = dueNanos - clock.nanos();
            if (left > 0 && !isCancelled()) {
                world.plan(this, clock.worldNanos(left));
                return false;
            }
            return closed || super.happen();
        }
    }
}
