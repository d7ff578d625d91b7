package io.holdfast.lock.memory.script;

import io.holdfast.lock.spi.Script;
import io.holdfast.lock.text.Printable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LoadState;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaNumber;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;
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
 * The interpreter of one server, which runs the engine's own {@code .lua} files, so that there is no second telling of what they
 * do. One thread at a time may use it.
 *
 * <p>LuaJ is Lua 5.2, where servers have 5.1: what that tells apart has the way of 5.1 here as far as scripts meet it.
 */
public final class LuaScripts {

    /** What a source compiles to, for all interpreters: it does not change. */
    private static final Map<String, Prototype> COMPILED = new ConcurrentHashMap<>();

    private final ScriptHost host;
    private final Globals globals = new Globals();
    private final Map<Script, LuaClosure> scripts = new HashMap<>();

    public LuaScripts(ScriptHost host) {
        this.host = host;
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
        redis.set("acl_check_cmd", new EveryRight());
        globals.set("redis", redis);
        globals.set("unpack", globals.get("table").get("unpack"));
    }

    /** Runs a script; throws {@link ScriptRefusal} where a server answers with an error, and {@link LuaError} if the script is broken. */
    public ScriptReply run(Script script, LuaTable keys, LuaTable arguments) {
        LuaClosure body = scripts.computeIfAbsent(
                script,
                fresh -> new LuaClosure(COMPILED.computeIfAbsent(fresh.source(), LuaScripts::compile), globals));
        globals.set("KEYS", keys);
        globals.set("ARGV", arguments);
        LuaValue answer = body.call();
        if (answer instanceof LuaTable table && table.get("err") instanceof LuaString words) {
            throw ScriptRefusal.of(words.tojstring());
        }
        return new ScriptReply(answer);
    }

    private static Prototype compile(String source) {
        try {
            return LuaC.instance.compile(
                    new ByteArrayInputStream(source.getBytes(StandardCharsets.UTF_8)), "user_script");
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private final class Call extends VarArgFunction {

        @Override
        public Varargs invoke(Varargs words) {
            return Commands.run(host, words);
        }
    }

    private final class CarefulCall extends VarArgFunction {

        @Override
        public Varargs invoke(Varargs words) {
            try {
                return Commands.run(host, words);
            } catch (ScriptRefusal refusal) {
                LuaTable error = new LuaTable();
                error.set("err", LuaString.valueOf(refusal.words()));
                return error;
            }
        }
    }

    /** Each client may do everything. */
    private static final class EveryRight extends VarArgFunction {

        @Override
        public Varargs invoke(Varargs words) {
            return LuaValue.TRUE;
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

    private static String rounded(double value) {
        return new BigDecimal(value).setScale(0, RoundingMode.HALF_EVEN).toPlainString();
    }

    /** The one format that the scripts use; this interpreter's own prints {@code 1.7E15}. */
    private static final class WholeNumber extends TwoArgFunction {

        @Override
        public LuaValue call(LuaValue format, LuaValue number) {
            String before = format.tojstring().replace("%.0f", "");
            if (!format.tojstring().endsWith("%.0f") || before.contains("%")) {
                throw new LuaError("string.format: '" + Printable.of(format.tojstring())
                        + "' (expected: one that ends with '%.0f')");
            }
            double value = number.checkdouble();
            long whole = (long) value;
            return LuaString.valueOf(before + (whole == value ? Long.toString(whole) : rounded(value)));
        }
    }
}
