package io.holdfast.lock.tests.security;

import io.holdfast.lock.LockClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rights that the library needs, read out of its scripts and the list of what its connections send. */
final class MinimalAcl {

    private static final List<String> SCRIPTS = List.of(
            "common",
            "acquire",
            "reenter",
            "release",
            "transfer",
            "renew",
            "force",
            "inspect",
            "fenced-set",
            "fenced-get");

    private static final List<String> CONNECTIONS = List.of(
            "hello",
            "auth",
            "ping",
            "select",
            "client|setname",
            "client|id",
            "client|info",
            "client|kill",
            "info",
            "subscribe",
            "unsubscribe",
            "evalsha",
            "eval",
            "script|load");

    private static final Pattern CALL =
            Pattern.compile("redis\\.p?call\\('([A-Z]+)'(?:, '(NUMSUB)')?", Pattern.MULTILINE);

    private MinimalAcl() {}

    /** The commands, as ACL rules name them, without the plus sign. */
    static Set<String> commands() {
        Set<String> commands = new TreeSet<>(CONNECTIONS);
        for (String script : SCRIPTS) {
            Matcher calls = CALL.matcher(source(script));
            while (calls.find()) {
                String command = calls.group(1).toLowerCase(Locale.ROOT);
                commands.add(
                        calls.group(2) == null
                                ? command
                                : command + '|' + calls.group(2).toLowerCase(Locale.ROOT));
            }
        }
        return commands;
    }

    /** The words of {@code ACL SETUSER} for a user with just these rights. */
    static List<String> rule(String user, String password) {
        List<String> words = new java.util.ArrayList<>(List.of(
                "ACL",
                "SETUSER",
                user,
                "on",
                ">" + password,
                "resetkeys",
                "resetchannels",
                "-@all",
                "~holdfast:*",
                "&holdfast:*"));
        commands().forEach(command -> words.add('+' + command));
        return words;
    }

    private static String source(String script) {
        String file = "engine/" + script + ".lua";
        try (InputStream in = LockClient.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new IllegalStateException(file + " cannot be read", unreadable);
        }
    }
}
