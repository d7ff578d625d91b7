package io.holdfast.lock.examples.cache;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RReadWriteLock;
import java.util.Optional;

/** The ways of locking that are compared. */
enum CacheKind {
    NONE("no lock", "Readers find one half old and the other one new."),
    PLAIN("plain lock", "Right, but one reader at a time."),
    READ_WRITE("read/write lock", "Readers together; the writer waits for those that came before it.");

    private final String label;
    private final String remark;

    CacheKind(String label, String remark) {
        this.label = label;
        this.remark = remark;
    }

    String label() {
        return label;
    }

    String remark() {
        return remark;
    }

    /** What a reader takes; nothing if it takes none. */
    Optional<RLock> forReading(LockClient client, String name) {
        return locks(client, name).map(Pair::read);
    }

    /** What the writer takes; nothing if it takes none. */
    Optional<RLock> forWriting(LockClient client, String name) {
        return locks(client, name).map(Pair::write);
    }

    private Optional<Pair> locks(LockClient client, String name) {
        return switch (this) {
            case NONE -> Optional.empty();
            case PLAIN -> Optional.of(new Pair(client.getLock(name), client.getLock(name)));
            case READ_WRITE -> {
                RReadWriteLock both = client.getReadWriteLock(name);
                yield Optional.of(new Pair(both.readLock(), both.writeLock()));
            }
        };
    }

    private record Pair(RLock read, RLock write) {}
}
