package io.holdfast.lock.memory.script;

import io.holdfast.lock.text.Printable;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaNumber;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** The commands that scripts call, each as a server has it: what it takes, does and answers. */
final class Commands {

    /** A command; its first word is its name, its second one the key, if it has one. */
    @FunctionalInterface
    private interface Body {

        LuaValue run(ScriptHost server, StoredData data, LuaString key, Varargs words);
    }

    private record Command(String name, Body body) {}

    private static final Map<LuaString, Command> ALL = new HashMap<>();

    static {
        add("EXISTS", (server, data, key, words) -> number(data.exists(key)));
        add("DEL", (server, data, key, words) -> number(data.del(key)));
        add("PTTL", (server, data, key, words) -> number(data.pttl(key)));
        add("PEXPIRE", (server, data, key, words) -> number(data.pexpire(key, integer(words, 3))));
        add("PEXPIREAT", (server, data, key, words) -> number(data.pexpireat(key, integer(words, 3))));
        add("PERSIST", (server, data, key, words) -> number(data.persist(key)));
        add("TYPE", (server, data, key, words) -> status(data.type(key)));
        add("SCAN", (server, data, key, words) -> scan(data, words));

        add("GET", (server, data, key, words) -> textOrFalse(data.get(key)));
        add("SET", (server, data, key, words) -> set(data, key, words));

        add("HEXISTS", (server, data, key, words) -> number(data.hexists(key, text(words, 3))));
        add("HGET", (server, data, key, words) -> textOrFalse(data.hget(key, text(words, 3))));
        add("HMGET", (server, data, key, words) -> each(words, field -> textOrFalse(data.hget(key, field))));
        add("HGETALL", (server, data, key, words) -> list(data.hgetall(key).stream()));
        add("HKEYS", (server, data, key, words) -> list(data.hkeys(key).stream()));
        add(
                "HVALS",
                (server, data, key, words) ->
                        list(data.hkeys(key).stream().map(field -> textOrFalse(data.hget(key, field)))));
        add("HLEN", (server, data, key, words) -> number(data.hlen(key)));
        add(
                "HSTRLEN",
                (server, data, key, words) -> number(
                        textOrFalse(data.hget(key, text(words, 3))) instanceof LuaString value ? value.m_length : 0));
        add(
                "HSET",
                (server, data, key, words) -> number(IntStream.iterate(3, i -> i < words.narg(), i -> i + 2)
                        .filter(i -> data.hset(key, text(words, i), text(words, i + 1)))
                        .count()));
        add("HDEL", (server, data, key, words) -> count(words, field -> data.hdel(key, field)));

        add("SADD", (server, data, key, words) -> count(words, member -> data.sadd(key, member)));
        add("SMEMBERS", (server, data, key, words) -> list(data.smembers(key).stream()));
        add("SCARD", (server, data, key, words) -> number(data.scard(key)));

        add("ZADD", (server, data, key, words) -> zadd(data, key, words));
        add("ZREM", (server, data, key, words) -> count(words, member -> data.zrem(key, member)));
        add("ZREMRANGEBYSCORE", (server, data, key, words) -> number(data.zremrangebyscore(key, bound(words, 4, -1))));
        add("ZCARD", (server, data, key, words) -> number(data.zcard(key)));
        add(
                "ZCOUNT",
                (server, data, key, words) -> number(scored(data, key, words).count()));
        add("ZSCORE", (server, data, key, words) -> scoreOrFalse(data.zscore(key, text(words, 3))));
        add("ZMSCORE", (server, data, key, words) -> each(words, member -> scoreOrFalse(data.zscore(key, member))));
        add("ZRANK", (server, data, key, words) -> {
            int rank = data.zrank(key, text(words, 3));
            return rank < 0 ? LuaValue.FALSE : number(rank);
        });
        add("ZRANGE", (server, data, key, words) -> zrange(data, key, words));
        add("ZRANGEBYSCORE", (server, data, key, words) -> {
            boolean isLimited = words.narg() > 4 && text(words, 5).tojstring().equals("LIMIT");
            Stream<LuaString> members = scored(data, key, words);
            return list(isLimited ? members.skip(integer(words, 6)).limit(integer(words, 7)) : members);
        });

        add("TIME", (server, data, key, words) -> {
            long micros = data.micros();
            return list(Stream.of(micros / 1_000_000, micros % 1_000_000).map(Commands::digits));
        });
        add("PUBLISH", (server, data, key, words) -> number(server.publish(key, text(words, 3))));
        add("PUBSUB", (server, data, key, words) -> {
            LuaString channel = text(words, 3);
            return list(Stream.of(channel, number(server.listeners(channel))));
        });
        add(
                "INFO",
                (server, data, key, words) -> LuaString.valueOf("# Replication\r\nrole:master\r\nmaster_replid:"
                        + server.replicationId() + "\r\nmaster_replid2:" + "0".repeat(40) + "\r\n"));
    }

    private static final Set<String> ZADD_OPTIONS = Set.of("NX", "XX", "GT", "LT");
    private static final Pattern DECIMAL = Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");
    private static final LuaString NO_KEY = LuaString.valueOf("");

    private Commands() {}

    private static void add(String name, Body body) {
        Command command = new Command(name, body);
        ALL.put(LuaString.valueOf(name), command);
        ALL.put(LuaString.valueOf(name.toLowerCase(Locale.ROOT)), command);
    }

    static LuaValue run(ScriptHost server, Varargs words) {
        Command command = ALL.get(words.checkstring(1));
        if (command == null) {
            // No answer, which a script could put up with: every call would fail in the same way, and no promise be
            // broken.
            throw new LuaError("no script of a store in memory can call " + Printable.of(words.checkjstring(1)));
        }
        LuaString key = words.narg() > 1 ? text(words, 2) : NO_KEY;
        server.touch(command.name, key);
        return command.body.run(server, server.keys(), key, words);
    }

    // --- commands ---

    private static LuaValue scan(StoredData data, Varargs words) {
        StoredData.Page page = data.scan(integer(words, 2), integer(words, 6), Glob.of(text(words, 4)));
        return list(Stream.of(digits(page.cursor()), list(page.keys().stream().filter(key -> data.type(key)
                .equals(words.checkjstring(8))))));
    }

    /** With GET it answers with what was there before, with NX whether nothing was. */
    private static LuaValue set(StoredData data, LuaString key, Varargs words) {
        String option = words.narg() > 3 ? words.checkjstring(4) : "";
        if (option.equals("NX")) {
            return data.setIfAbsent(key, text(words, 3)) ? status("OK") : LuaValue.FALSE;
        }
        if (option.equals("GET")) {
            return textOrFalse(data.getset(key, text(words, 3)));
        }
        data.set(key, text(words, 3));
        return status("OK");
    }

    private static LuaValue zadd(StoredData data, LuaString key, Varargs words) {
        Set<String> options = new LinkedHashSet<>();
        int next = 3;
        while (ZADD_OPTIONS.contains(words.arg(next).tojstring())) {
            options.add(words.checkjstring(next++));
        }
        int first = next;
        // All scores are looked at before any is written.
        List<Double> scores = IntStream.iterate(first, i -> i < words.narg(), i -> i + 2)
                .mapToObj(i -> score(words.arg(i)))
                .toList();
        return number(IntStream.range(0, scores.size())
                .filter(i -> data.zadd(key, options, scores.get(i), text(words, first + 2 * i + 1)))
                .count());
    }

    private static LuaValue zrange(StoredData data, LuaString key, Varargs words) {
        List<LuaString> members = data.zrange(key, (int) integer(words, 3), (int) integer(words, 4));
        return list(
                words.narg() < 5
                        ? members.stream()
                        : members.stream()
                                .flatMap(member -> Stream.of(member, scoreOrFalse(data.zscore(key, member)))));
    }

    private static Stream<LuaString> scored(StoredData data, LuaString key, Varargs words) {
        return data.zrangebyscore(key, bound(words, 3, 1), bound(words, 4, -1));
    }

    // --- words ---

    private static LuaString text(Varargs words, int index) {
        LuaValue word = words.arg(index);
        if (word instanceof LuaString text) {
            return text;
        }
        if (word instanceof LuaNumber number) {
            return scoreText(number.todouble());
        }
        throw ScriptRefusal.of("ERR Lua redis lib command arguments must be strings or integers");
    }

    private static long integer(Varargs words, int index) {
        LuaString word = text(words, index);
        long number = 0;
        int first = word.m_length > 0 && word.luaByte(0) == '-' ? 1 : 0;
        boolean isInteger = word.m_length > first && word.m_length < 19;
        for (int i = first; isInteger && i < word.m_length; i++) {
            int digit = word.luaByte(i) - '0';
            isInteger = digit >= 0 && digit <= 9;
            number = 10 * number + digit;
        }
        if (!isInteger) {
            throw ScriptRefusal.of("ERR value is not an integer or out of range");
        }
        return first == 0 ? number : -number;
    }

    private static double score(LuaValue word) {
        if (word instanceof LuaNumber) {
            return word.todouble();
        }
        String text = word.tojstring();
        if (!DECIMAL.matcher(text).matches()) {
            throw ScriptRefusal.of("ERR value is not a valid float");
        }
        return Double.parseDouble(text);
    }

    /**
     * A bound of scores: a number, {@code -inf}, {@code +inf}, or with a bracket before it the next number.
     *
     * @param inwards 1 for the least score, -1 for the most
     */
    private static double bound(Varargs words, int index, int inwards) {
        LuaString word = text(words, index);
        String text = word.tojstring();
        if (text.endsWith("inf")) {
            return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        if (text.startsWith("(")) {
            double beside = score(LuaString.valueOf(text.substring(1)));
            return inwards > 0 ? Math.nextUp(beside) : Math.nextDown(beside);
        }
        return score(word);
    }

    // --- answers ---

    private static LuaValue number(boolean yes) {
        return number(yes ? 1 : 0);
    }

    private static LuaValue number(long number) {
        return LuaValue.valueOf((double) number);
    }

    private static LuaString digits(long number) {
        return LuaString.valueOf(Long.toString(number));
    }

    private static LuaTable status(String word) {
        LuaTable status = new LuaTable();
        status.set("ok", LuaString.valueOf(word));
        return status;
    }

    private static LuaValue textOrFalse(@Nullable LuaString text) {
        return text == null ? LuaValue.FALSE : text;
    }

    private static LuaValue scoreOrFalse(@Nullable Double score) {
        return score == null ? LuaValue.FALSE : scoreText(score);
    }

    private static LuaString scoreText(double score) {
        long whole = (long) score;
        return LuaString.valueOf(whole == score ? Long.toString(whole) : Double.toString(score));
    }

    /** How many of the words from the third on are ones of these. */
    private static LuaValue count(Varargs words, Predicate<LuaString> isOne) {
        int count = 0;
        for (int i = 3; i <= words.narg(); i++) {
            count += isOne.test(text(words, i)) ? 1 : 0;
        }
        return number(count);
    }

    /** An answer for each of the words from the third on. */
    private static LuaTable each(Varargs words, Function<LuaString, LuaValue> answer) {
        LuaTable list = new LuaTable();
        for (int i = 3; i <= words.narg(); i++) {
            list.set(i - 2, answer.apply(text(words, i)));
        }
        return list;
    }

    private static LuaTable list(Stream<? extends LuaValue> answers) {
        LuaTable list = new LuaTable();
        answers.forEach(answer -> list.set(list.rawlen() + 1, answer));
        return list;
    }
}
