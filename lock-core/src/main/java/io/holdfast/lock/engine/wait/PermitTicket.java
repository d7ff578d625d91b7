package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.key.Span;
import io.holdfast.lock.engine.step.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A call that wants permits, all of them together or none. Each is a hold of its own, and told as an acquisition of its own. */
public final class PermitTicket extends Ticket {

    private final List<Terms> each;
    /** Written before the result is settled, and read behind that. */
    private final List<Hold> granted;

    /**
     * @param each what listeners are told of each permit
     * @param thread the thread of a blocking call; null for any other
     * @param granted where the holds come
     */
    public PermitTicket(
            LockKeys keys,
            List<Terms> each,
            Owner owner,
            LeaseTerm lease,
            long waitNanos,
            @Nullable Thread thread,
            long startNanos,
            Pending<Optional<Hold>> result,
            List<Hold> granted) {
        super(keys, each.get(0), owner, lease, waitNanos, thread, startNanos, result);
        this.each = each;
        this.granted = granted;
    }

    @Override
    byte[] newField(ClientFacts facts) {
        return facts.fields().next(owner, each.size());
    }

    @Override
    void eachTerms(Consumer<Terms> action) {
        each.forEach(action);
    }

    @Override
    List<Hold> others() {
        return granted.subList(1, granted.size());
    }

    @Override
    Hold hold(LockCell cell, byte[] span, Outcome.Granted grant, long now) {
        StoreLease first = grant.leases().get(0);
        for (int i = 0; i < each.size(); i++) {
            StoreLease lease = i == 0 ? first : first.likewise(leaseMillis());
            if (i > 0 && maybeApplied) {
                lease.askedBefore();
            }
            byte[] field = Span.field(span, i);
            long token = grant.token() + i;
            granted.add(new Hold(
                    cell, each.get(i), owner, field, token, lease, leaseMillis(), watched(), thread, null, now));
        }
        return granted.get(0);
    }
}
