package io.holdfast.lock.netty.credentials;

import java.time.Instant;

/**
 * The time of day: the only place in the library that asks for it. It says how long credentials last, and nothing else
 * depends on it; a clock that jumps has them renewed early or late.
 */
interface WallClock {

    WallClock SYSTEM = new WallClock() {

        @Override
        public Instant now() {
            return Instant.now();
        }
    };

    Instant now();
}
