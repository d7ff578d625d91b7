package io.holdfast.lock.examples.permits;

import io.holdfast.lock.RSemaphore;

/** The permits of a semaphore, which are renewed for as long as the process lives. */
record PermitLimit(RSemaphore permits) implements ConnectionLimit {

    @Override
    public void take() throws InterruptedException {
        permits.acquire();
    }

    @Override
    public void giveBack() {
        permits.release();
    }
}
