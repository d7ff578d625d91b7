package io.holdfast.lock.tests.support;

import io.holdfast.lock.netty.ScriptFiles;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A user who can neither bring scripts nor end connections; an administrator has loaded the scripts. */
public final class NarrowUser {

    private static final String NAME = "narrow";
    private static final String PASSWORD = "secret";

    private static final List<String> SCRIPTS = scripts();

    private NarrowUser() {}

    /** The address of a server for this user, who is there from now on, and so are the scripts. */
    public static String url(RedisServer server) {
        try (RawRedis admin = server.connect()) {
            admin.command(MinimalAcl.rule(NAME, PASSWORD, MinimalAcl.narrowCommands()));
            SCRIPTS.forEach(script -> admin.command("SCRIPT", "LOAD", script));
        }
        return "redis://" + NAME + ":" + PASSWORD + "@" + server.host() + ":" + server.port();
    }

    /** The contents of all the files that an administrator is given. */
    private static List<String> scripts() {
        try {
            Path directory = Files.createTempDirectory("holdfast-scripts");
            ScriptFiles.main(new String[] {directory.toString()});
            try (Stream<Path> files = Files.walk(directory)) {
                List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
                List<String> scripts = all.stream()
                        .filter(Files::isRegularFile)
                        .map(NarrowUser::read)
                        .toList();
                for (Path file : all) {
                    Files.delete(file);
                }
                return scripts;
            }
        } catch (IOException noDirectory) {
            throw new UncheckedIOException("the scripts were not written", noDirectory);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }
}
