package io.holdfast.lock.tests.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * How to read what a server has of a lock or a semaphore with a queue: members of the queue are a letter and a field, or a span
 * of fields; each field that is in holds something.
 */
final class Places {

    private static final LuaString READERS = LuaString.valueOf("readers");

    private Places() {}

    /** Whether a member has what it asked for, or has it reserved. */
    static boolean isIn(Keyspace data, String key, String member) {
        if (member.charAt(0) == 'p') {
            return fields(member)
                    .allMatch(field -> data.zscore(LuaString.valueOf(key), LuaString.valueOf(field)) != null);
        }
        LuaString field = LuaString.valueOf(member.substring(1));
        return member.charAt(0) == 'r'
                ? data.zscore(LuaString.valueOf(key + ":readers"), field) != null
                : data.hexists(LuaString.valueOf(key), field);
    }

    /** The members that wait, the first first. */
    static List<String> waiting(Keyspace data, String key) {
        return texts(data.zrange(LuaString.valueOf(key + ":queue"), 0, -1));
    }

    /** Whether the client of a member that waits is present, as far as the server knows. */
    static boolean isPresent(Keyspace data, String key, String member) {
        String client = member.substring(1, member.indexOf(':'));
        Double until = data.zscore(LuaString.valueOf(key + ":seen"), LuaString.valueOf(client));
        return until != null && 1_000 * until > data.micros();
    }

    /** The fields that are in and whose time is not over, each with its letter. */
    static List<String> in(Keyspace data, String key) {
        LuaString lock = LuaString.valueOf(key);
        if (key.endsWith(":permits")) {
            return living(data, lock).map(field -> "p" + field).toList();
        }
        List<String> in = new ArrayList<>();
        List<LuaString> hash = data.hgetall(lock);
        for (int i = 0; i < hash.size(); i += 2) {
            if (!hash.get(i).raweq(Keyspace.TOKEN_FIELD) && !hash.get(i).raweq(READERS)) {
                in.add("w" + hash.get(i));
            }
        }
        if (data.hexists(lock, READERS)) {
            living(data, LuaString.valueOf(key + ":readers")).forEach(field -> in.add("r" + field));
        }
        return in;
    }

    private static Stream<LuaString> living(Keyspace data, LuaString set) {
        return data.zrange(set, 0, -1).stream().filter(field -> {
            Double until = data.zscore(set, field);
            return until != null && 1_000 * until > data.micros();
        });
    }

    /** The fields of the span that a member stands for. */
    static Stream<String> fields(String member) {
        int times = member.indexOf('*');
        String first = member.substring(1, times < 0 ? member.length() : times);
        String start = first.substring(0, first.lastIndexOf(':') + 1);
        long number = Long.parseLong(first.substring(start.length()));
        return LongStream.range(number, number + size(member)).mapToObj(each -> start + each);
    }

    /** How many permits a member of the queue stands for. */
    static int size(String member) {
        int times = member.indexOf('*');
        return times < 0 ? 1 : Integer.parseInt(member.substring(times + 1));
    }

    /** The client of a field; null if it is none of these. */
    static @Nullable SimulatedClient client(List<SimulatedClient> clients, String field) {
        String id = field.substring(0, field.indexOf(':'));
        return clients.stream()
                .filter(client -> client.api().id().equals(id))
                .findFirst()
                .orElse(null);
    }

    static List<String> texts(List<LuaString> strings) {
        return strings.stream().map(LuaString::tojstring).toList();
    }
}
