package io.holdfast.lock.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Marks a JUnit test that older servers can't pass: there it is skipped, and the reason names the version it needs. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(NeedsServer.Condition.class)
public @interface NeedsServer {
    /** The first major version that will do. */
    int major();

    /** The first minor version of it that will do. */
    int minor() default 0;

    /** The feature that older servers lack. */
    String because();

    /** Compares with the server that tests would get; none is started. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return AnnotationSupport.findAnnotation(context.getElement(), NeedsServer.class)
                    .map(Condition::evaluate)
                    .orElseGet(() -> ConditionEvaluationResult.enabled("any server will do"));
        }

        private static ConditionEvaluationResult evaluate(NeedsServer needed) {
            Installation found = Installations.find(RedisSource.forced());
            if (found.version().isAtLeast(needed.major(), needed.minor())) {
                return ConditionEvaluationResult.enabled("the server is new enough");
            }
            return ConditionEvaluationResult.disabled("needs a server from " + needed.major() + "." + needed.minor()
                    + " on: " + needed.because() + " (here: " + found.version() + ", " + found.source() + ")");
        }
    }
}
