package io.holdfast.lock.tests.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ReplicatedPair;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.tests.support.MinimalAcl;
import io.holdfast.lock.tests.support.NarrowUser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link LockClient#diagnose()} on real servers. */
class DiagnosisTest {

    /** What a server of before 7.0 can't tell, that the servers here forget when they end, and how old they are. */
    private static final Set<Code> OF_THE_SERVERS_HERE =
            Set.of(Code.UNKNOWN_RIGHTS, Code.NO_PERSISTENCE, Code.KNOWN_VULNERABILITY);

    private static final String PASSWORD = "p4ssw0rd-of-app";

    @Test
    void aPlainServerHasNothingToFind() throws Exception {
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(server.url())) {
            assertThat(known(client.diagnose())).isEmpty();
            assertThat(known(client.diagnoseAsync().get(20, TimeUnit.SECONDS))).isEmpty();
        }
    }

    @Test
    void nothingIsLeftBehindAtTheServer() {
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(server.url() + "/3");
                RawRedis raw = server.connect()) {
            client.diagnose();
            raw.command("SELECT", "3");
            assertThat(raw.command("DBSIZE")).isEqualTo(0L);
            raw.command("SELECT", "0");
            assertThat(raw.command("DBSIZE")).isEqualTo(0L);
        }
    }

    /** Older servers have the commands tried, which would delete it. */
    @Test
    void aKeyOfOthersByTheNameThatIsAskedForIsLeftAlone() {
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(server.url());
                RawRedis raw = server.connect()) {
            raw.command("HSET", "holdfast:diagnosis", "f", "precious");
            client.diagnose();
            assertThat(raw.command("HGET", "holdfast:diagnosis", "f")).isEqualTo("precious");
            assertThat(raw.integer("PTTL", "holdfast:diagnosis")).isEqualTo(-1);
        }
    }

    @Test
    void settingsThatLoseLocksAreFound() {
        try (RedisServer server = RedisServer.builder()
                        .option("maxmemory-policy", "allkeys-lru")
                        .option("maxmemory", "100mb")
                        .option("lua-time-limit", "0")
                        .option("maxclients", "20")
                        .start();
                LockClient client = LockClient.connect(server.url());
                ManyConnections crowd = new ManyConnections(server, 17)) {
            assertThat(crowd.size()).isEqualTo(17);
            assertThat(codes(client.diagnose())).contains(Code.EVICTION, Code.SCRIPT_TIME_LIMIT, Code.NEAR_MAX_CLIENTS);
        }
    }

    @Test
    void theMinimalUserLacksNothingButWhatTheDiagnosisAlone() {
        try (RedisServer server = RedisServer.start()) {
            String url = user(server, MinimalAcl.commands());
            try (LockClient client = LockClient.connect(url)) {
                List<Finding> findings = known(client.diagnose());
                assertThat(findings).singleElement().satisfies(finding -> {
                    assertThat(finding.code()).isEqualTo(Code.MISSING_RIGHT);
                    assertThat(finding.severity()).isEqualTo(Severity.NOTE);
                    assertThat(finding.remedy()).contains("+config|get");
                });
            }
        }
    }

    @Test
    void theNarrowUserIsToldWhatItCosts() {
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(NarrowUser.url(server))) {
            assertThat(remedies(known(client.diagnose())))
                    .containsExactlyInAnyOrder("+client|kill", "+script|load", "+eval", "+config|get");
        }
    }

    /** Whether the commands inside the scripts are allowed can't be asked then, and that is not good news. */
    @Test
    void aUserWhoCanNeitherBringScriptsNorFindThemHasAProblem() {
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(user(server, MinimalAcl.narrowCommands()))) {
            assertThat(client.diagnose()).first().satisfies(finding -> {
                assertThat(finding.code()).isEqualTo(Code.SCRIPTS_REFUSED);
                assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
                assertThat(finding.remedy()).contains("Load the scripts", "+eval");
            });
        }
    }

    /** Every right by itself: what this client needs and the user lacks is named, and nothing else. */
    @Test
    void eachMissingRightIsFoundByItself() {
        try (RedisServer server = RedisServer.start()) {
            Set<String> unaskable = Set.of("hello", "auth", "select", "client|setname", "evalsha");
            for (String right : MinimalAcl.commands()) {
                if (unaskable.contains(right) || (isOld(server) && right.contains("subscribe"))) {
                    continue;
                }
                Set<String> commands = new TreeSet<>(MinimalAcl.commands());
                commands.remove(right);
                try (LockClient client = LockClient.connect(user(server, commands))) {
                    assertThat(remedies(client.diagnose()))
                            .as("without " + right)
                            .contains("+" + right);
                }
            }
        }
    }

    /** Its counters, clocks and channels are asked for; what its locks are called is not known. */
    @Test
    void theKeysOfTheRedissonSchemeAreAskedForInThatScheme() {
        try (RedisServer server = RedisServer.start()) {
            String url = user(server, MinimalAcl.commands());
            LockOptions redisson =
                    LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
            ClientOptions options =
                    ClientOptions.builder().lockOptions(redisson).build();
            try (RawRedis admin = server.connect();
                    LockClient client = LockClient.connect(url, options)) {
                assertThat(client.diagnose().get(0).remedy()).startsWith("Add ~redisson_lock_token:* ~holdfast:*, and");
                admin.command("ACL", "SETUSER", "app", "~redisson_lock_token:*", "&redisson_lock__channel:*");
                assertThat(known(client.diagnose())).singleElement().satisfies(finding -> assertThat(finding.remedy())
                        .contains("+config|get"));
            }
        }
    }

    @Test
    void keysThatTheUserMayNotUseAreOneProblem() {
        try (RedisServer server = RedisServer.start()) {
            String url = user(server, MinimalAcl.commands());
            try (RawRedis admin = server.connect();
                    LockClient client = LockClient.connect(url)) {
                admin.command("ACL", "SETUSER", "app", "resetkeys", "~other:*");
                Finding worst = client.diagnose().get(0);
                assertThat(worst.code()).isEqualTo(Code.MISSING_RIGHT);
                assertThat(worst.remedy()).contains("~holdfast:*");
            }
        }
    }

    @Test
    void askingLogsNoRefusalWhereTheServerCanTell() {
        try (RedisServer server = RedisServer.start();
                RawRedis admin = server.connect()) {
            Set<String> commands = new TreeSet<>(MinimalAcl.commands());
            commands.removeAll(Set.of("client|kill", "publish", "subscribe"));
            String url = user(server, commands);
            try (LockClient client = LockClient.connect(url)) {
                assertThat((List<?>) admin.command("ACL", "LOG"))
                        .as("a connect asks for nothing that it may not")
                        .isEmpty();
                client.diagnose();
                if (!isOld(server)) {
                    assertThat(String.valueOf(admin.command("ACL", "LOG")))
                            .doesNotContain("client|kill", "publish", "subscribe");
                }
            }
        }
    }

    @Test
    void eachCommandThatAProviderForbidsIsFound() {
        try (RedisServer server = RedisServer.builder()
                        .option("rename-command", "CLIENT", "")
                        .option("rename-command", "SCRIPT", "")
                        .option("rename-command", "PUBSUB", "")
                        .start();
                LockClient client = LockClient.connect(server.url())) {
            assertThat(client.diagnose())
                    .filteredOn(finding -> finding.code() == Code.MISSING_COMMAND)
                    .extracting(Finding::seen)
                    .contains(
                            "The server has no command CLIENT ID, CLIENT INFO, CLIENT KILL",
                            "The server has no command SCRIPT LOAD",
                            "The server has no command PUBSUB NUMSUB");
        }
    }

    @Test
    void theReplicasOfAPlainAddressAreCountedAndNotAsked() {
        try (ReplicatedPair pair = ReplicatedPair.start();
                LockClient client = LockClient.connect(pair.primary().url())) {
            pair.awaitInStep();
            List<Finding> findings = client.diagnose();
            assertThat(codes(findings)).contains(Code.REPLICAS_NOT_WAITED_FOR);
            assertThat(findings).allSatisfy(finding -> assertThat(finding.node())
                    .contains(":" + pair.primary().port()));
        }
    }

    @Test
    void aReplicaIsNoPlaceForLocks() {
        ClientOptions lazy = ClientOptions.builder().lazy(true).build();
        try (ReplicatedPair pair = ReplicatedPair.start();
                LockClient client = LockClient.connect(pair.replicas().get(0).url(), lazy)) {
            assertThat(client.diagnose().get(0).code()).isEqualTo(Code.NOT_A_PRIMARY);
        }
    }

    @Test
    void allServersOfAReplicatedAddressAreAsked() {
        try (ReplicatedPair pair = ReplicatedPair.start();
                LockClient client = LockClient.connect(pair.url())) {
            pair.replicas().get(0).kill();
            assertThat(client.diagnose()).anySatisfy(finding -> {
                assertThat(finding.code()).isEqualTo(Code.UNREACHABLE);
                assertThat(finding.severity()).isEqualTo(Severity.WARNING);
                assertThat(finding.node()).contains(":" + pair.replicas().get(0).port());
            });
        }
    }

    @Test
    @Tag("proof")
    void behindSentinelThePrimaryAndItsReplicasAreAsked() {
        try (SentinelGroup group = SentinelGroup.start();
                LockClient client = LockClient.connect(group.url())) {
            assertThat(codes(client.diagnose())).contains(Code.REPLICAS_NOT_WAITED_FOR, Code.MIN_REPLICAS_UNSET);
            RedisServer replica = group.replicas().get(0);
            try (RawRedis raw = replica.connect()) {
                raw.command("CONFIG", "SET", "requirepass", "only-here");
            }
            assertThat(client.diagnose()).first().satisfies(finding -> {
                assertThat(finding.code()).isEqualTo(Code.UNREACHABLE);
                assertThat(finding.severity()).as("it may be the primary next").isEqualTo(Severity.PROBLEM);
                assertThat(finding.node()).contains(":" + replica.port());
            });
        }
    }

    @Test
    void eachNodeOfAQuorumIsAsked() {
        try (RedisServer one = RedisServer.start();
                RedisServer two = RedisServer.start();
                RedisServer three = RedisServer.builder().aof(true).start();
                LockClient client = LockClient.connectQuorum(
                        List.of(one.url(), two.url(), three.url()),
                        ClientOptions.defaults(),
                        QuorumOptions.defaults())) {
            assertThat(client.diagnose())
                    .filteredOn(finding -> finding.code() == Code.NO_PERSISTENCE)
                    .hasSize(2);
            two.kill();
            assertThat(client.diagnose()).anySatisfy(finding -> {
                assertThat(finding.code()).isEqualTo(Code.UNREACHABLE);
                assertThat(finding.node()).contains(":" + two.port());
            });
        }
    }

    @Test
    void aServerThatHangsIsAFindingAndLocksGoOnAfterIt() {
        ClientOptions options =
                ClientOptions.builder().connectTimeout(Duration.ofSeconds(1)).build();
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(server.url(), options)) {
            server.pause();
            Finding finding;
            try {
                finding = client.diagnose().get(0);
            } finally {
                server.resume();
            }
            assertThat(finding.code()).isEqualTo(Code.UNREACHABLE);
            assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
        }
    }

    @Test
    void nothingSecretIsInAFinding() {
        try (RedisServer server = RedisServer.start()) {
            String url = user(server, MinimalAcl.narrowCommands());
            try (LockClient client = LockClient.connect(url)) {
                assertThat(client.diagnose().toString()).doesNotContain(PASSWORD);
                try (RawRedis admin = server.connect()) {
                    admin.command("ACL", "SETUSER", "app", "resetpass", ">another");
                }
                assertThat(client.diagnose()).singleElement().satisfies(finding -> {
                    assertThat(finding.code()).isEqualTo(Code.UNREACHABLE);
                    assertThat(finding.toString()).doesNotContain(PASSWORD);
                });
            }
        }
    }

    @Test
    void aClosedClientAsksNothing() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            LockClient client = LockClient.connect(server.url());
            server.pause();
            var underWay = client.diagnoseAsync();
            server.resume();
            client.close();
            try {
                underWay.get(20, TimeUnit.SECONDS);
            } catch (ExecutionException closed) {
                assertThat(closed).hasCauseInstanceOf(LockClientClosedException.class);
            }
            assertThatThrownBy(client::diagnose).isInstanceOf(LockClientClosedException.class);
        }
    }

    private static List<Finding> known(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> !OF_THE_SERVERS_HERE.contains(finding.code()))
                .toList();
    }

    private static boolean isOld(RedisServer server) {
        return !server.version().isAtLeast(7, 0);
    }

    private static List<Code> codes(List<Finding> findings) {
        return findings.stream().map(Finding::code).toList();
    }

    /** The rights to add, with their plus signs. */
    private static List<String> remedies(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.code() == Code.MISSING_RIGHT)
                .flatMap(finding -> Stream.of(finding.remedy().split(" ", -1)))
                .filter(word -> word.startsWith("+"))
                .toList();
    }

    private static String user(RedisServer server, Set<String> commands) {
        try (RawRedis admin = server.connect()) {
            admin.command(MinimalAcl.rule("app", PASSWORD, commands));
        }
        return "redis://app:" + PASSWORD + "@" + server.host() + ":" + server.port();
    }

    /** So many clients more. */
    private static final class ManyConnections implements AutoCloseable {

        private final List<RawRedis> all = new ArrayList<>();

        ManyConnections(RedisServer server, int count) {
            for (int i = 0; i < count; i++) {
                all.add(server.connect());
            }
        }

        int size() {
            return all.size();
        }

        @Override
        public void close() {
            all.forEach(RawRedis::close);
        }
    }
}
