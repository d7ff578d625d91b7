package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.ServerRun;
import java.net.SocketAddress;

/** What the owner of an endpoint hears, on the event loop. */
public interface EndpointListener {

    /**
     * The connection is ready.
     *
     * @param identity what the server says that it is
     * @param address which of the host's addresses it leads to
     */
    void up(ServerRun run, ServerIdentity identity, SocketAddress address);

    void down(Fault fault);

    /** An attempt to connect has failed. */
    void failed(Fault fault);

    /** The connection was ended since there was nothing to do; the next call has another one made. */
    default void rested() {}
}
