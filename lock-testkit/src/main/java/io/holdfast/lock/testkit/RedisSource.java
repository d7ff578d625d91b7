package io.holdfast.lock.testkit;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Where a server comes from, in the order in which the sources are tried.
 *
 * <p>The system property {@code holdfast.redis} ({@code path}, {@code docker}, {@code embedded} or {@code oldest}) forces
 * one for a whole run, {@link RedisServerBuilder#source(RedisSource)} for a single server. A forced source is never replaced by
 * another one: when it can't be had, starting fails and says why.
 */
public enum RedisSource {
    /**
     * {@code redis-server} or {@code valkey-server}, found on the {@code PATH}; or the executable that the variable
     * {@code HOLDFAST_SERVER} names, in place of it.
     */
    PATH,

    /**
     * A container, when Testcontainers is on the class path and an engine answers. The system property
     * {@code holdfast.redis.image} names the image.
     */
    DOCKER,

    /** Redis 7.0, from the jar {@code org.signal:embedded-redis}: always there on Linux and macOS. */
    EMBEDDED,

    /** Redis 6.2, the oldest that Holdfast supports, from the jar {@code com.github.codemonstur:embedded-redis}. */
    OLDEST;

    /** The system property that forces a source. */
    public static final String PROPERTY = "holdfast.redis";

    /** The source that the system property asks for; empty means any. */
    static Optional<RedisSource> forced() {
        String wanted = System.getProperty(PROPERTY, "").trim();
        return wanted.isEmpty() ? Optional.empty() : Optional.of(parse(wanted));
    }

    private static RedisSource parse(String wanted) {
        return Arrays.stream(values())
                .filter(source -> source.toString().equals(wanted.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "-D" + PROPERTY + "=" + wanted + ": expected one of " + Arrays.toString(values())));
    }

    /** The name as the system property spells it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
