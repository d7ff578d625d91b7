package io.holdfast.lock.tests.chaos;

/** The library whose locks a load takes, and how it is used. */
enum Peer {
    HOLDFAST,
    /** Each hand-over is asked for: then what a server forgets is missed at the next one. */
    ASKING,
    /** With the failover guard. */
    GUARDED,
    REDISSON
}
