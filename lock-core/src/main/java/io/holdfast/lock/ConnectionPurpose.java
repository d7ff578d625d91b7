package io.holdfast.lock;

/** The purpose of a connection of a client. */
public enum ConnectionPurpose {
    /** Calls: taking, renewing and releasing locks. */
    COMMANDS,
    /** Messages that a lock was released. */
    MESSAGES,
    /** Asking whether replicas have what was granted. */
    REPLICAS,
    /** Asking Sentinels which server is the primary. */
    SENTINEL
}
