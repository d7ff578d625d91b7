package io.holdfast.lock.engine.permit;

import io.holdfast.lock.spi.Reply;

/**
 * What the server says of a change of the limit.
 *
 * @param limit 0 if none was set
 * @param version of the limit, greater after each change; 0 if none was set
 */
record LimitAnswer(boolean isDone, long limit, long version) {

    static LimitAnswer of(Reply reply) {
        return new LimitAnswer(reply.integer(0) == 1, Math.max(0, reply.integer(1)), reply.integer(2));
    }
}
