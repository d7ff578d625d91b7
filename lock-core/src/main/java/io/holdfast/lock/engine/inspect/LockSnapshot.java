package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.spi.Reply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What was seen of a lock: at one store, or by a majority of several.
 *
 * @param timeToLiveMillis until its lease runs out; -2 if it is free, -1 if it has no lease
 * @param field the holder's field; empty if it is free
 * @param listeners connections that listen for its release; -1 if that may not be asked
 * @param readers the fields of those that hold it together
 * @param queue the members of the queue at the server, in their order
 */
record LockSnapshot(
        long timeToLiveMillis,
        String field,
        int count,
        OptionalLong token,
        long listeners,
        List<String> readers,
        List<String> queue) {

    private static final long FREE = -2;
    private static final long FOR_EVER = -1;

    /** What is seen of a key that is no lock. */
    static final LockSnapshot NONE = new LockSnapshot(FREE, "", 0, OptionalLong.empty(), -1);

    private static final int FIRST_FIELD = 2;
    private static final String TOKEN_FIELD = "token";
    /** The field that says that there are readers; where these are looked at too, the script leaves it out. */
    private static final String MARK = "readers";

    LockSnapshot(long timeToLiveMillis, String field, int count, OptionalLong token, long listeners) {
        this(timeToLiveMillis, field, count, token, listeners, List.of(), List.of());
    }

    /** Reads the answer of the inspecting script. */
    static LockSnapshot read(Reply reply) {
        String holder = "";
        int count = 0;
        OptionalLong token = OptionalLong.empty();
        for (int i = FIRST_FIELD; i + 1 < reply.size(); i += 2) {
            String field = reply.text(i);
            if (TOKEN_FIELD.equals(field)) {
                token = OptionalLong.of(reply.integer(i + 1));
            } else if (field != null && !MARK.equals(field)) {
                holder = field;
                count = (int) reply.integer(i + 1);
            }
        }
        int beside = reply.size() - 1;
        return (beside - FIRST_FIELD) % 2 != 0
                ? new LockSnapshot(reply.integer(0), holder, count, token, reply.integer(1))
                : new LockSnapshot(
                        reply.integer(0),
                        holder,
                        count,
                        token,
                        reply.integer(1),
                        texts(reply.get(beside).get(0)),
                        texts(reply.get(beside).get(1)));
    }

    /** Whether the lock says that it has readers, which were not looked at. */
    static boolean isMarked(Reply reply) {
        for (int i = FIRST_FIELD; i + 1 < reply.size(); i += 2) {
            if (MARK.equals(reply.text(i))) {
                return true;
            }
        }
        return false;
    }

    static List<String> texts(Reply list) {
        List<String> texts = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            String text = list.text(i);
            if (text != null) {
                texts.add(text);
            }
        }
        return texts;
    }

    /** What was seen of its readers beside it. */
    LockSnapshot withReaders(List<String> seen) {
        boolean isFree = seen.isEmpty() && field.isEmpty();
        return new LockSnapshot(isFree ? FREE : timeToLiveMillis, field, count, token, listeners, seen, queue);
    }

    /** What was seen of its queue beside it. */
    LockSnapshot withQueue(List<String> seen) {
        return new LockSnapshot(timeToLiveMillis, field, count, token, listeners, readers, seen);
    }

    /** The fields of all that hold it, the one that holds it alone first. */
    List<String> fields() {
        List<String> fields = new ArrayList<>(readers.size() + 1);
        if (!field.isEmpty()) {
            fields.add(field);
        }
        fields.addAll(readers);
        return fields;
    }

    boolean isLocked() {
        return timeToLiveMillis != FREE;
    }

    /**
     * The view shared by a majority: its field is that of the one that holds it alone, its readers are those that read at a
     * majority, and its time to live is the majority-th largest.
     */
    static LockSnapshot agreed(Collection<LockSnapshot> seen, int majority) {
        long listeners = seen.stream().mapToLong(LockSnapshot::listeners).max().orElse(-1);
        List<String> readers = agreedReaders(seen, majority);
        for (LockSnapshot candidate : seen) {
            List<LockSnapshot> same = seen.stream()
                    .filter(other -> other.isLocked() && other.field.equals(candidate.field))
                    .toList();
            if (same.size() >= majority && !(candidate.isShared() && readers.isEmpty())) {
                return new LockSnapshot(
                        agreedMillis(same, majority),
                        candidate.field,
                        same.stream().mapToInt(LockSnapshot::count).max().orElse(0),
                        agreedToken(same, majority),
                        listeners,
                        readers,
                        List.of());
            }
        }
        if (readers.isEmpty()) {
            return new LockSnapshot(FREE, "", 0, OptionalLong.empty(), listeners);
        }
        List<LockSnapshot> read = seen.stream()
                .filter(node -> node.readers.stream().anyMatch(readers::contains))
                .toList();
        return new LockSnapshot(
                agreedMillis(read, majority), "", 0, OptionalLong.empty(), listeners, readers, List.of());
    }

    /** Whether it has readers and no other holder. */
    private boolean isShared() {
        return field.isEmpty() && !readers.isEmpty();
    }

    private static List<String> agreedReaders(Collection<LockSnapshot> seen, int majority) {
        Map<String, Integer> nodes = new LinkedHashMap<>();
        for (LockSnapshot node : seen) {
            for (String reader : node.readers) {
                nodes.merge(reader, 1, Integer::sum);
            }
        }
        return nodes.entrySet().stream()
                .filter(reader -> reader.getValue() >= majority)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static long agreedMillis(List<LockSnapshot> same, int majority) {
        long[] left = same.stream().mapToLong(LockSnapshot::leftMillis).sorted().toArray();
        long agreedMillis = left[left.length - majority];
        return agreedMillis == Long.MAX_VALUE ? FOR_EVER : agreedMillis;
    }

    /** A node that granted after the lock was handed out has a token of its own, which no caller was given. */
    private static OptionalLong agreedToken(List<LockSnapshot> same, int majority) {
        for (LockSnapshot candidate : same) {
            long agreeing = same.stream()
                    .filter(other -> other.token.equals(candidate.token))
                    .count();
            if (agreeing >= majority) {
                return candidate.token;
            }
        }
        return OptionalLong.empty();
    }

    private long leftMillis() {
        return timeToLiveMillis == FOR_EVER ? Long.MAX_VALUE : timeToLiveMillis;
    }
}
