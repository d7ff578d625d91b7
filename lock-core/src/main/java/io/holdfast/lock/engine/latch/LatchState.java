package io.holdfast.lock.engine.latch;

import io.holdfast.lock.spi.Reply;

/**
 * What an answer says of a latch.
 *
 * @param generation 0 if there is no latch
 * @param left how many counts are missing
 * @param last whether a change is done, 1 or 0; of a look, the line
 */
record LatchState(long generation, long left, long last) {

    static LatchState of(Reply reply) {
        return new LatchState(reply.integer(0), reply.integer(1), reply.integer(2));
    }

    boolean exists() {
        return generation != Generations.UNKNOWN;
    }

    boolean isOpen() {
        return left <= 0;
    }

    boolean isDone() {
        return last == 1;
    }
}
