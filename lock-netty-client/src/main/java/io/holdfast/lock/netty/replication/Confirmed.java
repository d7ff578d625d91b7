package io.holdfast.lock.netty.replication;

import io.holdfast.lock.netty.resp.RespValue;
import org.jspecify.annotations.Nullable;

/**
 * Which servers have confirmed what was written, as WAIT or WAITAOF says it.
 *
 * @param byServer whether the server itself has, of which only WAITAOF speaks
 * @param replicas how many replicas have
 */
record Confirmed(boolean byServer, int replicas) {

    /** None at all. */
    static final Confirmed NONE = new Confirmed(false, 0);

    /** What an answer says; null if it is none to such a question. */
    static @Nullable Confirmed of(RespValue answer, boolean onDisk) {
        if (!onDisk) {
            return isCount(answer) ? new Confirmed(true, count(answer)) : null;
        }
        boolean isPair = answer.isList() && answer.size() == 2 && isCount(answer.get(0)) && isCount(answer.get(1));
        return isPair ? new Confirmed(count(answer.get(0)) > 0, count(answer.get(1))) : null;
    }

    private static boolean isCount(RespValue value) {
        return value.kind() == RespValue.Kind.INTEGER;
    }

    private static int count(RespValue value) {
        return (int) Math.max(0, Math.min(value.integer(), Integer.MAX_VALUE));
    }
}
