package io.holdfast.lock.engine.election;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.key.ElectionKeys;
import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.spi.Args;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * What is told of a leader: who it is, and the value of this version.
 *
 * <p>A later version stays whatever comes after it: an earlier one may be a late copy.
 */
final class Proclamation {

    /**
     * For how long the record stays at least. It does not count when its lock is gone, so this is for what a dead leader leaves
     * behind; a living one repeats it in time.
     */
    static final long STAYS_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final Hold hold;
    private final byte[] id;
    private final byte[] value;
    private final long version;

    private Proclamation(Hold hold, byte[] id, byte[] value, long version) {
        this.hold = hold;
        this.id = id;
        this.value = value;
        this.version = version;
    }

    /** The first of a term. */
    static Proclamation of(Hold hold, String id, byte[] value) {
        return new Proclamation(hold, id.getBytes(StandardCharsets.UTF_8), value, 1);
    }

    /** The next of the same term. */
    Proclamation with(byte[] newValue) {
        return new Proclamation(hold, id, newValue, version + 1);
    }

    /** The same again, after one that was refused. */
    Proclamation after(Proclamation refused) {
        return new Proclamation(hold, id, value, refused.version + 1);
    }

    long version() {
        return version;
    }

    String owner() {
        return hold.ownerText();
    }

    void write(Fields fields, ElectionKeys keys, Args out) {
        fields.write(hold.field, keys.writeKeys(out))
                .arg(id)
                .arg(value)
                .arg(version)
                .arg(STAYS_MILLIS);
        keys.writeChannel(out);
    }
}
