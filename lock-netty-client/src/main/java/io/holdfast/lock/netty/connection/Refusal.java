package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A login that the server refused at an attempt, and what it said: the attempt after it needs another one.
 *
 * @param before the refusal that led to this login; null if this is the first
 */
record Refusal(Login login, Fault fault, @Nullable Refusal before) {

    /** Whether this is what a server says to a login that it does not take. */
    static boolean is(Fault fault) {
        return fault.kind() == Kind.WRONGPASS || fault.kind() == Kind.NOAUTH;
    }

    /** Whether the server has refused this one too. */
    boolean isOf(Login other) {
        return login.saysTheSameAs(other) || (before != null && before.isOf(other));
    }
}
