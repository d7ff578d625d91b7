package io.holdfast.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** A look at a hold of this client, without asking a server. Not for implementing: later versions tell more. */
public interface HeldLock {

    /** The lock's name. */
    String name();

    /** The owner that holds it: {@code <client id>:<owner>}. */
    String owner();

    /** As what the owner holds it. */
    HoldKind kind();

    /** The hold's token; empty if tokens are switched off. */
    OptionalLong fencingToken();

    /** When the hold began, by this machine's clock. */
    Instant since();

    /** How much longer the hold is sure to be valid if it is not renewed; never negative. */
    Duration validity();

    /** How the hold stands. */
    HoldState state();

    /** The name of the thread that took it; empty for a hold that belongs to no thread, and once that thread is gone. */
    Optional<String> threadName();
}
