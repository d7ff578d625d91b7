package io.holdfast.lock.micrometer;

import io.holdfast.lock.ConnectionEvent;
import io.holdfast.lock.ConnectionPurpose;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LossReason;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** An event as a test wants it. */
record TestEvent(
        String name,
        String owner,
        OptionalLong fencingToken,
        Duration duration,
        Optional<FailureReason> failureReason,
        Optional<LossReason> lossReason,
        Optional<String> detail,
        OptionalInt position,
        boolean handedOver,
        Object context)
        implements LockEvent {

    static TestEvent of(String name, long millis) {
        return new TestEvent(
                name,
                "client:1",
                OptionalLong.of(7),
                Duration.ofMillis(millis),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                false,
                null);
    }

    TestEvent failed(FailureReason reason) {
        return new TestEvent(
                name,
                owner,
                OptionalLong.empty(),
                duration,
                Optional.of(reason),
                lossReason,
                Optional.of("a detail"),
                position,
                handedOver,
                context);
    }

    TestEvent lost(LossReason reason) {
        return new TestEvent(
                name,
                owner,
                fencingToken,
                duration,
                failureReason,
                Optional.of(reason),
                Optional.of("a detail"),
                position,
                handedOver,
                context);
    }

    TestEvent byHandOver() {
        return new TestEvent(
                name, owner, fencingToken, duration, failureReason, lossReason, detail, position, true, context);
    }

    TestEvent with(Object newContext) {
        return new TestEvent(
                name,
                owner,
                fencingToken,
                duration,
                failureReason,
                lossReason,
                detail,
                position,
                handedOver,
                newContext);
    }

    /** An event of a connection. */
    record OfConnection(
            Change change,
            String node,
            ConnectionPurpose purpose,
            Optional<FailureReason> failureReason,
            Optional<String> detail)
            implements ConnectionEvent {

        static OfConnection of(Change change, String node) {
            return new OfConnection(change, node, ConnectionPurpose.COMMANDS, Optional.empty(), Optional.empty());
        }

        OfConnection because(FailureReason reason) {
            return new OfConnection(change, node, purpose, Optional.of(reason), detail);
        }
    }
}
