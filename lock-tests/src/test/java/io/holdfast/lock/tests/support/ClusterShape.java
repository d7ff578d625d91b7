package io.holdfast.lock.tests.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What the cluster of a test class is made of, where it is not three masters with one replica each of the usual version. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ClusterShape {

    /** How many nodes run beside the cluster. */
    int spares() default 0;

    /** Which nodes are of the oldest supported version, 6.2; the three masters are the first. */
    int[] older() default {};
}
