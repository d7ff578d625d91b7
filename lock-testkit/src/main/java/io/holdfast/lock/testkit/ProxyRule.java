package io.holdfast.lock.testkit;

import java.time.Duration;

/** What happens to the bytes of one direction. */
record ProxyRule(Mode mode, long delayNanos) {
    static final ProxyRule HEALTHY = new ProxyRule(Mode.FORWARD, 0);

    enum Mode {
        FORWARD,
        HOLD,
        SWALLOW
    }

    ProxyRule with(Mode changed) {
        return new ProxyRule(changed, delayNanos);
    }

    ProxyRule with(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay: " + delay + " (expected: >= 0)");
        }
        return new ProxyRule(mode, delay.toNanos());
    }
}
