package io.holdfast.lock.engine.key;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A lock over several stores, each of which may call it differently. */
public final class MemberKeys extends LockKeys {

    private final List<LockKeys> members;

    public MemberKeys(List<LockKeys> members) {
        super(members.get(0));
        this.members = List.copyOf(members);
    }

    @Override
    public LockKeys at(Store store) {
        return members.get(store.index());
    }

    @Override
    public String name() {
        return members.stream().map(LockKeys::name).distinct().collect(Collectors.joining("+"));
    }

    @Override
    public String key() {
        return members.stream().map(LockKeys::key).collect(Collectors.joining("\n"));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MemberKeys that && members.equals(that.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }
}
