package io.holdfast.lock.testkit;

import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What all nodes of a cluster say at about the same time.
 *
 * @param all one of each node, also of those that say nothing
 */
record ClusterViews(List<ClusterView> all) {
    static ClusterViews of(Collection<RedisServer> nodes) {
        return new ClusterViews(nodes.stream().map(ClusterView::of).toList());
    }

    Stream<ClusterView> heard() {
        return all.stream().filter(view -> !view.isSilent());
    }

    /** What each node that answers says of itself. */
    Stream<ClusterLine> selves() {
        return heard().flatMap(view -> view.self().stream());
    }

    private Set<String> answering() {
        return selves().map(ClusterLine::id).collect(Collectors.toSet());
    }

    /**
     * The slots of each node that has any, by their ids. Where nodes disagree, the one of the greatest epoch owns the slot, as
     * all of them will find in the end.
     */
    Map<String, BitSet> owners() {
        Map<String, BitSet> owners = new HashMap<>();
        BitSet taken = new BitSet(HashSlot.COUNT);
        heard().flatMap(view -> view.lines().values().stream())
                .sorted(Comparator.comparingLong(ClusterLine::epoch).reversed())
                .forEach(line -> {
                    BitSet left = (BitSet) line.slots().clone();
                    left.andNot(taken);
                    taken.or(left);
                    if (!left.isEmpty()) {
                        owners.computeIfAbsent(line.id(), id -> new BitSet()).or(left);
                    }
                });
        return owners;
    }

    /** The id of the node that a node follows: as it says itself, or as any other says if it says nothing. */
    Optional<String> masterOf(String id) {
        return Stream.concat(
                        selves().filter(self -> self.id().equals(id)), heard().flatMap(view -> view.of(id).stream()))
                .findFirst()
                .filter(ClusterLine::isReplica)
                .map(ClusterLine::master);
    }

    /** Whether all that answer know these nodes and no others, and are in touch with those that answer. */
    boolean knowEachOther(Set<String> members) {
        Set<String> answering = answering();
        return heard().allMatch(view -> view.isInTouch(members, answering));
    }

    /** Whether all that answer know each other, serve their slots, agree on owners and roles, and follow their masters. */
    boolean areSettled(Set<String> members) {
        Set<String> answering = answering();
        return knowEachOther(members)
                && serve()
                && agree(ClusterView::owners)
                && agree(view -> view.mastersOf(answering))
                && heard().allMatch(view -> view.isFollowing(answering));
    }

    /** Whether all that answer serve their slots, and one answers at least. */
    boolean serve() {
        return heard().findAny().isPresent()
                && heard().allMatch(view -> view.state().equals("ok"));
    }

    /** Whether all that answer name one node as the owner of these slots, and serve their slots. */
    boolean areOwned(BitSet slots, String id) {
        return serve()
                && heard().allMatch(view ->
                        view.of(id).filter(line -> line.owns(slots)).isPresent());
    }

    /** Whether all that answer say the same of this. */
    boolean agree(Function<ClusterView, Object> of) {
        return heard().map(of).distinct().count() == 1;
    }

    /** Whether a node is moving a slot. */
    boolean haveOpenSlots() {
        return selves().anyMatch(self -> !self.open().isEmpty());
    }

    @Override
    public String toString() {
        return all.stream().map(ClusterView::toString).collect(Collectors.joining("; "));
    }
}
