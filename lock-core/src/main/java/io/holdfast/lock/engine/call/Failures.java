package io.holdfast.lock.engine.call;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.FencedValue;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ValueTooLongException;
import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Turns what went wrong into exceptions that name the lock, the owner, the node and the reason. */
public final class Failures {

    private Failures() {}

    public static FailureReason reason(Fault fault) {
        return fault.kind() == Fault.Kind.CLOSED
                ? FailureReason.CLIENT_CLOSED
                : FailureReason.valueOf(fault.kind().name());
    }

    /** A request that had its time. */
    public static Fault noAnswer(String node, boolean maybeApplied) {
        return new Fault(Fault.Kind.NO_ANSWER, maybeApplied, node, "no answer in time");
    }

    /** A request that waited for its turn in this client until its time was over. */
    public static Fault neverSent(String node) {
        return new Fault(Fault.Kind.UNREACHABLE, false, node, "this client could not send the request in time");
    }

    /** A request that was not sent, since the one before it has not been answered in the time of both. */
    public static Fault noTurn(String node) {
        return new Fault(Fault.Kind.NO_ANSWER, false, node, "no answer to an earlier step of this hold");
    }

    /** A call that ended with a fault, and whose effect is clear or not as the fault says. */
    public static LockException of(String lock, String owner, Fault fault) {
        return of(new Named("lock", lock), owner, fault);
    }

    /** The same for what may be no lock. */
    public static LockException of(Named what, String owner, Fault fault) {
        String detail = reason(fault) + ": " + fault.detail();
        if (fault.maybeApplied()) {
            return unknown(what, owner, fault.node(), reason(fault), detail);
        }
        return of(message(what, owner, fault.node(), detail), what.name(), owner, fault);
    }

    /** A search for locks that a server did not answer. */
    public static LockException ofSearch(LockQuery query, Fault fault) {
        return of(
                "locks of " + query + ", " + fault.node() + ": " + reason(fault) + ": " + fault.detail(),
                "",
                "",
                fault);
    }

    private static LockException of(String message, String lock, String owner, Fault fault) {
        FailureReason reason = reason(fault);
        if (reason == FailureReason.CLIENT_CLOSED) {
            return new LockClientClosedException(message, lock, owner, fault.node(), reason, null);
        }
        return fault.kind().isTransient()
                ? new LockUnavailableException(message, lock, owner, fault.node(), reason, null)
                : new LockServerException(message, lock, owner, fault.node(), reason, null);
    }

    /** A failure of a step on a lock, with more to say: what it did at other locks, or what becomes of it. */
    public static LockException adding(LockException failure, String more) {
        String message = failure.getMessage() + "; " + more;
        String lock = failure.name().orElse("");
        String owner = failure.owner().orElse("");
        String node = failure.node().orElse("");
        LockException told;
        if (failure instanceof LockUnavailableException) {
            told = new LockUnavailableException(message, lock, owner, node, failure.reason(), null);
        } else if (failure instanceof LockServerException) {
            told = new LockServerException(message, lock, owner, node, failure.reason(), null);
        } else if (failure instanceof LockOutcomeUnknownException) {
            told = new LockOutcomeUnknownException(message, lock, owner, node, failure.reason(), null);
        } else {
            return failure;
        }
        for (Throwable other : failure.getSuppressed()) {
            told.addSuppressed(other);
        }
        return told;
    }

    /** A question that ended with a fault: it has no effect, so nothing is unknown. */
    public static LockException ofQuestion(String lock, String owner, Fault fault) {
        return of(lock, owner, new Fault(fault.kind(), false, fault.node(), fault.detail()));
    }

    /** The same about what may be no lock. */
    public static LockException ofQuestion(Named what, Fault fault) {
        return of(what, new Fault(fault.kind(), false, fault.node(), fault.detail()));
    }

    static LockException unknown(String lock, String owner, Fault fault) {
        return unknown(
                new Named("lock", lock), owner, fault.node(), reason(fault), reason(fault) + ": " + fault.detail());
    }

    public static LockException closed(String lock, String owner, String node) {
        return closed(new Named("lock", lock), owner, node);
    }

    /** The same for what may be no lock. */
    public static LockException closed(Named what, String owner, String node) {
        return new LockClientClosedException(
                message(what, owner, node, "the client is closed"),
                what.name(),
                owner,
                node,
                FailureReason.CLIENT_CLOSED,
                null);
    }

    public static LockLostException lost(LockLoss loss) {
        return lost(new Named("lock", loss.name()), loss);
    }

    /** The same for what may be no lock. */
    public static LockLostException lost(Named what, LockLoss loss) {
        return lost(what, loss, "");
    }

    /** A release that may be meant for a permit that another thread took and has not heard the loss of. */
    public static LockLostException lostByAnother(Named what, LockLoss loss) {
        return lost(
                what,
                loss,
                "; another thread took it, and this thread has taken none that it has not released: nothing is released");
    }

    private static LockLostException lost(Named what, LockLoss loss, String more) {
        return new LockLostException(
                message(
                        what,
                        loss.owner(),
                        loss.node(),
                        "the hold with token " + loss.fencingToken() + " was lost: " + loss.reason() + ": "
                                + loss.detail() + more),
                loss.name(),
                loss.owner(),
                loss.node(),
                loss.reason());
    }

    /** As the other one, for a call that has no owner. */
    public static LockException of(Named what, Fault fault) {
        return of(what, "", fault);
    }

    /** A call whose effect is unknown. */
    public static LockOutcomeUnknownException unknown(Named what, String node, FailureReason reason, String detail) {
        return unknown(what, "", node, reason, detail);
    }

    private static LockOutcomeUnknownException unknown(
            Named what, String owner, String node, FailureReason reason, String detail) {
        return new LockOutcomeUnknownException(
                message(what, owner, node, "outcome unknown: " + detail), what.name(), owner, node, reason, null);
    }

    /** What a call waits for is not there any more. */
    public static LockLostException gone(Named what, String node, String detail) {
        return new LockLostException(
                message(what, "", node, LossReason.KEY_GONE + ": " + detail),
                what.name(),
                "",
                node,
                LossReason.KEY_GONE);
    }

    /** An action that did not run. */
    public static LockTimeoutException notGranted(String lock, String clientId, String node, Duration wait) {
        return new LockTimeoutException(
                "lock '" + Printable.of(lock) + "', " + node + ": not granted within " + Durations.of(wait),
                lock,
                clientId,
                node,
                FailureReason.NOT_GRANTED,
                null);
    }

    /** A fenced value that does not travel. */
    public static ValueTooLongException tooLong(String value, String node, long lengthBytes) {
        return new ValueTooLongException(
                "value '" + Printable.of(value) + "', " + node + ": " + lengthBytes + " bytes (expected: at most "
                        + FencedValue.MAX_BYTES + ")",
                value,
                node,
                lengthBytes);
    }

    /** @param holder another owner of this client that holds the lock, if there is one */
    static LockNotHeldException notHeld(
            Named what, String ownerText, Owner owner, String node, @Nullable Owner holder) {
        String told = holder == null
                ? "not held by " + owner.describe() + " of this client"
                : "acquired by " + holder.describe() + ", released from " + owner.describe()
                        + "; pass the thread id or use acquireAsync";
        return new LockNotHeldException(
                message(what, ownerText, node, told), what.name(), ownerText, node, FailureReason.NOT_HELD);
    }

    /** A member of a MultiLock that the owner holds by calls of its own. */
    public static LockNotHeldException notTaken(String lock, String ownerText, Owner owner, String node) {
        return new LockNotHeldException(
                message(lock, ownerText, node, "held by " + owner.describe() + ", but not by this MultiLock"),
                lock,
                ownerText,
                node,
                FailureReason.NOT_HELD);
    }

    /**
     * An owner asks for a lock that its own hold excludes.
     *
     * @param held the kind of the hold
     * @param asked the kind that it asks for
     */
    public static IllegalMonitorStateException wouldWaitForItself(
            String lock, String ownerText, Owner owner, String node, Object held, Object asked) {
        String what = owner.describe() + " holds it as " + held + " and asks for it as " + asked
                + ", and would wait for itself; release it first";
        return new IllegalMonitorStateException(Printable.message(message(lock, ownerText, node, what)));
    }

    /** An owner that is to give a lock up would keep a part of it. */
    public static IllegalMonitorStateException keepsTheLock(
            String lock, String ownerText, Owner owner, String node, boolean byMultiLock) {
        String what = owner.describe()
                + (byMultiLock
                        ? " has taken it by a MultiLock as well, which would be without it"
                        : " holds the read lock as well, and no other owner could signal")
                + "; release that before it awaits a condition";
        return new IllegalMonitorStateException(Printable.message(message(lock, ownerText, node, what)));
    }

    private static String message(String lock, String owner, String node, String what) {
        return message(new Named("lock", lock), owner, node, what);
    }

    private static String message(Named about, String owner, String node, String what) {
        String whose = owner.isEmpty() ? "" : ", owner " + owner;
        return about + whose + ", " + node + ": " + what;
    }
}
