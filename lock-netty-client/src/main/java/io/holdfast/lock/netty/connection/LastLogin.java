package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.credentials.Login;
import org.jspecify.annotations.Nullable;

/** What a server took last, for questions to it that have a connection each. */
public final class LastLogin {

    private volatile @Nullable Login login;

    void accepted(@Nullable Login taken) {
        login = taken;
    }

    /** Null if there was none. */
    @Nullable
    Login get() {
        return login;
    }
}
