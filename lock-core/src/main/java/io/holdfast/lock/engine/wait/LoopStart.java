package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.kind.LockKind;

/** What begins a loop when the first call comes that needs it. */
public interface LoopStart {

    AcquisitionLoop begin(LockCell cell, LockKind kind, Acquisitions calls);
}
