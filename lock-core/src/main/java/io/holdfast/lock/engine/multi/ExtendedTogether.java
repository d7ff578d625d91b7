package io.holdfast.lock.engine.multi;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.text.Printable;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** The result of an extension of several holds. A failure names those that were extended. */
final class ExtendedTogether extends Pending<Done> {

    private final Pending<Done> result;
    private final Queue<String> extended = new ConcurrentLinkedQueue<>();

    ExtendedTogether(Pending<Done> result) {
        this.result = result;
    }

    /** The result of one member's extension, which goes on to the given one. */
    Pending<Done> of(LockHold member, Pending<Done> one) {
        return new Pending<>() {

            @Override
            public void onSettled() {
                Throwable failure = failure();
                if (failure == null) {
                    extended.add(member.name());
                    one.complete(value());
                } else {
                    one.fail(failure);
                }
            }
        };
    }

    @Override
    public void onSettled() {
        Throwable failure = failure();
        if (failure == null) {
            result.complete(value());
        } else if (failure instanceof LockException refused && !extended.isEmpty()) {
            result.fail(Failures.adding(refused, "extended: " + names()));
        } else {
            result.fail(failure);
        }
    }

    private String names() {
        return extended.stream()
                .map(name -> "'" + Printable.of(name) + "'")
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
