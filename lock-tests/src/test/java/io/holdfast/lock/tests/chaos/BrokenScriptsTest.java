package io.holdfast.lock.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import java.io.File;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The command finds out a lock that does not keep its word: one whose scripts have been changed in one place. */
@Tag("proof")
class BrokenScriptsTest {

    private static final String PLACE = "io/holdfast/lock/engine/";

    @TempDir
    Path directory;

    /** What is changed, and in which row it shows. */
    enum Change {
        HELD_LOCKS_ARE_GRANTED(
                "turn-acquire.lua",
                "redis.call('EXISTS', KEYS.lock) == 0",
                "redis.call('HEXISTS', KEYS.lock, field) == 0",
                "9"),
        STRANGERS_RELEASE(
                "turn-release.lua", "redis.call('HEXISTS', KEYS.lock, field)", "redis.call('EXISTS', KEYS.lock)", "9"),
        THE_FIRST_RELEASE_FREES("release.lua", "if count == '0' then", "if true then", "9"),
        RENEWAL_RECREATES(
                "renew.lua",
                "redis.pcall('HEXISTS', KEYS.lock, ARGV[2 * EACH - 1]) == 1 and 1 or 0",
                "redis.call('HSET', KEYS.lock, ARGV[2 * EACH - 1], 1) and 1",
                "1"),
        TOKENS_STAY("common.lua", "token = tonumber(last) + 1", "token = tonumber(last)", "39"),
        TOKENS_ARE_SECONDS("common.lua", "return token, stored", "return math.floor(token / 1000000), stored", "9");

        private final String script;
        private final String from;
        private final String to;
        private final String row;

        Change(String script, String from, String to, String row) {
            this.script = script;
            this.from = from;
            this.to = to;
            this.row = row;
        }
    }

    @Test
    void aSecondHolderIsFoundOut() throws Exception {
        isFoundOut(Change.HELD_LOCKS_ARE_GRANTED);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void isFoundOut(Change change) throws Exception {
        change(change);
        Process command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        directory + File.pathSeparator + System.getProperty("java.class.path"),
                        ChaosCommand.class.getName(),
                        "--short",
                        "--only",
                        change.row,
                        "--seed",
                        "3",
                        "--out",
                        directory.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(command.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(command.waitFor()).as(said).isEqualTo(1);
        assertThat(said).contains("BROKEN: 0 passed, 1 failed, 0 skipped");
    }

    /** Puts the changed script where it comes before the real one on the class path. */
    private void change(Change change) throws Exception {
        try (InputStream script = LockClient.class.getResourceAsStream("/" + PLACE + change.script)) {
            String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(text).as("the place to change in " + change.script).contains(change.from);
            Files.createDirectories(directory.resolve(PLACE));
            Files.writeString(directory.resolve(PLACE + change.script), text.replace(change.from, change.to));
        }
    }
}
