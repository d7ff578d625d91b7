package io.holdfast.lock.netty;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread for each task, where the JVM has virtual threads that may block in any way: from JDK 24 on. Before
 * that one which blocks while it holds a monitor keeps its carrier, and a few of them keep all (JEP 491).
 */
final class VirtualThreads implements Executor {

    private static final int FIRST_THAT_NEVER_PINS = 24;
    private static final @Nullable MethodHandle START =
            Runtime.version().feature() < FIRST_THAT_NEVER_PINS ? null : find();

    private final MethodHandle start;
    private final String threadNamePrefix;
    private final AtomicLong made = new AtomicLong();

    private VirtualThreads(MethodHandle start, String threadNamePrefix) {
        this.start = start;
        this.threadNamePrefix = threadNamePrefix;
    }

    /** Empty where there are none, or none that may block in any way. */
    static Optional<Executor> named(String threadNamePrefix) {
        return Optional.ofNullable(START).map(start -> new VirtualThreads(start, threadNamePrefix));
    }

    private static MethodHandle find() {
        try {
            return MethodHandles.publicLookup()
                    .findStatic(Thread.class, "startVirtualThread", MethodType.methodType(Thread.class, Runnable.class))
                    .asType(MethodType.methodType(void.class, Runnable.class));
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    @Override
    public void execute(Runnable task) {
        Runnable named = () -> {
            Thread.currentThread().setName(threadNamePrefix + made.incrementAndGet());
            CallbackPool.runCallback(task);
        };
        try {
            start.invokeExact(named);
        } catch (RuntimeException | Error noThread) {
            throw noThread;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
