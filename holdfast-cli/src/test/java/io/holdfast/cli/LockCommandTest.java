package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RedisExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Commands under a lock, as real processes: their statuses, their signals, and what ends them. */
class LockCommandTest {

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    /** Enters a critical section that two at a time can't be in: a folder is made, and taken away. */
    private static final String SECTION = "mkdir in || exit 99; sleep 0.02; echo $HOLDFAST_TOKEN >> tokens; rmdir in";

    @TempDir
    Path folder;

    private LockClient client;

    @BeforeEach
    void connect() {
        client = LockClient.connect(redis.url());
    }

    @AfterEach
    void close() {
        client.close();
    }

    private Tool lock(String name, String... command) {
        return Tool.start(redis.url(), words(List.of("lock", name, "--"), command));
    }

    private static String[] words(List<String> first, String... more) {
        return Stream.concat(first.stream(), Arrays.stream(more)).toArray(String[]::new);
    }

    @Test
    void theStatusOfTheCommandComesThroughUnchanged() {
        Map<String, Integer> commands = new LinkedHashMap<>();
        commands.put("exit 0", 0);
        commands.put("exit 64", 64);
        commands.put("exit 255", 255);
        commands.put("kill -9 $$", 137);
        List<Tool> tools = commands.keySet().stream()
                .map(command -> lock("status:" + command, "sh", "-c", command))
                .toList();
        assertThat(tools.stream().map(Tool::status)).containsExactlyElementsOf(commands.values());
        assertThat(tools).allSatisfy(tool -> assertThat(tool.err()).doesNotContain("lost"));
    }

    @Test
    void ourOwnStatusesComeWithALine() throws Exception {
        Path status = folder.resolve("status");
        try (LockHold held = client.getLock("taken").acquire();
                Tool missing = lock("free:1", "no-such-command");
                Tool notExecutable = lock("free:2", "/dev/null");
                Tool notObtained = Tool.start(
                        redis.url(), "lock", "taken", "--wait", "0", "--status-file", status.toString(), "--", "true");
                Tool chosen = Tool.start(
                        redis.url(), "lock", "taken", "--wait", "50ms", "--exit-not-obtained", "5", "--", "true");
                Tool unreachable = Tool.start("redis://127.0.0.1:1", "lock", "a", "--", "true");
                Tool noCommand = Tool.start(redis.url(), "lock", "a")) {
            assertThat(List.of(missing.status(), notExecutable.status(), notObtained.status(), chosen.status()))
                    .containsExactly(127, 126, 75, 5);
            assertThat(List.of(unreachable.status(), noCommand.status())).containsExactly(69, 64);
            assertThat(missing.err()).contains("no-such-command is not found");
            assertThat(notExecutable.err()).contains("/dev/null can't be executed");
            assertThat(notObtained.err()).contains("taken: not obtained within --wait");
            assertThat(unreachable.err()).contains("127.0.0.1:1");
            assertThat(noCommand.err()).contains("no command");
            assertThat(Files.readString(status)).contains("name=taken", "outcome=not-obtained", "exit=75");
            assertThat(held.state()).isNotNull();
        }
        assertThat(client.inspect("free:1").locked()).isFalse();
    }

    @Test
    void theCommandHasOurInputAndOutputAndItsToken() {
        try (Tool tool = Tool.start(
                Map.of("HOLDFAST_URL", redis.url()),
                "from us\n",
                "lock",
                "pipes",
                "--",
                "sh",
                "-c",
                "cat; echo $HOLDFAST_LOCK; echo $HOLDFAST_TOKEN; head -c 3000000 /dev/zero; echo; echo -- \"$1\" --json",
                "sh",
                "--")) {
            assertThat(tool.status()).isZero();
            List<String> lines = tool.out().lines().toList();
            assertThat(lines.subList(0, 2)).containsExactly("from us", "pipes");
            assertThat(Long.parseLong(lines.get(2))).isPositive();
            assertThat(lines.get(3)).hasSize(3_000_000);
            assertThat(lines.get(4)).isEqualTo("-- -- --json");
        }
    }

    @Test
    void signalsGoOnToTheCommand() {
        String command = "trap 'exit 9' TERM; trap 'exit 8' HUP; echo ready; while :; do sleep 0.02; done";
        try (Tool terminated = lock("signals:1", "sh", "-c", command);
                Tool hungUp = lock("signals:2", "sh", "-c", command)) {
            terminated.printed("ready").signal("TERM");
            hungUp.printed("ready").signal("HUP");
            assertThat(terminated.status()).isEqualTo(9);
            assertThat(hungUp.status()).isEqualTo(8);
        }
    }

    @Test
    void aSignalEndsAWaitAndLeavesNothing() throws Exception {
        try (LockHold held = client.getLock("waited").acquire();
                Tool tool = lock("waited", "true")) {
            await().until(() -> client.inspect("waited").subscribedProcesses() > 0);
            assertThat(tool.signal("TERM").status()).isEqualTo(143);
            assertThat(held.validFor()).isPositive();
        }
        assertThat(client.inspect("waited").locked()).isFalse();
    }

    @Test
    void aSignalEndsItWhileItConnects() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Tool tool = Tool.start(
                        Map.of(
                                "HOLDFAST_URL",
                                "redis://127.0.0.1:" + silent.getLocalPort(),
                                "HOLDFAST_CONNECT_TIMEOUT",
                                "5 min"),
                        "",
                        "lock",
                        "silent",
                        "--",
                        "true");
                Socket connecting = silent.accept()) {
            assertThat(connecting.getInputStream().read()).isPositive();
            // Not INT: a process in the background of a script ignores it, and what it starts.
            assertThat(tool.signal("TERM").status()).isEqualTo(143);
            assertThat(tool.err())
                    .contains("ended by a signal while it held nothing")
                    .doesNotContain("Exception");
        }
    }

    @Test
    void aLossEndsACommandThatIgnoresTermAndItsChildren() throws IOException {
        Path status = folder.resolve("status");
        String command = "trap '' TERM; sleep 300 & echo pid $!; wait; while :; do sleep 1; done";
        try (Tool tool = Tool.start(
                redis.url(),
                words(
                        List.of("lock", "freed", "--grace", "300ms", "--lease", "600ms", "--status-file"),
                        status.toString(),
                        "--",
                        "sh",
                        "-c",
                        command))) {
            tool.printed("pid ");
            long child = Long.parseLong(tool.out().strip().substring("pid ".length()));
            assertThat(client.getLock("freed").forceUnlock()).isTrue();
            assertThat(tool.status()).isEqualTo(76);
            assertThat(tool.err()).contains("lost (", "gets TERM", "gets KILL");
            assertThat(isRunning(child)).isFalse();
            assertThat(Files.readString(status)).contains("outcome=lost", "exit=76", "command_status=137");
        }
    }

    @Test
    void aToolThatWasStoppedForLongerThanItsLeaseEndsItsCommand() throws Exception {
        try (Tool tool = Tool.start(
                redis.url(),
                "lock",
                "stopped",
                "--lease",
                "500ms",
                "--grace",
                "200ms",
                "--",
                "sh",
                "-c",
                "echo token $HOLDFAST_TOKEN.; exec sleep 300")) {
            tool.printed(".");
            long older = Long.parseLong(tool.out().replaceAll("\\D", ""));
            tool.signal("STOP");
            try (LockHold newer = client.getLock("stopped").acquire()) {
                // The command runs on meanwhile: a resource has to refuse its token.
                assertThat(newer.fencingToken()).isGreaterThan(older);
                tool.signal("CONT");
                assertThat(tool.status()).isEqualTo(76);
                assertThat(newer.validFor()).isPositive();
            }
        }
    }

    @Test
    @Tag("proof")
    void aToolThatIsKilledLeavesTheLockToItsLeaseAndTheCommandAlone() throws Exception {
        try (Tool plain = Tool.start(
                        redis.url(),
                        "lock",
                        "killed:1",
                        "--lease",
                        "500ms",
                        "--",
                        "sh",
                        "-c",
                        "echo pid $$.; exec sleep 300");
                Tool dying = Tool.start(
                        redis.url(),
                        words(
                                List.of("lock", "killed:2", "--lease", "500ms", "--"),
                                "setpriv",
                                "--pdeathsig",
                                "KILL",
                                "sh",
                                "-c",
                                "echo pid $$.; exec sleep 300"))) {
            long left = Long.parseLong(plain.printed(".").out().replaceAll("\\D", ""));
            long ended = Long.parseLong(dying.printed(".").out().replaceAll("\\D", ""));
            plain.signal("KILL");
            dying.signal("KILL");
            await().until(() -> !client.inspect("killed:1").locked()
                    && !client.inspect("killed:2").locked());
            await().until(() -> !isRunning(ended));
            assertThat(isRunning(left)).isTrue();
            Tool.signal("KILL", left);
        }
    }

    @Test
    @Tag("proof")
    void criticalSectionsOfManyNeverOverlap() throws IOException {
        List<Tool> tools = IntStream.range(0, 8)
                .mapToObj(i -> lock("shared-file", "sh", "-c", "cd '" + folder + "' && " + SECTION))
                .toList();
        assertThat(tools.stream().map(Tool::status)).containsOnly(0);
        List<Long> tokens = Files.readAllLines(folder.resolve("tokens")).stream()
                .map(Long::valueOf)
                .toList();
        assertThat(tokens).hasSize(8).isSorted().doesNotHaveDuplicates();
    }

    /** A process that has ended may wait for its parent to ask for its status. */
    private static boolean isRunning(long pid) throws IOException {
        Path status = Path.of("/proc/" + pid + "/stat");
        return Files.exists(status)
                && !Files.readString(status).replaceFirst("(?s).*\\) ", "").startsWith("Z");
    }
}
