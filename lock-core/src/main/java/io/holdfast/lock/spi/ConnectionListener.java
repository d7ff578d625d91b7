package io.holdfast.lock.spi;

import io.holdfast.lock.spi.NodeConnection.Use;
import org.jspecify.annotations.Nullable;

/**
 * Hears of each of a backend's lasting connections, whatever it is for; what is asked on a connection of its own, made for that,
 * is not told. Called on a transport's thread; must not block.
 */
public interface ConnectionListener {

    /**
     * A connection is ready.
     *
     * @param before the server to which it led before, if that was another one; else null
     */
    void up(Use use, String node, @Nullable String before);

    /** A connection was lost, or closed. */
    void down(Use use, String node, Fault fault);

    /** An attempt to connect has failed. */
    void unreachable(Use use, String node, Fault fault);
}
