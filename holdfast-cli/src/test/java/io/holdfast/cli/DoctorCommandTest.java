package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.provider.ProviderProfile;
import io.holdfast.lock.testkit.provider.Providers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor, at servers that are set up well, badly, or not there. */
class DoctorCommandTest {

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aServerWhoseRestartForgetsIsAWarning() {
        Ran doctor = Ran.of("doctor", server.url());
        assertThat(doctor.status()).isZero();
        assertThat(doctor.out()).contains("WARNING  NO_PERSISTENCE ", "restart forgets", "0 problems, ");
        Ran json = Ran.at(server.url(), "doctor", "--json");
        assertThat(json.status()).isZero();
        assertThat(json.out().lines()).anySatisfy(line -> assertThat(line)
                .startsWith("{\"severity\":\"WARNING\",\"finding\":\"NO_PERSISTENCE\",\"node\":"));
    }

    @Test
    void aProblemIsToldWithinEightyColumns() {
        try (RedisServer evicting = RedisServer.builder()
                .option("maxmemory-policy", "allkeys-lru")
                .option("maxmemory", "100mb")
                .start()) {
            Ran doctor = Ran.at(evicting.url(), "doctor", "--width", "80");
            assertThat(doctor.status()).isEqualTo(1);
            assertThat(doctor.out()).contains("PROBLEM  EVICTION ", "seen ", "follows ", "to do ", "1 problem");
            assertThat(doctor.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
        }
    }

    @Test
    void eachNodeOfAQuorumIsAskedWithTheOptionsOfAFile(@TempDir Path folder) throws Exception {
        Path options = Files.writeString(folder.resolve("a.properties"), "connectTimeout=30 s\nlock.prefix=shop\n");
        try (RedisServer two = RedisServer.start();
                RedisServer three = RedisServer.start();
                RawRedis admin = three.connect()) {
            admin.command("ACL", "SETUSER", "default", "resetkeys", "~holdfast:*");
            Ran doctor = Ran.of("doctor", "--options", options.toString(), server.url(), two.url(), three.url());
            assertThat(doctor.status()).isEqualTo(1);
            assertThat(doctor.out()).contains("1 problem, ", "NO_PERSISTENCE", "~shop:*");
        }
    }

    @Test
    void aServerThatIsNotThereIsAProblem() {
        Ran doctor = Ran.of("doctor", "redis://127.0.0.1:1");
        assertThat(doctor.status()).isEqualTo(1);
        assertThat(doctor.out()).contains("PROBLEM  UNREACHABLE ", "127.0.0.1:1");
    }

    @Test
    void whatNoClientTakesIsAWrongCommandLine() {
        Ran none = Ran.of("doctor");
        Ran noQuorum = Ran.of("doctor", "redis://127.0.0.1:1", "redis-sentinel://127.0.0.1:2/main");
        Ran password = Ran.of("doctor", "redis://:secret@127.0.0.1:1");
        for (Ran refused : List.of(none, noQuorum, password)) {
            assertThat(refused.status()).isEqualTo(64);
            assertThat(refused.err()).startsWith("holdfast doctor: ").doesNotContain("secret", "\tat ");
        }
    }

    /** The second run finds the keys of the first. */
    @Test
    void eachKindIsTriedAndLittleIsLeft() throws Exception {
        try (RedisServer empty = RedisServer.start();
                RawRedis raw = empty.connect()) {
            for (int run = 0; run < 2; run++) {
                Ran doctor = Ran.at(empty.url(), "doctor", "--try");
                assertThat(doctor.status()).as(doctor.err()).isZero();
                assertThat(doctor.out().lines())
                        .filteredOn(line -> line.contains(" works "))
                        .extracting(line -> line.substring(0, line.indexOf(' ')))
                        .containsExactly("plain", "fair", "read/write", "semaphore", "latch");
            }
            assertThat((List<?>) raw.command("KEYS", "*")).allSatisfy(key -> assertThat(key.toString())
                    .matches("holdfast:token:\\{\\d+}|holdfast:\\{holdfast-doctor:semaphore}:limit"));
        }
    }

    @Test
    void aRefusalIsSaidInTheProvidersWords() {
        try (FaultProxy proxy = behind(Providers.ELASTICACHE_SERVERLESS)) {
            Ran doctor = Ran.at(proxy.url(), "doctor", "--try", "--json");
            assertThat(doctor.status()).isEqualTo(1);
            assertThat(doctor.out().strip())
                    .startsWith("{\"provider\":\"\",")
                    .endsWith("}")
                    .contains("\"connect\":\"connects\"", "\"verdict\":\"SCRIPT_REFUSED\"")
                    .contains("ERR This Redis command is not allowed from script")
                    .contains("\"findings\":[\"NO_PERSISTENCE\"")
                    .doesNotContain("127.0.0.1", "\n");
        }
    }

    @Test
    void aServerWithoutScriptsIsRefusedAtOnce() {
        try (FaultProxy proxy = behind(Providers.OCI_SHARDED)) {
            Ran doctor = Ran.at(proxy.url(), "doctor", "--try");
            assertThat(doctor.status()).isEqualTo(1);
            assertThat(doctor.out().replaceAll("\\s+", " "))
                    .contains("SCRIPTS_REFUSED", "connect: SERVER_ERROR", "ERR unknown command 'EVALSHA'");
        }
    }

    private static FaultProxy behind(ProviderProfile profile) {
        FaultProxy proxy = FaultProxy.to(server);
        proxy.onRequest(profile.rule());
        return proxy;
    }
}
