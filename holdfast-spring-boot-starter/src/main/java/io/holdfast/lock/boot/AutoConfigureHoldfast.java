package io.holdfast.lock.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives a test, or a slice of an application in a test, locks in the memory of its process: no server is needed, and no other
 * context has a part in them. It takes {@code lock-memory} on the class path of the test.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration({HoldfastAutoConfiguration.class, HoldfastLockedAutoConfiguration.class})
public @interface AutoConfigureHoldfast {

    /** Whether locks are in memory; if not, clients connect as the properties say. */
    boolean memory() default true;
}
