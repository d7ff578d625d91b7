package io.holdfast.lock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Makes {@link Locked} work in an application context that has a {@link io.holdfast.lock.LockClient} bean, and gives it a
 * {@link LockTemplate}. For applications without {@code holdfast-spring-boot-starter}, which does the same.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(LocksConfiguration.class)
public @interface EnableLocks {}
