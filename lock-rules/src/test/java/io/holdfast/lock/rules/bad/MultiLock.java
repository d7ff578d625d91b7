package io.holdfast.lock.rules.bad;

import io.holdfast.lock.rules.bad.engine.EngineWithNetty;

/** A door of the API that leads to more than is right behind it. */
public final class MultiLock {

    private MultiLock() {}

    static Class<?> behind() {
        return EngineWithNetty.class;
    }
}
