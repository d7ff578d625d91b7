package io.holdfast.lock.testkit.netty;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The leaks that Netty has found, kept instead of logged.
 *
 * <p>Netty asks for its leak detectors once, when its buffer classes are loaded. So {@link #watch()} comes first, before
 * any of them is used.
 */
public final class BufferLeaks {
    private static final int COLLECTIONS = 3;
    private static final Queue<String> FOUND = new ConcurrentLinkedQueue<>();

    private BufferLeaks() {}

    /** Follows every buffer from now on. */
    public static void watch() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new Factory());
    }

    /** What was lost since the last time: one text for each, with where it was used last. Collects garbage first. */
    public static List<String> take() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.onSpinWait();
            // Netty looks for leaks when it hands out a buffer.
            UnpooledByteBufAllocator.DEFAULT.directBuffer().release();
        }
        List<String> taken = new ArrayList<>();
        for (String leak = FOUND.poll(); leak != null; leak = FOUND.poll()) {
            taken.add(leak);
        }
        return taken;
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
}
