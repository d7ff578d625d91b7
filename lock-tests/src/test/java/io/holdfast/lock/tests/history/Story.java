package io.holdfast.lock.tests.history;

/** A history of one lock written down by hand, with times in milliseconds. */
final class Story {

    private static final String LOCK = "job";
    private static final long MILLI = 1_000_000;

    private final History.Builder history = History.builder();

    /** A grant of a lock that has neither tokens nor leases. */
    Story acquire(String owner, long from, long to) {
        history.ok(history.invoke(LOCK, owner, Call.ACQUIRE, from * MILLI), to * MILLI);
        return this;
    }

    Story acquire(String owner, long from, long to, long token, int count, long validUntil) {
        history.granted(
                history.invoke(LOCK, owner, Call.ACQUIRE, from * MILLI), token, count, validUntil * MILLI, to * MILLI);
        return this;
    }

    Story release(String owner, long from, long to) {
        return release(owner, 0, from, to);
    }

    Story release(String owner, long token, long from, long to) {
        history.ok(history.invoke(LOCK, owner, Call.RELEASE, token, from * MILLI), to * MILLI);
        return this;
    }

    Story extend(String owner, long token, long from, long to, long validUntil) {
        int call = history.invoke(LOCK, owner, Call.EXTEND, token, from * MILLI);
        history.extended(call, validUntil * MILLI, to * MILLI);
        return this;
    }

    Story refused(String owner, long from, long to) {
        history.refused(history.invoke(LOCK, owner, Call.ACQUIRE, from * MILLI), to * MILLI);
        return this;
    }

    Story failed(String owner, long from, long to) {
        history.fail(history.invoke(LOCK, owner, Call.ACQUIRE, from * MILLI), to * MILLI);
        return this;
    }

    Story lost(Call call, String owner, long token, long from, long to) {
        history.lost(history.invoke(LOCK, owner, call, token, from * MILLI), to * MILLI);
        return this;
    }

    Story unknown(Call call, String owner, long from) {
        history.unknown(history.invoke(LOCK, owner, call, from * MILLI), from * MILLI);
        return this;
    }

    Story forget(long from, long to) {
        history.forget(LOCK, from * MILLI, to * MILLI);
        return this;
    }

    History told() {
        return history.build();
    }
}
