package io.holdfast.lock.engine.key;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.spi.Args;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What an election is called, whose name follows the rules of locks: the lock of that name, and the record of who leads beside it. */
public final class ElectionKeys {

    public final String name;
    public final LockKeys lock;

    public ElectionKeys(String name, LockOptions options) {
        LockKeys.check("election name", name);
        this.name = name;
        this.lock = LockKeys.of(name, options);
    }

    /**
     * Throws if a text can't be the id of a candidate: it is as long as a name.
     *
     * @param what it is, for the message
     */
    public static void checkId(String what, String id) {
        LockKeys.check(what, id);
    }

    /** Writes the keys of the lock and of the record. */
    public Args writeKeys(Args out) {
        return lock.writeLeaderKeys(out);
    }

    /** Writes the channel of the record as an argument. */
    public Args writeChannel(Args out) {
        return out.arg(lock.leaderBytes());
    }

    /** Where messages tell that the lock was freed, and that a leader was proclaimed. */
    public List<byte[]> channels() {
        return List.of(lock.channelBytes(), lock.leaderBytes());
    }

    /** Where a record is told of. */
    public byte[] leaderChannel() {
        return lock.leaderBytes();
    }

    /** The key of the record as a text. */
    public String key() {
        return new String(lock.leaderBytes(), StandardCharsets.UTF_8);
    }
}
