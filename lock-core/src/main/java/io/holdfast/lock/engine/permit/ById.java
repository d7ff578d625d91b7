package io.holdfast.lock.engine.permit;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.engine.call.Bounded;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Gathering;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Holds;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.inspect.Query;
import io.holdfast.lock.engine.key.KeyLayout;
import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.key.PermitKeys;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.engine.lock.HoldView;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.text.Printable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is done with a permit by its id, which is its field. Where this client has the permit, its hold does it; else the server is
 * asked, and the client that has the permit learns of it at its next renewal.
 */
final class ById {

    /** A client, of printable characters, a handle of it, and a number, each as it is written. */
    private static final Pattern ID =
            Pattern.compile("[!-)+-9;-~]{1,128}:h(?:0|[1-9][0-9]{0,18}):(?:0|[1-9][0-9]{0,14})");

    private final SemaphoreParts parts;
    private final ClientFacts facts;
    private final PermitKeys keys;
    private final Named named;
    /** What the ids of this client's permits begin with. */
    private final String own;

    ById(SemaphoreParts parts, PermitKeys keys) {
        this.parts = parts;
        this.facts = parts.facts();
        this.keys = keys;
        this.named = keys.named();
        this.own = facts.clientId() + ':';
    }

    List<String> of(List<Hold> holds) {
        return holds.stream()
                .map(hold -> own + new String(hold.field, StandardCharsets.UTF_8))
                .toList();
    }

    String checked(String id) {
        if (!ID.matcher(Objects.requireNonNull(id, "permitId")).matches()) {
            throw new IllegalArgumentException(
                    named + ": permit id '" + Printable.of(id) + "' (expected: what acquire has returned)");
        }
        return id;
    }

    List<String> checked(List<String> ids) {
        return Objects.requireNonNull(ids, "permitIds").stream()
                .map(this::checked)
                .toList();
    }

    long leaseMillis(long leaseTime, TimeUnit unit) {
        // What is too long for a duration is the longest, and refused as such.
        Duration lease = Duration.ofMillis(Objects.requireNonNull(unit, "unit").toMillis(leaseTime));
        long millis = LeaseTerm.ofExtension(lease).millis();
        facts.checkLease(named, millis);
        return millis;
    }

    // --- giving back ---

    <P extends Pending<Done>> P release(List<String> ids, P result) {
        if (ids.isEmpty()) {
            result.complete(Done.DONE);
            return result;
        }
        Gathering<Done, Done> all = new Gathering<>(ids.size(), done -> Done.DONE, result);
        ids.forEach(id -> release(id, true, all.one()));
        return result;
    }

    <P extends Pending<Boolean>> P tryRelease(String id, P result) {
        release(id, false, whether(result));
        return result;
    }

    /** @param gone whether it will do that the permit is not there, though it may not have been there before */
    private void release(String id, boolean gone, Pending<Done> result) {
        Hold hold = held(id);
        if (hold != null) {
            hold.cell.run(() -> parts.operations().release(hold, result));
            return;
        }
        // Its caller is kept for one command timeout, and it goes on without (rule 133).
        Pending<Done> inTime = Bounded.of(
                result,
                step -> facts.runtime().after(facts.commandNanos(), step),
                late -> late.fail(Failures.unknown(
                        named,
                        facts.node(),
                        FailureReason.NO_ANSWER,
                        "no answer in time; the release goes on in the background")));
        ask(
                Scripts.PERMIT_PART,
                out -> {
                    keys.writeQueueKeys(out);
                    out.arg(KeyLayout.utf8(id)).arg(Queued.CLAIM_WINDOW_MILLIS);
                    keys.writeChannel(out);
                },
                id,
                gone,
                inTime);
    }

    // --- keeping longer ---

    <P extends Pending<Boolean>> P extend(String id, long leaseMillis, P result) {
        Hold hold = held(id);
        if (hold != null) {
            HoldView view = new HoldView(hold, parts.operations());
            view.extend(Duration.ofMillis(leaseMillis), whether(result));
        } else if (facts.options().failoverGuard().isPresent()) {
            throw new UnsupportedOperationException(named + ", " + facts.node() + ": permit " + Printable.of(id)
                    + " is another client's, and with failoverGuard an answer counts only for the client that holds it"
                    + " (expected: updateLeaseTime by that client)");
        } else {
            ask(
                    Scripts.PERMIT_KEEP,
                    out -> keys.writeKey(out).arg(KeyLayout.utf8(id)).arg(leaseMillis),
                    id,
                    false,
                    whether(result));
        }
        return result;
    }

    // --- how it is asked for ---

    /** The permit, if this client has it. */
    private @Nullable Hold held(String id) {
        LockCell cell = id.startsWith(own) ? parts.cells().ifPresent(keys) : null;
        if (cell == null) {
            return null;
        }
        byte[] field = KeyLayout.utf8(id.substring(own.length()));
        Holds holds = cell.holds();
        for (int i = 0; i < holds.size(); i++) {
            Hold hold = holds.get(i);
            if (Arrays.equals(hold.field, field) && hold.isAlive()) {
                return hold;
            }
        }
        return null;
    }

    /**
     * Sends a step for a permit that this client has not.
     *
     * @param gone whether it will do that the permit is not there, where an earlier copy of the step may have done that
     */
    private void ask(Script script, Consumer<Args> arguments, String id, boolean gone, Pending<Done> result) {
        parts.query(keys, script, true, arguments, reply -> reply.integer(0) == 1)
                .ask(parts.dueNanos(), new Query.Hearer<>() {
                    @Override
                    public void answered(Boolean known, boolean repeated) {
                        if (known || (repeated && gone)) {
                            result.complete(Done.DONE);
                        } else if (repeated && script == Scripts.PERMIT_PART) {
                            result.fail(inDoubt(id));
                        } else {
                            result.fail(notHeld(id));
                        }
                    }

                    @Override
                    public void failed(LockException failure) {
                        result.fail(failure);
                    }
                });
    }

    private LockException inDoubt(String id) {
        return Failures.unknown(
                named,
                facts.node(),
                FailureReason.NO_ANSWER,
                "permit " + Printable.of(id) + " is not taken, and an answer to this call was lost");
    }

    private LockNotHeldException notHeld(String id) {
        String message = named + ", " + facts.node() + ": permit " + Printable.of(id)
                + " is not taken: it was released, or its lease ran out";
        return new LockNotHeldException(message, keys.name(), id, facts.node(), FailureReason.NOT_HELD);
    }

    /** Tells whether the permit was there. */
    private static Pending<Done> whether(Pending<Boolean> result) {
        return new Pending<>() {
            @Override
            public void onSettled() {
                Throwable failure = failure();
                if (failure == null) {
                    result.complete(true);
                } else if (failure instanceof LockNotHeldException || failure instanceof LockLostException) {
                    result.complete(false);
                } else {
                    result.fail(failure);
                }
            }
        };
    }
}
