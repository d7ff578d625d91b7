package io.holdfast.lock.engine.permit;

import io.holdfast.lock.spi.Reply;

/**
 * A semaphore, as the server has seen it.
 *
 * @param limit 0 if none was set
 * @param taken permits that are taken, or reserved for a call whose turn it is; more than the limit if that was lowered
 * @param version of the limit, greater after each change; 0 if none was set
 */
record SemaphoreState(long limit, long taken, long version) {

    static SemaphoreState of(Reply reply) {
        return new SemaphoreState(Math.max(0, reply.integer(0)), reply.integer(1), reply.integer(2));
    }

    int available() {
        return (int) Math.max(0, limit - taken);
    }
}
