package io.holdfast.lock.engine.permit;

import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.operation.HoldOperations;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.engine.wait.Deadlines;

/** What the semaphores of one client need of it. */
public record SemaphoreParts(
        ClientFacts facts, Cells cells, HoldOperations operations, Exchanges exchanges, Deadlines deadlines) {}
