package io.holdfast.lock.netty.credentials;

import java.time.Instant;

/**
 * The time of day: the only place in the library that asks for it. It says how long credentials last, and since when something
 * is as it is, for people; nothing else depends on it. A clock that jumps has credentials renewed early or late.
 */
public interface WallClock {

    WallClock SYSTEM = new WallClock() {

        @Override
        public Instant now() {
            return Instant.now();
        }
    };

    Instant now();
}
