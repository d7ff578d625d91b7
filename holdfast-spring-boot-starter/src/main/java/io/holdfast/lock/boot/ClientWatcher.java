package io.holdfast.lock.boot;

import io.holdfast.lock.LockClient;

/** Is told of each client that the starter has made. */
@FunctionalInterface
interface ClientWatcher {

    /** The client is connected, or lazy. */
    LockClient connected(LockClient client);
}
