package io.holdfast.lock.spring;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RReadWriteLock;
import org.jspecify.annotations.Nullable;

/** As what a lock is taken. All kinds of one key are one lock: they exclude each other, but for those that read. */
public enum Kind {
    /** One owner at a time, in whatever order. */
    PLAIN("getLock"),
    /** One owner at a time, in the order in which they came, in whatever process they are. */
    FAIR("getFairLock"),
    /** Together with others that read, and in the order of {@link #FAIR}. What has a key so can't take it as another kind further in. */
    READ("getReadWriteLock"),
    /** One owner at a time, in the order of {@link #FAIR} among those that read and write. */
    WRITE("getReadWriteLock");

    private final String method;

    Kind(String method) {
        this.method = method;
    }

    /**
     * The lock of this kind; null from a mock that makes none.
     *
     * @throws UnsupportedOperationException if the client has no locks of this kind
     */
    @Nullable
    RLock lock(LockClient client, String key) {
        return switch (this) {
            case PLAIN -> client.getLock(key);
            case FAIR -> client.getFairLock(key);
            case READ, WRITE -> half(client.getReadWriteLock(key));
        };
    }

    private @Nullable RLock half(@Nullable RReadWriteLock both) {
        if (both == null) {
            return null;
        }
        return this == READ ? both.readLock() : both.writeLock();
    }

    /** The method of clients that makes such locks. */
    String method() {
        return method;
    }

    /** Whether a hold of this kind gives all that one of the other kind would. */
    boolean covers(Kind other) {
        return this != READ || other == READ;
    }
}
