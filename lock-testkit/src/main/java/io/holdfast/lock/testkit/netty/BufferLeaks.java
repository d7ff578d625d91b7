package io.holdfast.lock.testkit.netty;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import io.netty.util.ResourceLeakTracker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The leaks that Netty has found, kept instead of logged.
 *
 * <p>Netty asks for its leak detectors once, when its buffer classes are loaded. So {@link #watch()} comes first, before
 * any of them is used.
 */
public final class BufferLeaks {
    private static final int COLLECTIONS = 3;
    private static final Queue<String> FOUND = new ConcurrentLinkedQueue<>();

    /** Who follows what is not released yet; what is garbage drops out. */
    private static final Set<ResourceLeakTracker<?>> ALIVE =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** How many are followed that were neither released nor found to be lost. */
    private static final AtomicLong UNRELEASED = new AtomicLong();

    private BufferLeaks() {}

    /** Follows every buffer from now on. */
    public static void watch() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new Factory());
    }

    /**
     * What was lost since the last time: one text for each, with where it was used last. Collects garbage first, if anything
     * is not released: only that can be lost.
     */
    public static List<String> take() {
        for (int i = 0; i < COLLECTIONS && UNRELEASED.get() > 0; i++) {
            System.gc();
            Thread.onSpinWait();
            // Netty looks for leaks when it hands out a buffer.
            UnpooledByteBufAllocator.DEFAULT.directBuffer().release();
        }
        List<String> taken = new ArrayList<>();
        for (String leak = FOUND.poll(); leak != null; leak = FOUND.poll()) {
            taken.add(leak);
            UNRELEASED.decrementAndGet();
        }
        return taken;
    }

    /** How many buffers, and other things that Netty follows, are not released yet. */
    static long alive() {
        return ALIVE.size();
    }

    private static final class Factory extends ResourceLeakDetectorFactory {
        @Override
        @SuppressWarnings("deprecation")
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                Class<T> type, int samplingInterval, long maxActive) {
            return new Recorder<>(type, samplingInterval);
        }
    }

    private static final class Recorder<T> extends ResourceLeakDetector<T> {
        Recorder(Class<T> type, int samplingInterval) {
            super(type, samplingInterval);
        }

        @Override
        public @Nullable ResourceLeakTracker<T> track(T resource) {
            ResourceLeakTracker<T> tracker = super.track(resource);
            return tracker == null ? null : new Counted<>(tracker);
        }

        @Override
        protected boolean needReport() {
            return true;
        }

        @Override
        protected void reportTracedLeak(String resourceType, String records) {
            FOUND.add(resourceType + " was not released before it was garbage" + records);
        }

        @Override
        protected void reportUntracedLeak(String resourceType) {
            FOUND.add(resourceType + " was not released before it was garbage");
        }
    }

    /** Follows a buffer as Netty's own tracker does, and counts it until it is released. */
    private static final class Counted<T> implements ResourceLeakTracker<T> {
        private final ResourceLeakTracker<T> tracker;

        Counted(ResourceLeakTracker<T> tracker) {
            this.tracker = tracker;
            ALIVE.add(this);
            UNRELEASED.incrementAndGet();
        }

        @Override
        public void record() {
            tracker.record();
        }

        @Override
        public void record(Object hint) {
            tracker.record(hint);
        }

        @Override
        public boolean close(T resource) {
            ALIVE.remove(this);
            boolean isFirst = tracker.close(resource);
            if (isFirst) {
                UNRELEASED.decrementAndGet();
            }
            return isFirst;
        }
    }
}
