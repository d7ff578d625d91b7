package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.resp.RespDecoder;
import io.holdfast.lock.netty.resp.RespLimits;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {

    private static final String HELLO = hello("standalone", "master");
    private static final String OK = "+OK\r\n";
    private static final String SERVER = bulk("# Server\r\nredis_version:7.0.15\r\nrun_id:abc\r\n");
    private static final String FILE = bulk("# Persistence\r\nloading:0\r\naof_enabled:1\r\n");
    private static final String NO_FILE = bulk("# Persistence\r\nloading:0\r\naof_enabled:0\r\n");
    private static final String MEMORY = bulk("# Memory\r\nmaxmemory_policy:noeviction\r\n");
    private static final String MASTER = bulk("# Replication\r\nrole:master\r\n");

    private static final String NO_SCRIPT = "EVALSHA " + "0".repeat(40) + " 0";
    private static final String NOSCRIPT = "-NOSCRIPT No matching script.\r\n";

    private static final ServerIdentity EARLIER = new ServerIdentity("abc", 0, false, 5, "10.0.0.1:444", false, false);

    private final List<String> sent = new ArrayList<>();
    private @Nullable ServerIdentity accepted;
    private @Nullable Fault refused;

    @Test
    void saysEverythingInHello() {
        Handshake handshake = handshake("redis://ann:secret@h/3", true);
        assertThat(sent).containsExactly("HELLO 3 AUTH ann secret SETNAME test");
        sent.clear();

        answer(handshake, HELLO);
        assertThat(sent)
                .containsExactly(
                        "SELECT 3",
                        "CLIENT ID",
                        "CLIENT INFO",
                        NO_SCRIPT,
                        "INFO memory",
                        "INFO persistence",
                        "INFO server");

        answer(
                handshake,
                OK,
                ":7\r\n",
                bulk("id=7 addr=10.0.0.1:555 laddr=10.0.0.2:6379 fd=8"),
                NOSCRIPT,
                MEMORY,
                FILE);
        assertThat(accepted).isNull();
        answer(handshake, SERVER);
        assertThat(accepted).isEqualTo(new ServerIdentity("abc", 0, true, 7, "10.0.0.1:555", false, false));
    }

    @Test
    void aPasswordAloneIsTheDefaultUsers() {
        handshake("redis://:secret@h", true);
        assertThat(sent).containsExactly("HELLO 3 AUTH default secret SETNAME test");
    }

    @Test
    void theFenceIsAheadOfEverythingButTheQuestionWhoTheServerIs() {
        Handshake handshake = handshake("redis://h/3", true, EARLIER);
        sent.clear();
        answer(handshake, HELLO);
        assertThat(sent).containsExactly("INFO server");
        answer(handshake, SERVER);
        assertThat(sent)
                .startsWith("INFO server", "CLIENT KILL ID 5 ADDR 10.0.0.1:444", "SELECT 3")
                .doesNotHaveDuplicates();
    }

    @Test
    void anotherProcessHasNothingToFence() {
        Handshake handshake = handshake("redis://h", true, EARLIER);
        answer(handshake, HELLO, bulk("redis_version:7.0.15\r\nrun_id:other\r\n"));
        assertThat(sent).noneMatch(command -> command.startsWith("CLIENT KILL"));
        answer(handshake, ":7\r\n", bulk("id=7 addr=10.0.0.1:555"), NOSCRIPT, MEMORY, NO_FILE);
        assertThat(Objects.requireNonNull(accepted).runId()).isEqualTo("other");
    }

    @Test
    void aProcessThatMayNotBeKnownIsFenced() {
        Handshake handshake = handshake("redis://h", true, EARLIER);
        answer(handshake, HELLO, "-NOPERM no INFO for you\r\n");
        assertThat(sent).contains("CLIENT KILL ID 5 ADDR 10.0.0.1:444");
    }

    @Test
    void aProcessIsFencedAlsoAfterAVisitToAnotherOne() {
        Handshake handshake = handshake(
                "redis://h", true, EARLIER, new ServerIdentity("other", 0, false, 9, "10.0.0.1:445", false, false));
        answer(handshake, HELLO, SERVER);
        assertThat(sent)
                .contains("CLIENT KILL ID 5 ADDR 10.0.0.1:444")
                .doesNotContain("CLIENT KILL ID 9 ADDR 10.0.0.1:445");
    }

    @Test
    void withoutAnAddressTheIdDecidesAtTheSameProcessOnly() {
        ServerIdentity nameless = new ServerIdentity("abc", 0, false, 5, "", false, false);
        answer(handshake("redis://h", true, nameless), HELLO, SERVER);
        assertThat(sent).contains("CLIENT KILL ID 5");
        sent.clear();
        answer(handshake("redis://h", true, nameless), HELLO, "-NOPERM no INFO for you\r\n");
        assertThat(sent).noneMatch(command -> command.startsWith("CLIENT KILL"));
    }

    @Test
    void overAUnixSocketTheIdDecidesAtTheSameProcessOnly() {
        ServerIdentity ofSocket = new ServerIdentity("abc", 0, false, 5, "/a dir/redis.sock:0", false, false);
        answer(handshake("unix:///a%20dir/redis.sock", true, ofSocket), HELLO, SERVER);
        assertThat(sent).contains("CLIENT KILL ID 5");
        sent.clear();
        answer(handshake("unix:///a%20dir/redis.sock", true, ofSocket), HELLO, "-NOPERM no INFO for you\r\n");
        assertThat(sent).noneMatch(command -> command.startsWith("CLIENT KILL"));
    }

    @ParameterizedTest
    @CsvSource({
        ":0, true, NOT_REDIS",
        ":1, true, NOT_REDIS",
        "-ERR No such client, true, NOT_REDIS",
        "-NOPERM this user has no permissions, true, NOT_REDIS",
        "-BUSY Redis is busy, false, BUSY",
        "-LOADING Redis is loading, false, LOADING"
    })
    void theFenceMustHaveBeenTried(String reply, boolean goesOn, Kind otherwise) {
        Handshake handshake = handshake("redis://h", true, EARLIER);
        answer(handshake, HELLO, SERVER, reply + "\r\n");
        answer(handshake, ":7\r\n", bulk("id=7 addr=10.0.0.1:555"), MEMORY, NO_FILE);
        if (goesOn) {
            assertThat(accepted).isNotNull();
        } else {
            assertThat(Objects.requireNonNull(refused).kind()).isEqualTo(otherwise);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-ERR unknown command `HELLO`, with args beginning with: `3`, `AUTH`, `ann`, `secret`,",
                "-NOAUTH Authentication required."
            })
    void fallsBackToAuthWhereHelloIsUnknown(String refusal) {
        Handshake handshake = handshake("redis://ann:secret@h", true);
        sent.clear();
        answer(handshake, refusal + "\r\n");
        assertThat(sent).containsExactly("AUTH ann secret");
        answer(handshake, OK);
        assertThat(sent)
                .containsExactly(
                        "AUTH ann secret",
                        "CLIENT SETNAME test",
                        "INFO replication",
                        "CLIENT ID",
                        "CLIENT INFO",
                        NO_SCRIPT,
                        "INFO memory",
                        "INFO persistence",
                        "INFO server");
        answer(handshake, OK, MASTER, ":7\r\n", bulk("id=7 addr=10.0.0.1:555"), NOSCRIPT, MEMORY, NO_FILE, SERVER);
        assertThat(accepted).isNotNull();
    }

    @Test
    void fallsBackWhereTheProtocolVersionIsRefused() {
        Handshake handshake = handshake("redis://h", true);
        sent.clear();
        answer(handshake, "-NOPROTO unsupported protocol version\r\n");
        assertThat(sent).startsWith("CLIENT SETNAME test", "INFO replication", "CLIENT ID");
    }

    @Test
    void aMessageConnectionAsksForNothingElse() {
        Handshake handshake = handshake("redis://h/3", false);
        sent.clear();
        answer(handshake, HELLO);
        assertThat(sent).isEmpty();
        assertThat(accepted).isNotNull();
    }

    @Test
    void aMessageConnectionFallsBackToo() {
        Handshake handshake = handshake("redis://h", false);
        sent.clear();
        answer(handshake, "-ERR unknown command\r\n");
        assertThat(sent).containsExactly("CLIENT SETNAME test", "PING");
        answer(handshake, OK, "+PONG\r\n");
        assertThat(accepted).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "-NOAUTH HELLO must be called with the client already authenticated, NOAUTH",
        "-WRONGPASS invalid username-password pair or user is disabled., WRONGPASS",
        "-ERR max number of clients reached, MAXCLIENTS",
        "-DENIED Redis is running in protected mode, NOPERM",
        "+OK, NOT_REDIS",
        ":1, NOT_REDIS"
    })
    void saysWhyItWasRefused(String reply, Kind kind) {
        Handshake handshake = handshake("redis://h", true);
        answer(handshake, reply + "\r\n");
        assertThat(Objects.requireNonNull(refused).kind()).isEqualTo(kind);
        assertThat(refused.maybeApplied()).isFalse();
    }

    @Test
    void aRefusalAfterAuthNeverQuotesTheServer() {
        Handshake handshake = handshake("redis://ann:secret@h", true);
        answer(handshake, "-ERR unknown command\r\n", "-ERR wrong: secret\r\n");
        assertThat(Objects.requireNonNull(refused).kind()).isEqualTo(Kind.WRONGPASS);
        assertThat(refused.toString()).doesNotContain("secret");
    }

    @Test
    void livesWithAUserWhoMayRunScriptsAndAskNothing() {
        Handshake handshake = handshake("redis://h", true);
        String noPermission = "-NOPERM this user has no permissions to run this command\r\n";
        answer(handshake, HELLO, noPermission, noPermission, NOSCRIPT, noPermission, noPermission, noPermission);
        assertThat(accepted).isEqualTo(new ServerIdentity("", 0, false, 0, "10.9.9.9:1", false, false));
    }

    @ParameterizedTest
    @CsvSource({
        "-NOPERM this user has no permissions to run the 'evalsha' command, NOPERM, +evalsha",
        "'-ERR unknown command `EVALSHA`, with args beginning with: `0`', SERVER_ERROR, EVALSHA",
        "-ERR This instance has Lua scripting support disabled, SERVER_ERROR, EVALSHA",
        "-ERR command evalsha not support for normal user, SERVER_ERROR, EVALSHA"
    })
    void aServerThatRunsNoScriptsIsRefused(String reply, Kind kind, String hint) {
        Handshake handshake = handshake("redis://h", true);
        answer(handshake, HELLO, ":7\r\n", bulk("addr=10.0.0.1:555\n"), reply + "\r\n", MEMORY, NO_FILE, SERVER);
        assertThat(accepted).isNull();
        assertThat(Objects.requireNonNull(refused).kind()).isEqualTo(kind);
        assertThat(refused.detail())
                .contains("scripts are not allowed")
                .contains(hint)
                .doesNotContain("beginning");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-NOSCRIPT No matching script. Please use EVAL.",
                "-LOADING Redis is loading the dataset in memory",
                "-BUSY Redis is busy running a script",
                "-ERR something of another kind",
                "-ERR for redis cluster, eval/evalsha number of keys can't be negative or zero",
                "$-1"
            })
    void noOtherAnswerToAnUnknownScriptIsARefusal(String reply) {
        Handshake handshake = handshake("redis://h", true);
        answer(handshake, HELLO, ":7\r\n", bulk("addr=10.0.0.1:555\n"), reply + "\r\n", MEMORY, NO_FILE, SERVER);
        assertThat(accepted).isNotNull();
    }

    /** The answer is an error in the statistics of the server: one for each client and process, not for each connection. */
    @Test
    void aProcessIsAskedOnceWhetherItRunsScripts() {
        answer(handshake("redis://h", true, EARLIER), HELLO, SERVER);
        assertThat(sent).contains("INFO persistence").doesNotContain(NO_SCRIPT);
        sent.clear();
        answer(handshake("redis://h", true, EARLIER), HELLO, bulk("redis_version:7.0.15\r\nrun_id:other\r\n"));
        assertThat(sent).contains(NO_SCRIPT);
        sent.clear();
        answer(handshake("redis://h", true, EARLIER), HELLO, "-NOPERM no INFO for you\r\n");
        assertThat(sent).contains(NO_SCRIPT);
    }

    @Test
    void aFirstConnectionSaysInOneLineWhatItKnows() {
        try (Logs logs = new Logs()) {
            Handshake handshake = handshake("redis://h", true);
            answer(handshake, HELLO, ":7\r\n", bulk("addr=10.0.0.1:555\n"), NOSCRIPT, MEMORY, FILE, SERVER);
            assertThat(logs.ours(Level.INFO))
                    .containsExactly(
                            "Connected to h: version 7.0.15, maxmemory-policy noeviction, append-only file: yes");
        }
    }

    @Test
    void refusesServersThatAreTooOld() {
        Handshake handshake = handshake("redis://h", true);
        answer(
                handshake,
                "-ERR unknown command\r\n",
                OK,
                MASTER,
                ":7\r\n",
                "-ERR unknown subcommand\r\n",
                NOSCRIPT,
                MEMORY,
                NO_FILE);
        answer(handshake, bulk("redis_version:5.0.14\r\nrun_id:abc\r\n"));
        assertThat(Objects.requireNonNull(refused).kind()).isEqualTo(Kind.NOT_REDIS);
        assertThat(refused.detail()).contains("5.0.14").contains("6.2");
    }

    @ParameterizedTest
    @CsvSource({
        "5.0.14, false",
        "6.0.16, false",
        "6.1, false",
        "6.2.0, true",
        "6.10.1, true",
        "255.255.255, true",
        "unstable, true",
        "5, true",
        "5.x, true",
        "'', true"
    })
    void onlyWhatIsKnownToBeTooOldIsRefused(String version, boolean goesOn) {
        Handshake handshake = handshake("redis://h", true);
        answer(handshake, HELLO, ":7\r\n", bulk("addr=10.0.0.1:555\n"), NOSCRIPT, MEMORY, NO_FILE);
        answer(handshake, bulk("run_id:abc\r\nuptime_in_seconds:12\r\nredis_version:" + version));
        if (goesOn) {
            assertThat(accepted).isEqualTo(new ServerIdentity("abc", 12, false, 7, "10.0.0.1:555", false, false));
        } else {
            assertThat(Objects.requireNonNull(refused).kind()).isEqualTo(Kind.NOT_REDIS);
        }
    }

    @Test
    void aDatabaseOutOfRangeIsSaid() {
        Handshake handshake = handshake("redis://h/99", true);
        answer(handshake, HELLO, "-ERR DB index is out of range\r\n", ":7\r\n");
        assertThat(Objects.requireNonNull(refused).kind()).isEqualTo(Kind.SERVER_ERROR);
        assertThat(refused.detail()).contains("SELECT 99").contains("out of range");
    }

    @ParameterizedTest
    @CsvSource({
        "standalone, master, false, ''",
        "cluster, master, true, ''",
        "sentinel, '', false, SENTINEL",
        "standalone, replica, false, READONLY",
        "cluster, replica, false, READONLY",
        "'', '', false, ''"
    })
    void helloTellsModeAndRole(String mode, String role, boolean inCluster, String refusal) {
        Handshake handshake = handshake("redis://h", true);
        answer(handshake, hello(mode, role));
        if (refusal.isEmpty()) {
            if (role.isEmpty()) {
                answer(handshake, MASTER);
            }
            answer(handshake, ":7\r\n", bulk("addr=10.0.0.1:555\n"), NOSCRIPT, MEMORY, NO_FILE, SERVER);
        }
        assertOutcome(inCluster, refusal);
    }

    @ParameterizedTest
    @CsvSource({
        "standalone, master, false, ''",
        "cluster, master, true, ''",
        "sentinel, '', false, SENTINEL",
        "sentinel, sentinel, false, SENTINEL",
        "standalone, slave, false, READONLY",
        "cluster, slave, false, READONLY"
    })
    void withoutHelloInfoTellsModeAndRole(String mode, String role, boolean inCluster, String refusal) {
        tellByInfo("redis_mode:" + mode, role);
        assertOutcome(inCluster, refusal);
    }

    /** From 8.0 on, unless it is told to speak as Redis does. */
    @ParameterizedTest
    @CsvSource({"standalone, master, false, ''", "cluster, master, true, ''", "sentinel, '', false, SENTINEL"})
    void valkeyHasAnotherNameForTheMode(String mode, String role, boolean inCluster, String refusal) {
        tellByInfo("server_mode:" + mode, role);
        assertOutcome(inCluster, refusal);
    }

    private void tellByInfo(String mode, String role) {
        Handshake handshake = handshake("redis://h", true);
        answer(handshake, "-NOPERM no HELLO for you\r\n", OK, bulk("# Replication\r\nrole:" + role + "\r\n"));
        answer(handshake, ":7\r\n", bulk("addr=10.0.0.1:555\n"), NOSCRIPT, MEMORY, NO_FILE);
        answer(handshake, bulk("run_id:abc\r\n" + mode + "\r\nredis_version:7.0.15\r\n"));
    }

    @Test
    void aMessageConnectionTakesAReplicaAsItIs() {
        Handshake handshake = handshake("redis://h", false);
        answer(handshake, hello("standalone", "replica"));
        assertThat(accepted).isNotNull();
    }

    private void assertOutcome(boolean inCluster, String refusal) {
        if (refusal.isEmpty()) {
            assertThat(Objects.requireNonNull(accepted).inCluster()).isEqualTo(inCluster);
        } else {
            assertThat(accepted).isNull();
            assertThat(Objects.requireNonNull(refused).kind()).isEqualTo(Kind.valueOf(refusal));
            assertThat(refused.detail()).contains("(expected: ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-LOADING not now, ann secret",
                "-DENIED go away, ann secret",
                "-MISCONF ann:secret cannot be used",
                "-BUSY secret",
            })
    void whatIsSaidToHelloIsNotPassedOn(String reply) {
        Handshake handshake = handshake("redis://ann:secret@h", true);
        answer(handshake, reply + "\r\n");
        assertThat(Objects.requireNonNull(refused).toString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-secret", "-ERR secret", "-WRONGPASS secret", "-MISCONF secret"})
    void whatIsSaidToAuthIsNotPassedOn(String reply) {
        Handshake handshake = handshake("redis://ann:secret@h", true);
        answer(handshake, "-ERR unknown command\r\n", reply + "\r\n");
        assertThat(Objects.requireNonNull(refused).toString()).doesNotContain("secret");
    }

    @Test
    void aVersionOfAnyLengthMakesAShortMessage() {
        Handshake handshake = handshake("redis://h", true);
        String version = "5.0." + "\u202e7".repeat(50_000);
        answer(handshake, HELLO, ":7\r\n", bulk("id=7 addr=10.0.0.1:555"), NOSCRIPT, MEMORY, NO_FILE);
        answer(handshake, bulk("# Server\r\nredis_version:" + version + "\r\n"));
        assertThat(Objects.requireNonNull(refused).detail())
                .contains("version 5.0.", "\\u202e")
                .doesNotContain("\u202e")
                .hasSizeLessThan(400);
    }

    @Test
    void aPolicyOfAnyLengthMakesAShortLine() {
        try (Logs logs = new Logs()) {
            Handshake handshake = handshake("redis://h", true);
            String policy = "all\u001b[2J\u0085WARN forged" + "x".repeat(100_000);
            answer(handshake, HELLO, ":7\r\n", bulk("id=7 addr=10.0.0.1:555"), NOSCRIPT);
            answer(handshake, bulk("# Memory\r\nmaxmemory_policy:" + policy + "\r\n"));
            assertThat(logs.ours(Level.WARN)).singleElement().satisfies(line -> assertThat(line)
                    .contains("all\\u001b[2J\\u0085WARN")
                    .doesNotContain("\u001b", "\u0085")
                    .hasSizeLessThan(600));
        }
    }

    private Handshake handshake(String url, boolean forScripts, ServerIdentity... previous) {
        EarlierConnections earlier = new EarlierConnections();
        List.of(previous).forEach(earlier::add);
        RedisUri server = RedisUri.parse(url);
        String password = server.password();
        Login login = password == null ? null : Login.fixed(server.user(), password);
        Handshake handshake = new Handshake(
                TestNode.settings(url),
                forScripts,
                login,
                earlier,
                "10.9.9.9:1",
                new Notices("h"),
                new Handshake.Line() {
                    @Override
                    public void send(String... command) {
                        sent.add(String.join(" ", command));
                    }

                    @Override
                    public void accepted(ServerIdentity identity) {
                        accepted = identity;
                    }

                    @Override
                    public void refused(Fault fault) {
                        refused = fault;
                    }
                });
        handshake.start();
        return handshake;
    }

    private static void answer(Handshake handshake, String... replies) {
        for (String reply : replies) {
            RespValue value =
                    new RespDecoder(RespLimits.DEFAULT).decode(Unpooled.copiedBuffer(reply, StandardCharsets.UTF_8));
            handshake.onReply(Objects.requireNonNull(value, reply));
        }
    }

    /** An answer to HELLO that leaves out what is empty. */
    private static String hello(String mode, String role) {
        int entries = 1 + (mode.isEmpty() ? 0 : 1) + (role.isEmpty() ? 0 : 1);
        return "%" + entries + "\r\n" + bulk("server") + bulk("redis")
                + (mode.isEmpty() ? "" : bulk("mode") + bulk(mode)) + (role.isEmpty() ? "" : bulk("role") + bulk(role));
    }

    private static String bulk(String text) {
        return "$" + text.getBytes(StandardCharsets.UTF_8).length + "\r\n" + text + "\r\n";
    }
}
