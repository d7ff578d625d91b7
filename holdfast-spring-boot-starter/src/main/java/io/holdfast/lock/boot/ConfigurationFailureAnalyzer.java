package io.holdfast.lock.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says what is configured wrongly, and what would do. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<HoldfastConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, HoldfastConfigurationException cause) {
        return new FailureAnalysis("Holdfast: " + cause.getMessage(), cause.action(), cause);
    }
}
