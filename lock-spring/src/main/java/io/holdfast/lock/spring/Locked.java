package io.holdfast.lock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method of a bean while holding a lock, or several. It never runs without.
 *
 * <pre>{@code
 * @Locked("order:#{#id}")
 * public void ship(String id) { ... }
 * }</pre>
 *
 * <p>On a class it is for all its methods. That of a method wins over that of its class; two on one method, or on one class,
 * are refused. It can stand on annotations of your own, with {@code @AliasFor}.
 *
 * <p>The lock is taken before, and given back after, everything else that is around the method: transaction, cache,
 * retries. It is reentrant: further in on the thread, in the reactive chain or in the coroutine the same key joins the outer
 * hold. A parameter of type {@link io.holdfast.lock.LockHold} is filled in.
 *
 * <p>All texts may have {@code ${placeholders}}. What can be checked is checked when the bean is made.
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface Locked {

    /** As {@link #keys()}. */
    @AliasFor("keys")
    String[] value() default {};

    /**
     * The names of the locks: text with <code>#{expressions}</code>, which see the arguments as {@code #name} and {@code #p0}, the
     * bean itself, and other beans as {@code @bean}. An expression that gives a collection or an array gives a key for each
     * element. Equal keys are one; at most 64 are taken together.
     */
    @AliasFor("value")
    String[] keys() default {};

    /** Another name for what is locked here, which {@link LockAssert} knows and messages show; it is no part of the keys. */
    String name() default "";

    /** As what the locks are taken. */
    Kind kind() default Kind.PLAIN;

    /** The name or the qualifier of the {@link io.holdfast.lock.LockClient} bean; by default the only or the primary one. */
    String client() default "";

    /**
     * How long to wait for the lock: {@code 5s}, {@code 500ms}, {@code PT5S}; {@code 0s} is one attempt. By default what the
     * property {@code holdfast.locked.wait} says, or else ten seconds.
     */
    String waitFor() default "";

    /** A fixed lease. By default the lock is renewed while the method runs. */
    String lease() default "";

    /**
     * How long the lock is kept at least, from when it was granted on, also if the method has ended before or its process
     * has. So clocks may differ as much without a second run of what is scheduled.
     */
    String atLeast() default "";

    OnTimeout onTimeout() default OnTimeout.THROW;

    OnUnavailable onUnavailable() default OnUnavailable.THROW;

    /**
     * The method of the same class that is called in place of this one. It has the same parameters, with or without those of
     * type {@code LockHold}, and perhaps a last one for the exception, and a result that fits.
     */
    String fallback() default "";

    OnLost onLost() default OnLost.THROW;

    Release release() default Release.AFTER_TRANSACTION;
}
