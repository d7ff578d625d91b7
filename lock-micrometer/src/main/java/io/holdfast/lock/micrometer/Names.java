package io.holdfast.lock.micrometer;

/** The names of meters and their tags: what dashboards and alert rules go by. */
final class Names {

    static final String WAIT = "holdfast.lock.wait";
    static final String HOLD = "holdfast.lock.hold";
    static final String ACTIVE = "holdfast.lock.active";
    static final String WAITERS = "holdfast.lock.waiters";
    static final String LOST = "holdfast.lock.lost";
    static final String RENEWAL = "holdfast.lock.renewal";
    static final String CONNECTIONS = "holdfast.client.connections";
    static final String QUEUE = "holdfast.client.queue";
    static final String RECONNECTS = "holdfast.client.reconnects";
    static final String FAILOVERS = "holdfast.client.failovers";
    static final String MISSED = "holdfast.listener.missed";

    static final String OUTCOME = "outcome";
    static final String REASON = "reason";
    static final String LOCK = "lock";
    static final String NODE = "node";
    static final String PURPOSE = "purpose";

    private Names() {}
}
