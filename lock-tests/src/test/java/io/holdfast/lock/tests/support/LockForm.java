package io.holdfast.lock.tests.support;

import io.holdfast.lock.RFencedLock;
import io.holdfast.lock.RLock;

/** The forms of a lock: the contract holds for each. */
public enum LockForm {
    /** The blocking methods; a thread is the owner. */
    THREAD(true) {
        @Override
        public Party party(RLock lock, Ground ground) {
            return new ThreadParty(lock, ground);
        }
    },
    /** Futures, with thread ids. */
    ASYNC(true) {
        @Override
        public Party party(RLock lock, Ground ground) {
            return new AsyncParty(lock, ground);
        }
    },
    /** The blocking methods of fenced locks. */
    FENCED(true) {
        @Override
        public Party party(RLock lock, Ground ground) {
            return new FencedParty((RFencedLock) lock, ground);
        }
    },
    /** Futures of fenced locks. */
    FENCED_ASYNC(true) {
        @Override
        public Party party(RLock lock, Ground ground) {
            return new FencedAsyncParty((RFencedLock) lock, ground);
        }
    },
    /** Holds that are their own owners. */
    HANDLE(false) {
        @Override
        public Party party(RLock lock, Ground ground) {
            return new HandleParty(lock);
        }
    };

    private final boolean reentrant;

    LockForm(boolean reentrant) {
        this.reentrant = reentrant;
    }

    /** A new owner of this lock, wherever the test takes place. */
    public abstract Party party(RLock lock, Ground ground);

    /** Whether an owner can take the lock that it holds once more. */
    public boolean reentrant() {
        return reentrant;
    }
}
