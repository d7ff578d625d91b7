package io.holdfast.lock.rules;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What code of this project must not call, as {@code type.member}, {@code type.<init>} or {@code type.*}. */
final class BannedCalls {
    private BannedCalls() {}

    /** No wall clock, no sleeping, no printing: in all that is published. */
    static final Set<String> EVERYWHERE = Set.of(
            "java.lang.System.currentTimeMillis",
            "java.lang.System.out",
            "java.lang.System.err",
            "java.lang.Thread.sleep",
            "java.lang.Throwable.printStackTrace",
            "java.time.Instant.now",
            "java.time.LocalDateTime.now",
            "java.time.ZonedDateTime.now",
            "java.util.Date.<init>",
            "java.util.concurrent.TimeUnit.sleep");

    /** No time, chance, order or thread of its own: in the engine. The orders of {@code Set.of} differ per JVM. */
    static final Set<String> ENGINE = Stream.concat(
                    EVERYWHERE.stream(),
                    Stream.of(
                            "java.lang.System.nanoTime",
                            "java.lang.System.identityHashCode",
                            "java.lang.Math.random",
                            "java.lang.Object.wait",
                            "java.lang.Thread.<init>",
                            "java.lang.Thread.start",
                            "java.lang.Thread.yield",
                            "java.lang.Thread.onSpinWait",
                            "java.util.Map.of",
                            "java.util.Map.ofEntries",
                            "java.util.Map.copyOf",
                            "java.util.Random.*",
                            "java.util.Set.of",
                            "java.util.Set.copyOf",
                            "java.util.UUID.*",
                            "java.util.concurrent.CompletableFuture.delayedExecutor",
                            "java.util.concurrent.Executors.*",
                            "java.util.concurrent.ForkJoinPool.*",
                            "java.util.concurrent.ThreadLocalRandom.*",
                            "java.util.concurrent.locks.LockSupport.park",
                            "java.util.concurrent.locks.LockSupport.parkNanos",
                            "java.util.concurrent.locks.LockSupport.parkUntil"))
            .collect(Collectors.toUnmodifiableSet());
}
