package io.holdfast.lock.testkit;

/** Decides what becomes of each whole message of one direction. It runs on the proxy's thread, so it should be short. */
@FunctionalInterface
public interface FrameRule {
    /** The rule under which every message passes. */
    FrameRule NONE = frame -> FrameFate.PASS;

    /** What becomes of this one. */
    FrameFate judge(Frame frame);
}
