package io.holdfast.lock.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a JUnit test class that needs real servers.
 *
 * <pre>{@code
 * @RedisTest
 * class StockTest {
 *     @Test
 *     void sells_each_item_once(RedisServer redis) {
 *         try (LockClient client = LockClient.connect(redis.url())) { ... }
 *     }
 * }
 * }</pre>
 *
 * <p>{@link RedisExtension} says what is injected.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(RedisExtension.class)
public @interface RedisTest {
    /** How many independent servers; a {@link RedisServer} parameter gets the first. */
    int servers() default 1;

    /** Whether each test gets servers of its own, rather than the class's servers made pristine. */
    boolean freshPerTest() default false;

    /** What the servers are started as. */
    ServerMode mode() default ServerMode.STANDALONE;

    /** Whether clients come by TLS. */
    TlsMode tls() default TlsMode.OFF;

    /** Whether the servers write an append-only file. */
    boolean aof() default false;

    /** Lines for the servers' configuration files, such as {@code "maxmemory 10mb"}; words end at spaces. */
    String[] options() default {};
}
