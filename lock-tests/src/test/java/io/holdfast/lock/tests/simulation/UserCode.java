package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.RLock;

/**
 * What code of users does first when it is called back: it looks where it runs, and makes a call that blocks. It must run
 * neither within a step of the engine nor on a thread that is inside a call.
 */
final class UserCode {

    private static final String GATE = "io.holdfast.lock.engine.call.SerialGate";

    private final World world;

    UserCode(World world) {
        this.world = world;
    }

    void calledBack(String by, RLock lock) {
        if (Thread.currentThread() instanceof SimulatedThread caller) {
            world.fail("UC", by + ": called back on " + caller.getName() + ", which is inside a call");
        } else if (isWithinAStep()) {
            world.fail("UC", by + ": called back within a step");
        } else {
            block(by, lock);
        }
    }

    /** Where there is no thread that may wait, it is told so. */
    private void block(String by, RLock lock) {
        try {
            lock.isLocked();
            world.fail("UC", by + ": a call that blocks came back on a thread that must not wait");
        } catch (IllegalStateException refused) {
            world.mix(by.length());
        }
    }

    private static boolean isWithinAStep() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(GATE)));
    }
}
