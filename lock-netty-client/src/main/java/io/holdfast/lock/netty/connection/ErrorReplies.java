package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.text.Printable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says what a server's error answers mean.
 *
 * <p>An error answer to a script counts as <em>not applied</em>, once it is known to be that script's own (rule 70). In
 * general a script may fail half-way, but ours don't: each checks before its first write, and whatever a server refuses,
 * it refuses at that first write.
 *
 * <p>Errors raised inside a script arrive wrapped, and differently from version to version: 6.2 says {@code ERR Error
 * running script (call to f_...): @user_script:5: -OOM command not allowed ...}; 7.0 puts the code in front.
 */
public final class ErrorReplies {

    private static final Map<String, Kind> KINDS = Map.ofEntries(
            Map.entry("LOADING", Kind.LOADING),
            Map.entry("BUSY", Kind.BUSY),
            Map.entry("READONLY", Kind.READONLY),
            Map.entry("MASTERDOWN", Kind.MASTERDOWN),
            Map.entry("NOREPLICAS", Kind.NOREPLICAS),
            Map.entry("TRYAGAIN", Kind.TRYAGAIN),
            Map.entry("ASK", Kind.ASK),
            Map.entry("MOVED", Kind.MOVED),
            Map.entry("CROSSSLOT", Kind.CROSSSLOT),
            Map.entry("CLUSTERDOWN", Kind.CLUSTERDOWN),
            Map.entry("OOM", Kind.OOM),
            Map.entry("NOAUTH", Kind.NOAUTH),
            Map.entry("WRONGPASS", Kind.WRONGPASS),
            Map.entry("NOPERM", Kind.NOPERM),
            Map.entry("DENIED", Kind.NOPERM),
            Map.entry("WRONGTYPE", Kind.WRONGTYPE),
            Map.entry("MISCONF", Kind.MISCONF),
            Map.entry("NOSCRIPT", Kind.SCRIPT_MISSING));

    /** The code of an error that a script met: the last word in capitals that follows a place in the script. */
    private static final Pattern INSIDE_SCRIPT = Pattern.compile("@user_script: ?\\d+: -?([A-Z]+)\\b");

    /** How servers and providers say, in lower case, that they do not offer a command; the error's code is no more than ERR. */
    private static final List<String> NOT_OFFERED = List.of(
            "err unknown command",
            "err unknown subcommand",
            "disabled",
            "not support",
            "unsupported command",
            "not available",
            "not allowed",
            "not permitted",
            "forbidden");

    /**
     * What a script is told that touches a key of a slot that is being moved, and the key is not there: it has deleted the key itself.
     * What it did until then stays.
     */
    private static final String NOT_LOCAL = "attempted to access a non local key";

    /** What proxies say that read scripts and refuse the way in which one names its keys, or one without keys. */
    private static final List<String> KEYS_REFUSED =
            List.of("bad lua script", "eval/evalsha number of keys", "without any input keys");

    /** What a script is told that calls a command which the server offers outside of scripts only. */
    private static final String COMMAND_REFUSED = "command is not allowed from script";

    private ErrorReplies() {}

    /** Whether the command is one that the server does not offer, or not to users like this one. */
    public static boolean isAbsent(RespValue answer) {
        if (!answer.isError()
                || kind(answer) != Kind.SERVER_ERROR
                || !answer.errorCode().equals("ERR")) {
            return false;
        }
        String words = answer.errorText().toLowerCase(Locale.ROOT);
        return !words.contains("user_script") && NOT_OFFERED.stream().anyMatch(words::contains);
    }

    /** What an error answer means; nothing was applied, but by a script that was ended since its slot is being moved. */
    public static Fault fault(String node, RespValue error) {
        Kind kind = kind(error);
        return new Fault(kind, error.errorText().contains(NOT_LOCAL), node, detail(error) + advice(kind));
    }

    /** What the server's words leave open for a reader who does not know clusters. */
    private static String advice(Kind kind) {
        return switch (kind) {
            case MOVED -> "; another node keeps this lock (expected: a redis-cluster:// address)";
            case ASK -> "; the slot of this lock is being moved to another node";
            case CROSSSLOT -> "; a defect of this library";
            case SCRIPT_REFUSED ->
                "; a proxy or service refuses this script (expected: script_check_enable 0, or a server that offers TIME to scripts)";
            default -> "";
        };
    }

    /** Whether a script was refused for what it called: a command that the server offers outside of scripts only. */
    static boolean isOfACommandInAScript(RespValue error) {
        return error.errorText().contains(COMMAND_REFUSED);
    }

    /** What went wrong. */
    public static Kind kind(RespValue error) {
        Kind kind = KINDS.get(error.errorCode());
        if (kind != null) {
            return kind;
        }
        String text = error.errorText();
        if (text.startsWith("ERR max number of clients")) {
            return Kind.MAXCLIENTS;
        }
        if (text.contains("The user executing the script can't") || text.contains("ACL failure in script")) {
            return Kind.NOPERM;
        }
        if (text.contains(NOT_LOCAL)) {
            return Kind.TRYAGAIN;
        }
        if (text.contains(COMMAND_REFUSED) || KEYS_REFUSED.stream().anyMatch(text::contains)) {
            return Kind.SCRIPT_REFUSED;
        }
        Matcher inside = INSIDE_SCRIPT.matcher(text);
        while (inside.find()) {
            kind = KINDS.getOrDefault(inside.group(1), kind == null ? Kind.SERVER_ERROR : kind);
        }
        return kind == null ? Kind.SERVER_ERROR : kind;
    }

    /**
     * The server's words, made printable. Servers quote the arguments of commands that they do not know, and AUTH's and
     * HELLO's hold a password: the quotation is cut off.
     */
    static String detail(RespValue error) {
        String text = error.errorText();
        int quotation = text.indexOf(", with args beginning with");
        String kept = quotation < 0 ? text : text.substring(0, quotation);
        return Printable.of(kept);
    }
}
