package io.holdfast.lock.testkit;

import java.time.Duration;

/** What happens to the bytes, and to the whole messages, of one direction. */
record ProxyRule(Mode mode, long delayNanos, FrameRule frames) {
    static final ProxyRule HEALTHY = new ProxyRule(Mode.FORWARD, 0, FrameRule.NONE);

    enum Mode {
        FORWARD,
        HOLD,
        SWALLOW
    }

    ProxyRule with(Mode changed) {
        return new ProxyRule(changed, delayNanos, frames);
    }

    ProxyRule with(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay: " + delay + " (expected: >= 0)");
        }
        return new ProxyRule(mode, delay.toNanos(), frames);
    }

    ProxyRule with(FrameRule changed) {
        return new ProxyRule(mode, delayNanos, changed);
    }

    boolean judgesFrames() {
        return frames != FrameRule.NONE;
    }
}
