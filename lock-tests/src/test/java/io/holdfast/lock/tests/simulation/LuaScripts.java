package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Script;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LoadState;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaNumber;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.BaseLib;
import org.luaj.vm2.lib.MathLib;
import org.luaj.vm2.lib.OneArgFunction;
import org.luaj.vm2.lib.PackageLib;
import org.luaj.vm2.lib.StringLib;
import org.luaj.vm2.lib.TableLib;
import org.luaj.vm2.lib.TwoArgFunction;
import org.luaj.vm2.lib.VarArgFunction;

/**
 * Runs the library's own {@code .lua} files on a {@link Keyspace}, so that there is no second telling of what they do.
 * One for each thread that runs worlds; scripts are compiled once for each.
 */
final class LuaScripts {

    private static final Set<String> WRITES = Set.of(
            "DEL",
            "HDEL",
            "HINCRBY",
            "HSET",
            "PERSIST",
            "PEXPIRE",
            "PEXPIREAT",
            "SADD",
            "SET",
            "ZADD",
            "ZREM",
            "ZREMRANGEBYSCORE");
    private static final Set<String> ZADD_OPTIONS = Set.of("NX", "XX", "GT", "LT");
    private static final ThreadLocal<LuaScripts> OF_THREAD = ThreadLocal.withInitial(LuaScripts::new);

    /** What the server does for a script beside looking after data. */
    interface Host {

        Keyspace keys();

        /** A command touches a key, if it has one; refuses it where the key is at another node of a cluster. */
        default void touch(String command, LuaString key) {}

        /** Tells whoever listens; says how many do. */
        int publish(LuaString channel, LuaString message);

        int listeners(LuaString channel);

        /** Another one after each promotion and each restart. */
        String replicationId();
    }

    private final Globals globals = new Globals();
    private final Map<Script, LuaValue> compiled = new IdentityHashMap<>();
    private @Nullable Host host;
    private boolean hasWritten;

    private LuaScripts() {
        globals.load(new BaseLib());
        globals.load(new PackageLib());
        globals.load(new TableLib());
        globals.load(new StringLib());
        globals.load(new MathLib());
        LoadState.install(globals);
        LuaC.install(globals);
        globals.get("string").set("format", new WholeNumber());
        globals.set("tostring", new ShortNumber());
        LuaTable redis = new LuaTable();
        redis.set("call", new Call());
        redis.set("pcall", new CarefulCall());
        globals.set("redis", redis);
        globals.set("unpack", globals.get("table").get("unpack"));
    }

    static LuaScripts ofThread() {
        return OF_THREAD.get();
    }

    /** Runs a script; throws {@link RefusedError} where a server answers with an error. */
    LuaValue run(Script script, LuaTable keys, LuaTable arguments, Host server) {
        LuaValue body = compiled.get(script);
        if (body == null) {
            body = globals.load(script.source(), script.name());
            compiled.put(script, body);
        }
        host = server;
        hasWritten = false;
        globals.set("KEYS", keys);
        globals.set("ARGV", arguments);
        return body.call();
    }

    private Varargs command(Varargs words) {
        Host server = host;
        if (server == null) {
            throw new IllegalStateException("no script is running");
        }
        Keyspace keys = server.keys();
        LuaString key = words.narg() > 1 ? words.arg(2).checkstring() : LuaString.valueOf("");
        String name = words.checkjstring(1);
        server.touch(name, key);
        if (name.equals("TIME") && hasWritten) {
            throw new IllegalStateException(
                    "a script asks for the time behind a write (a server that refuses that would leave half a step)");
        }
        hasWritten |= WRITES.contains(name);
        switch (name) {
            case "EXISTS":
                return number(keys.exists(key));
            case "DEL":
                return number(keys.del(key));
            case "PTTL":
                return number(keys.pttl(key));
            case "PEXPIRE":
                return number(keys.pexpire(key, words.checklong(3)));
            case "PEXPIREAT":
                return number(keys.pexpireat(key, words.checklong(3)));
            case "ZADD":
                return add(keys, key, words);
            case "ZREM":
                int taken = 0;
                for (int i = 3; i <= words.narg(); i++) {
                    taken += keys.zrem(key, words.checkstring(i)) ? 1 : 0;
                }
                return number(taken);
            case "ZREMRANGEBYSCORE":
                return number(keys.zremrangebyscore(key, words.checkdouble(4)));
            case "ZSCORE":
                return scoreOrFalse(keys.zscore(key, words.checkstring(3)));
            case "ZMSCORE":
                LuaTable scores = new LuaTable();
                for (int i = 3; i <= words.narg(); i++) {
                    scores.set(i - 2, scoreOrFalse(keys.zscore(key, words.checkstring(i))));
                }
                return scores;
            case "ZCARD":
                return number(keys.members(key, 0, -1).size());
            case "ZCOUNT":
                return number(scored(
                                keys,
                                key,
                                bound(words.arg(3), Double.NEGATIVE_INFINITY),
                                bound(words.arg(4), Double.POSITIVE_INFINITY))
                        .size());
            case "ZRANGEBYSCORE":
                double least = words.checkjstring(3).equals("-inf") ? Double.NEGATIVE_INFINITY : words.checkdouble(3);
                return list(scored(keys, key, least, Double.POSITIVE_INFINITY));
            case "ZRANK":
                int rank = keys.zrank(key, words.checkstring(3));
                return rank < 0 ? LuaValue.FALSE : number(rank);
            case "ZRANGE":
                return range(keys, key, words);
            case "GET":
                return textOrFalse(keys.get(key));
            case "SET":
                return set(keys, key, words);
            case "HEXISTS":
                return number(keys.hexists(key, words.checkstring(3)));
            case "HGET":
                return textOrFalse(keys.hget(key, words.checkstring(3)));
            case "HSET":
                int added = 0;
                for (int i = 3; i + 1 <= words.narg(); i += 2) {
                    added += keys.hset(key, words.checkstring(i), words.checkstring(i + 1)) ? 1 : 0;
                }
                return number(added);
            case "HINCRBY":
                return number(increment(keys, key, words.checkstring(3), words.checklong(4)));
            case "HMGET":
                LuaTable found = new LuaTable();
                for (int i = 3; i <= words.narg(); i++) {
                    found.set(i - 2, textOrFalse(keys.hget(key, words.checkstring(i))));
                }
                return found;
            case "HDEL":
                int gone = 0;
                for (int i = 3; i <= words.narg(); i++) {
                    gone += keys.hdel(key, words.checkstring(i)) ? 1 : 0;
                }
                return number(gone);
            case "HLEN":
                return number(keys.hlen(key));
            case "HSTRLEN":
                LuaString value = keys.hget(key, words.checkstring(3));
                return number(value == null ? 0 : value.length());
            case "HKEYS":
                return everySecond(keys.hgetall(key));
            case "HGETALL":
                return list(keys.hgetall(key));
            case "SADD":
                return number(keys.sadd(key, words.checkstring(3)));
            case "SCARD":
                return number(keys.scard(key));
            case "PERSIST":
                return number(keys.persist(key));
            case "TYPE":
                LuaTable kind = new LuaTable();
                kind.set("ok", LuaString.valueOf(keys.type(key)));
                return kind;
            case "SCAN":
                LuaTable page = new LuaTable();
                page.set(1, LuaString.valueOf("0"));
                page.set(2, list(keys.hashes(words.checkjstring(4))));
                return page;
            case "TIME":
                return time(keys.micros());
            case "PUBLISH":
                return number(server.publish(key, words.checkstring(3)));
            case "INFO":
                return LuaString.valueOf("# Replication\r\nrole:master\r\nmaster_replid:" + server.replicationId()
                        + "\r\n" + "master_replid2:0000000000000000000000000000000000000000\r\n");
            case "PUBSUB":
                LuaTable counts = new LuaTable();
                counts.set(1, words.checkstring(3));
                counts.set(2, number(server.listeners(words.checkstring(3))));
                return counts;
            default:
                // No answer: every call would fail in the same way, and no promise be broken.
                throw new IllegalStateException("the simulated server has no command " + name);
        }
    }

    /** With GET it answers with what was there before, with NX whether nothing was. */
    private static LuaValue set(Keyspace keys, LuaString key, Varargs words) {
        String option = words.narg() > 3 ? words.checkjstring(4) : "";
        if (option.equals("NX")) {
            return LuaValue.valueOf(keys.setIfAbsent(key, words.checkstring(3)));
        }
        boolean asks = option.equals("GET");
        LuaValue answer = asks ? textOrFalse(keys.get(key)) : LuaValue.TRUE;
        keys.set(key, words.checkstring(3));
        return answer;
    }

    private static LuaValue add(Keyspace keys, LuaString key, Varargs words) {
        int options = 0;
        while (ZADD_OPTIONS.contains(words.arg(3 + options).tojstring())) {
            options++;
        }
        String names = options == 0 ? "" : words.checkjstring(3) + (options == 2 ? "_" + words.checkjstring(4) : "");
        Keyspace.Addition addition = names.isEmpty() ? Keyspace.Addition.ANY : Keyspace.Addition.valueOf(names);
        int added = 0;
        for (int i = 3 + options; i + 1 <= words.narg(); i += 2) {
            added += keys.zadd(key, addition, words.checkdouble(i), words.checkstring(i + 1)) ? 1 : 0;
        }
        return number(added);
    }

    /** A bound of scores: a number, {@code -inf}, {@code +inf}, or with a bracket before it what is beyond that number. */
    private static double bound(LuaValue text, double infinite) {
        String score = text.tojstring();
        if (score.endsWith("inf")) {
            return infinite;
        }
        return score.startsWith("(") ? Math.nextUp(Double.parseDouble(score.substring(1))) : text.checkdouble();
    }

    private static LuaTable range(Keyspace keys, LuaString key, Varargs words) {
        List<LuaString> members = keys.members(key, words.checkint(3), words.checkint(4));
        if (words.narg() < 5) {
            return list(members);
        }
        List<LuaString> withScores = new ArrayList<>();
        for (LuaString member : members) {
            withScores.add(member);
            withScores.add((LuaString) scoreOrFalse(keys.zscore(key, member)));
        }
        return list(withScores);
    }

    private static LuaValue scoreOrFalse(@Nullable Double score) {
        return score == null ? LuaValue.FALSE : LuaString.valueOf(new BigDecimal(score).toPlainString());
    }

    private static long increment(Keyspace keys, LuaString key, LuaString field, long step) {
        LuaString before = keys.hget(key, field);
        long after = (before == null ? 0 : before.tolong()) + step;
        keys.hset(key, field, LuaString.valueOf(Long.toString(after)));
        return after;
    }

    private static LuaTable time(long micros) {
        LuaTable time = new LuaTable();
        time.set(1, LuaString.valueOf(Long.toString(micros / 1_000_000)));
        time.set(2, LuaString.valueOf(Long.toString(micros % 1_000_000)));
        return time;
    }

    private static LuaValue number(boolean yes) {
        return number(yes ? 1 : 0);
    }

    private static LuaValue number(long number) {
        return LuaValue.valueOf((double) number);
    }

    private static LuaValue textOrFalse(@Nullable LuaString text) {
        return text == null ? LuaValue.FALSE : text;
    }

    /** The members of a sorted set between two scores, both among them. */
    private static List<LuaString> scored(Keyspace keys, LuaString key, double least, double most) {
        return keys.members(key, 0, -1).stream()
                .filter(member -> {
                    double score = Objects.requireNonNull(keys.zscore(key, member));
                    return score >= least && score <= most;
                })
                .toList();
    }

    private static LuaTable list(List<LuaString> texts) {
        LuaTable list = new LuaTable(texts.size(), 0);
        for (int i = 0; i < texts.size(); i++) {
            list.set(i + 1, texts.get(i));
        }
        return list;
    }

    private static LuaTable everySecond(List<LuaString> texts) {
        LuaTable list = new LuaTable(texts.size() / 2, 0);
        for (int i = 0; i < texts.size(); i += 2) {
            list.set(i / 2 + 1, texts.get(i));
        }
        return list;
    }

    private final class Call extends VarArgFunction {

        @Override
        public Varargs invoke(Varargs words) {
            return command(words);
        }
    }

    private final class CarefulCall extends VarArgFunction {

        @Override
        public Varargs invoke(Varargs words) {
            try {
                return command(words);
            } catch (RefusedError refused) {
                LuaTable error = new LuaTable();
                error.set("err", LuaString.valueOf(String.valueOf(refused.getMessage())));
                return error;
            }
        }
    }

    /** Lua's own way with numbers, {@code %.14g}: of a token it leaves out the end. */
    private static final class ShortNumber extends OneArgFunction {

        private static final MathContext DIGITS = new MathContext(14);
        private static final double LONGEST = 1e14;

        @Override
        public LuaValue call(LuaValue value) {
            if (!(value instanceof LuaNumber)) {
                return value.tostring();
            }
            BigDecimal rounded = new BigDecimal(value.todouble()).round(DIGITS).stripTrailingZeros();
            boolean isShort = Math.abs(value.todouble()) < LONGEST;
            return LuaString.valueOf(isShort ? rounded.toPlainString() : rounded.toString());
        }
    }

    /** The one format that the scripts use; this interpreter's own prints {@code 1.7E15}. */
    private static final class WholeNumber extends TwoArgFunction {

        @Override
        public LuaValue call(LuaValue format, LuaValue number) {
            String before = format.tojstring().replace("%.0f", "");
            if (!format.tojstring().endsWith("%.0f") || before.contains("%")) {
                throw new LuaError("string.format: '" + format + "' (expected: one that ends with '%.0f')");
            }
            double value = number.checkdouble();
            long whole = (long) value;
            return LuaString.valueOf(before
                    + (whole == value
                            ? Long.toString(whole)
                            : new BigDecimal(value).setScale(0).toString()));
        }
    }
}
