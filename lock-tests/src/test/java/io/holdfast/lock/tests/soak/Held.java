package io.holdfast.lock.tests.soak;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;

/** A lock that was granted, in whatever form it was taken. */
interface Held {

    /** Whether it is valid now, by the client's word. */
    boolean isValid();

    /** For how long from now it is valid, by the client's word; 0 if the form does not tell. */
    long validForNanos();

    /** The fencing token, or 0 if the form does not tell it. Throws if the hold was lost. */
    long token();

    /** Gives it back once. */
    void release();

    /** Taken by the calling thread. */
    static Held byThread(RLock lock) {
        return new Held() {
            @Override
            public boolean isValid() {
                return lock.isHeldByCurrentThread();
            }

            @Override
            public long validForNanos() {
                return 0;
            }

            @Override
            public long token() {
                return lock.getFencingToken();
            }

            @Override
            public void release() {
                lock.unlock();
            }
        };
    }

    /** Taken by an asynchronous call for an owner that is no thread of this JVM. */
    static Held byNumber(RLock lock, long number) {
        return new Held() {
            @Override
            public boolean isValid() {
                return lock.isHeldByThread(number);
            }

            @Override
            public long validForNanos() {
                return 0;
            }

            @Override
            public long token() {
                return 0;
            }

            @Override
            public void release() {
                Calls.await(lock.unlockAsync(number));
            }
        };
    }

    /** Taken as a hold of its own. */
    static Held byHandle(LockHold hold) {
        return new Held() {
            @Override
            public boolean isValid() {
                HoldState state = hold.state();
                return state == HoldState.HELD || state == HoldState.UNCERTAIN;
            }

            @Override
            public long validForNanos() {
                return hold.validFor().toNanos();
            }

            @Override
            public long token() {
                return hold.fencingToken();
            }

            @Override
            public void release() {
                hold.close();
            }
        };
    }
}
