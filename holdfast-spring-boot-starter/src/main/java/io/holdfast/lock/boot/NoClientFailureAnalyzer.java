package io.holdfast.lock.boot;

import io.holdfast.lock.spring.NoLockClientException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says how a {@code @Locked} method gets a client. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class NoClientFailureAnalyzer extends AbstractFailureAnalyzer<NoLockClientException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NoLockClientException cause) {
        String action = cause.noneIsThere()
                ? "Set holdfast.url, or declare a LockClient bean. With holdfast.enabled=false there is no other client;"
                        + " holdfast.memory=true keeps locks within this process."
                : "Name the bean, as in @Locked(client = \"...\"), or mark one as @Primary.";
        return new FailureAnalysis("Holdfast: " + cause.getMessage(), action, cause);
    }
}
