package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Addresses that are known beforehand; all others stay as they are. */
final class KnownAddresses implements AddressMapper {

    private final Map<NodeAddress, NodeAddress> reachable;

    KnownAddresses(Map<NodeAddress, NodeAddress> reachable) {
        this.reachable = Map.copyOf(Objects.requireNonNull(reachable, "reachable"));
    }

    @Override
    public NodeAddress map(NodeAddress announced) {
        return reachable.getOrDefault(announced, announced);
    }

    @Override
    public boolean mayBlock() {
        return false;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KnownAddresses that && reachable.equals(that.reachable);
    }

    @Override
    public int hashCode() {
        return reachable.hashCode();
    }

    @Override
    public String toString() {
        return "KnownAddresses" + Printable.message(reachable);
    }
}
