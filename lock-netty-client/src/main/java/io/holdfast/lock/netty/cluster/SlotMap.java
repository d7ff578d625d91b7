package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.UnexpectedReplyException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which node is the primary of which slots, as one node says.
 *
 * @param ranges without an order; slots that are in none have no primary
 * @param failed the primaries among them that a majority calls failed, as far as the node tells
 */
record SlotMap(List<Range> ranges, Set<Target.Host> failed) {

    static final int SLOTS = 16_384;

    /** Slots that follow each other, the last one included. */
    record Range(int first, int last, Target.Host primary) {}

    SlotMap {
        ranges = List.copyOf(ranges);
        failed = Set.copyOf(failed);
    }

    /** The primaries of slots. */
    Set<Target.Host> primaries() {
        Set<Target.Host> primaries = new HashSet<>();
        ranges.forEach(range -> primaries.add(range.primary));
        return primaries;
    }

    /**
     * Reads an answer to {@code CLUSTER SHARDS}: of each shard its slots and its nodes.
     *
     * @param asked the node that was asked
     * @param tls whether the ports for TLS are wanted
     */
    static SlotMap ofShards(RespValue answer, Target.Host asked, boolean tls) {
        List<Range> ranges = new ArrayList<>();
        Set<Target.Host> failed = new HashSet<>();
        for (int i = 0; i < answer.size(); i++) {
            RespValue shard = answer.get(i);
            RespValue slots = entry(shard, "slots");
            RespValue primary = slots == null || slots.size() == 0 ? null : primaryOf(entry(shard, "nodes"));
            if (slots == null || primary == null) {
                continue;
            }
            Target.Host at = Redirection.host(primary.entry("endpoint"), portOf(primary, tls), asked);
            if (at == null) {
                // It has been another node's since: no node knows where this one is.
                continue;
            }
            if (primary.entry("health").equals("fail")) {
                failed.add(at);
            }
            for (int j = 0; j + 1 < slots.size(); j += 2) {
                add(slots.integer(j), slots.integer(j + 1), at, ranges);
            }
        }
        return new SlotMap(ranges, failed);
    }

    /** Reads an answer to {@code CLUSTER SLOTS}, of servers before 7.0: of each range its first and last slot, and its nodes. */
    static SlotMap ofSlots(RespValue answer, Target.Host asked) {
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < answer.size(); i++) {
            RespValue range = answer.get(i);
            RespValue primary = range.get(2);
            Target.Host at = Redirection.host(primary.text(0), primary.text(1), asked);
            if (at == null) {
                continue;
            }
            add(range.integer(0), range.integer(1), at, ranges);
        }
        return new SlotMap(ranges, Set.of());
    }

    private static void add(long first, long last, Target.Host primary, List<Range> ranges) {
        if (first < 0 || last < first || last >= SLOTS || ranges.size() == SLOTS) {
            throw new UnexpectedReplyException("a map with more slots than there are: " + first + " to " + last);
        }
        ranges.add(new Range((int) first, (int) last, primary));
    }

    /** The primary of a shard: where two say so, the one that has not failed. */
    private static @Nullable RespValue primaryOf(@Nullable RespValue nodes) {
        RespValue found = null;
        for (int i = 0; nodes != null && i < nodes.size(); i++) {
            RespValue node = nodes.get(i);
            if (node.entry("role").equals("master")
                    && (found == null || !node.entry("health").equals("fail"))) {
                found = node;
            }
        }
        return found;
    }

    private static String portOf(RespValue node, boolean tls) {
        String ofTls = node.entry("tls-port");
        return tls && !ofTls.isEmpty() ? ofTls : node.entry("port");
    }

    private static @Nullable RespValue entry(RespValue map, String name) {
        for (int i = 0; i + 1 < map.size(); i += 2) {
            if (name.equals(map.text(i))) {
                return map.get(i + 1);
            }
        }
        return null;
    }
}
