package io.holdfast.lock.spring;

/** When a lock is given back that was taken within a transaction. */
public enum Release {
    /** When the transaction has completed. Without a transaction, when the method has ended. */
    AFTER_TRANSACTION,
    /** When the method has ended: others may get the lock before they can see what the transaction has written. */
    AFTER_METHOD
}
