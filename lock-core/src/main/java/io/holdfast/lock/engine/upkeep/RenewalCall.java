package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Verb;
import io.holdfast.lock.engine.step.Judgement;
import io.holdfast.lock.engine.step.KeyByKey;
import io.holdfast.lock.engine.step.Pass;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How a renewal of many holds of one kind is written and read. What becomes of it is the watchdog's matter. */
abstract class RenewalCall extends ScriptCall {

    final LockKind kind;
    final List<StoreLease> leases;
    long[] millis;
    private final Fields fields;
    private final @Nullable Pass pass;

    /**
     * @param room for how many leases, before it has to grow
     * @param pass for the failover guard; null for none
     */
    RenewalCall(
            LockKind kind, int slot, long sentNanos, long commandNanos, Fields fields, int room, @Nullable Pass pass) {
        super(script(kind, pass), slot, sentNanos, sentNanos + commandNanos);
        this.kind = kind;
        this.fields = fields;
        this.leases = new ArrayList<>(room);
        this.millis = new long[room];
        this.pass = pass;
    }

    private static Script script(LockKind kind, @Nullable Pass pass) {
        Script plain = kind.script(Verb.RENEW);
        return pass == null ? plain : pass.script(plain);
    }

    /** For the failover guard; null for none. */
    final @Nullable Pass pass() {
        return pass;
    }

    static LockKeys keys(StoreLease lease) {
        return lease.hold().cell.keys.at(lease.store);
    }

    final void add(StoreLease lease, long leaseMillis) {
        int index = leases.size();
        if (index == millis.length) {
            millis = Arrays.copyOf(millis, 2 * index);
        }
        millis[index] = leaseMillis;
        leases.add(lease);
        lease.asks();
    }

    /** Goes on with a single hold in steps with one key each; false if there is no such way (rule 120). */
    final boolean goesOnKeyByKey(Consumer<Fault> failed) {
        StoreLease lease = leases.get(0);
        return pass == null
                && new KeyByKey(kind.keyByKey(Verb.RENEW), keys(lease), fields, lease.hold().field, millis[0])
                        .goesOn(lease.store.backend(), this, failed);
    }

    /**
     * The server has said which of the holds it knows.
     *
     * @param restNanos in how long a renewal counts there: 0 if it does
     */
    abstract void answered(boolean[] known, long restNanos);

    @Override
    public final void encode(Args out) {
        if (pass == null) {
            write(out);
        } else {
            pass.write(out, this::write);
        }
    }

    private void write(Args out) {
        for (StoreLease lease : leases) {
            kind.writeRenewKeys(keys(lease), out);
        }
        for (int i = 0; i < leases.size(); i++) {
            kind.writeRenew(fields, leases.get(i).hold().field, millis[i], out);
        }
    }

    @Override
    public final void onReply(Reply reply) {
        if (pass == null) {
            answered(known(reply), 0);
            return;
        }
        Judgement judgement = pass.judge(reply);
        if (judgement.counts() || judgement.isEarly()) {
            answered(known(judgement.theAnswer()), judgement.restNanos());
        } else {
            onFault(judgement.fault());
        }
    }

    @Override
    public abstract void onFault(Fault fault);

    private boolean[] known(Reply answer) {
        boolean[] known = new boolean[leases.size()];
        for (int i = 0; i < known.length; i++) {
            known[i] = answer.integer(i) == 1;
        }
        return known;
    }
}
