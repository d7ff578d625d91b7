package io.holdfast.lock.engine.key;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A lock over several stores, each of which may call it differently. */
public final class MemberNames extends LockNames {

    private final List<LockNames> members;

    public MemberNames(List<LockNames> members) {
        super(members.get(0));
        this.members = List.copyOf(members);
    }

    @Override
    public LockNames at(Store store) {
        return members.get(store.index());
    }

    @Override
    public String name() {
        return members.stream().map(LockNames::name).distinct().collect(Collectors.joining("+"));
    }

    @Override
    public String key() {
        return members.stream().map(LockNames::key).collect(Collectors.joining("\n"));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MemberNames that && members.equals(that.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }
}
