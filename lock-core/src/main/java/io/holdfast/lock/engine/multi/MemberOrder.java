package io.holdfast.lock.engine.multi;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.engine.lock.FirstElsewhere;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The order in which a MultiLock takes its members: the same in every process, as far as that can be known.
 *
 * <p>By key, for a key is the same everywhere. Members of one key are at different servers. Each process may call a server
 * by another address, so what counts is what the server says of itself. Some servers do not say it, and after a restart it
 * is something else, which one process learns before the other. Redisson takes its members in the order of the call. Where
 * others may have another order, what was seen of it counts ({@link FirstElsewhere}).
 */
final class MemberOrder {

    private static final Comparator<Ranked> CANONICAL = Comparator.comparing(Ranked::keys)
            .thenComparing(Ranked::servers)
            .thenComparing(ranked -> ranked.member().facts.node());

    /** What a member's place depends on, read once: what a server says of itself may change. */
    private record Ranked(EngineLock member, String keys, String servers, long firstElsewhereNanos) {

        Ranked(EngineLock member) {
            this(
                    member,
                    String.join("\n", MemberOrder.keys(member)),
                    MemberOrder.servers(member),
                    member.site.firstElsewhere().seenNanos(member.keys));
        }
    }

    /** In canonical order, as far as it was known at the beginning. */
    private final List<EngineLock> members;

    private final boolean certain;

    MemberOrder(List<EngineLock> members) {
        this.members = sorted(members, CANONICAL);
        this.certain = isCertain(members);
    }

    /** Whether every other process has this order too: the keys alone decide it, and Redisson has no part in them. */
    boolean isCertain() {
        return certain;
    }

    /** The members in canonical order, or first what others were seen to take first. */
    List<EngineLock> now() {
        return certain
                ? members
                : sorted(
                        members,
                        Comparator.comparing(Ranked::firstElsewhereNanos)
                                .reversed()
                                .thenComparing(CANONICAL));
    }

    private static List<EngineLock> sorted(List<EngineLock> members, Comparator<Ranked> order) {
        return members.stream()
                .map(Ranked::new)
                .sorted(order)
                .map(Ranked::member)
                .toList();
    }

    private static boolean isCertain(List<EngineLock> members) {
        Set<String> seen = new HashSet<>();
        for (EngineLock member : members) {
            List<String> keys = keys(member);
            boolean decides = keys.size() == 1 && seen.add(keys.get(0));
            if (!decides || member.options.keyScheme() == KeyScheme.REDISSON) {
                return false;
            }
        }
        return true;
    }

    /** A lock over several servers may have another key at each. */
    private static List<String> keys(EngineLock member) {
        return member.facts.stores().stream()
                .map(store -> member.keys.at(store).key())
                .distinct()
                .sorted()
                .toList();
    }

    private static String servers(EngineLock member) {
        return member.facts.stores().stream()
                .map(store -> store.backend().server(member.keys.at(store).slot))
                .sorted()
                .collect(Collectors.joining("\n"));
    }
}
