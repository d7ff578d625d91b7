package io.holdfast.lock.engine;

import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.spi.Args;
import java.util.Arrays;

/** A second kind for orders of events: many owners share it. Its fields end with a mark, so a call shows its kind. */
final class ShareKind extends Reentrant {

    static final LockKind KIND = new ShareKind();

    private ShareKind() {}

    @Override
    protected Args writeField(Fields fields, byte[] field, Args out) {
        byte[] marked = Arrays.copyOf(field, field.length + 1);
        marked[field.length] = '~';
        return super.writeField(fields, marked, out);
    }

    @Override
    public boolean isTransferable() {
        return false;
    }

    @Override
    public boolean excludes(LockKind other) {
        return other != this;
    }

    @Override
    public boolean includes(LockKind other) {
        return other == this;
    }

    @Override
    public String toString() {
        return "shared";
    }
}
