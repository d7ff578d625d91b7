package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.tests.support.LockForm;

/** The locks that the contract is held against. */
enum LockCase {
    THREAD(LockForm.THREAD, KeyScheme.HOLDFAST, Reentrant.KIND),
    THREAD_FAIR(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.FAIR),
    THREAD_READ(LockForm.THREAD, KeyScheme.HOLDFAST, Reading.KIND),
    THREAD_WRITE(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.WRITE),
    THREAD_REDISSON(LockForm.THREAD, KeyScheme.REDISSON, Reentrant.KIND),
    ASYNC(LockForm.ASYNC, KeyScheme.HOLDFAST, Reentrant.KIND),
    ASYNC_FAIR(LockForm.ASYNC, KeyScheme.HOLDFAST, Queued.FAIR),
    ASYNC_READ(LockForm.ASYNC, KeyScheme.HOLDFAST, Reading.KIND),
    ASYNC_WRITE(LockForm.ASYNC, KeyScheme.HOLDFAST, Queued.WRITE),
    ASYNC_REDISSON(LockForm.ASYNC, KeyScheme.REDISSON, Reentrant.KIND),
    HANDLE(LockForm.HANDLE, KeyScheme.HOLDFAST, Reentrant.KIND),
    HANDLE_FAIR(LockForm.HANDLE, KeyScheme.HOLDFAST, Queued.FAIR),
    HANDLE_READ(LockForm.HANDLE, KeyScheme.HOLDFAST, Reading.KIND),
    HANDLE_WRITE(LockForm.HANDLE, KeyScheme.HOLDFAST, Queued.WRITE),
    HANDLE_REDISSON(LockForm.HANDLE, KeyScheme.REDISSON, Reentrant.KIND),
    FENCED(LockForm.FENCED, KeyScheme.HOLDFAST, Reentrant.KIND),
    FENCED_REDISSON(LockForm.FENCED, KeyScheme.REDISSON, Reentrant.KIND),
    FENCED_ASYNC_REDISSON(LockForm.FENCED_ASYNC, KeyScheme.REDISSON, Reentrant.KIND);

    final LockForm form;
    final KeyScheme scheme;
    /** As what party {@code a} takes the lock; the others take it plainly. */
    final LockKind kind;

    LockCase(LockForm form, KeyScheme scheme, LockKind kind) {
        this.form = form;
        this.scheme = scheme;
        this.kind = kind;
    }
}
