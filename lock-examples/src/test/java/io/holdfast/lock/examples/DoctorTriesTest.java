package io.holdfast.lock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.examples.Commands.Outcome;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.provider.ProviderProfile;
import io.holdfast.lock.testkit.provider.Providers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The doctor takes locks where it is told to try. */
@RedisTest
class DoctorTriesTest {

    /** The second run finds what the first has left. */
    @Test
    void eachKindIsTriedAndLittleIsLeft(RedisServer server, RawRedis raw) {
        Commands.succeed("doctor", "--try", server.url());
        Outcome outcome = Commands.succeed("doctor", "--try", server.url());
        assertThat(outcome.text()).contains("NO_PERSISTENCE").contains("kind", "verdict", "ms");
        assertThat(outcome.text()
                        .lines()
                        .map(line -> line.replaceAll(" +", " "))
                        .toList())
                .filteredOn(line -> line.contains(" works "))
                .extracting(line -> line.substring(0, line.indexOf(' ')))
                .containsExactly("plain", "fair", "read/write", "semaphore", "latch");
        assertThat((List<?>) raw.command("KEYS", "*")).allSatisfy(key -> assertThat(key.toString())
                .matches("holdfast:token:\\{\\d+}|holdfast:\\{holdfast-doctor:semaphore}:limit"));
    }

    @Test
    void whatIsRefusedIsSaidInTheProvidersWords(RedisServer server) {
        Outcome outcome = behind(Providers.ELASTICACHE_SERVERLESS, server, "--json");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.text())
                .contains("\"connect\": \"connects\"", "\"verdict\": \"SCRIPT_REFUSED\"")
                .contains("ERR This Redis command is not allowed from script")
                .contains("\"findings\": [\"NO_PERSISTENCE\"");
        String object = outcome.text().substring(outcome.text().indexOf('{'));
        assertThat(object).doesNotContain("127.0.0.1", "log: ");
        assertThat(object.strip()).endsWith("}");
    }

    @Test
    void aServerWithoutScriptsIsRefusedAtOnce(RedisServer server) {
        Outcome outcome = behind(Providers.OCI_SHARDED, server);
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.text().replaceAll("\\s+", " "))
                .contains("SCRIPTS_REFUSED", "connect: SERVER_ERROR", "ERR unknown command 'EVALSHA'");
    }

    @Test
    void jsonIsForTriesOnly() {
        assertThat(Commands.run("doctor", "--json", "redis://127.0.0.1:1").exitCode())
                .isEqualTo(2);
    }

    private static Outcome behind(ProviderProfile profile, RedisServer server, String... more) {
        try (FaultProxy proxy = FaultProxy.to(server)) {
            proxy.onRequest(profile.rule());
            String[] arguments = new String[3 + more.length];
            arguments[0] = "doctor";
            arguments[1] = "--try";
            arguments[2] = proxy.url();
            System.arraycopy(more, 0, arguments, 3, more.length);
            return Commands.run(arguments);
        }
    }
}
