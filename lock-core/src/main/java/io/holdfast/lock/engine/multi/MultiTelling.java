package io.holdfast.lock.engine.multi;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.spi.Runtime;
import java.util.ArrayList;
import java.util.List;

/**
 * What listeners are told of a MultiLock's call. Each member starts with the call and ends with it, once: however often it was
 * taken on the way, and given back to let others go first, its owner never saw that.
 */
final class MultiTelling {

    /** What a member's listeners are told. */
    private static final class Part {

        private final EngineLock member;
        private final Terms terms;
        private Owner owner;

        Part(EngineLock member, Terms terms, Owner owner) {
            this.member = member;
            this.terms = terms;
            this.owner = owner;
        }
    }

    private final Runtime runtime;
    private final List<Part> parts = new ArrayList<>();
    private final long startNanos;

    /** The call begins, on its caller's thread. */
    MultiTelling(List<EngineLock> members, Owner owner, MultiLease lease, Runtime runtime) {
        this.runtime = runtime;
        for (EngineLock member : members) {
            Terms terms = new Terms(member.kind, lease.collectingOptions(member.options));
            parts.add(new Part(
                    member,
                    member.calls().events().started(terms, member.keys),
                    owner.standalone() ? member.facts.newOwner() : owner));
        }
        this.startNanos = runtime.nanos();
    }

    /** A member is asked for as this owner; returns the terms. */
    Terms asks(EngineLock member, Owner owner) {
        Part part = part(member);
        part.owner = owner;
        return part.terms;
    }

    /** The owner sees a member's hold from now on. */
    void handedOut(EngineLock member, Hold hold) {
        Part part = part(member);
        if (hold.terms().telling() == part.terms.telling()) {
            member.calls().events().acquired(hold, waitedNanos());
        } else {
            member.calls().events().reentered(part.terms, hold, waitedNanos());
        }
    }

    /** The call has ended without the locks. */
    void refused(FailureReason reason, String detail) {
        for (Part part : parts) {
            part.member
                    .calls()
                    .events()
                    .refused(part.terms, part.member.keys, part.owner, waitedNanos(), reason, detail);
        }
    }

    private Part part(EngineLock member) {
        for (Part part : parts) {
            if (part.member.equals(member)) {
                return part;
            }
        }
        throw new IllegalStateException(member + " is no member");
    }

    private long waitedNanos() {
        return runtime.nanos() - startNanos;
    }
}
