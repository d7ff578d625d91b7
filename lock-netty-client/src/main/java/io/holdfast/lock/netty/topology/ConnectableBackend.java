package io.holdfast.lock.netty.topology;

import io.holdfast.lock.spi.Backend;
import java.util.concurrent.CompletionStage;

/** A store that connects when it is told to, or at its first call. */
public interface ConnectableBackend extends Backend {

    /**
     * Connects now.
     *
     * @return completes with the first connection; fails with {@link ConnectFailedException} when there is none within
     *     the connect timeout, and at once where trying again can't help. The backend keeps trying even so, until it is
     *     closed.
     */
    CompletionStage<Void> connect();
}
