package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Variables of a process: a client that asks for them has them, and a client that does not has not. */
@RedisTest
class EnvironmentTest {

    @Test
    void variablesAreReadWhereTheyAreAskedForOnly(RedisServer redis, RawRedis raw, @TempDir Path folder)
            throws Exception {
        Path file = Files.writeString(folder.resolve("holdfast.properties"), "address = " + redis.url() + "/0\n");
        Map<String, String> environment = Map.of(
                "HOLDFAST_FILE", file.toString(),
                "HOLDFAST_CLIENT_NAME", "by-variables",
                "HOLDFAST_COMAND_TIMEOUT", "canary",
                "HOLDFAST_PORT_6379_TCP", "canary");
        List<String> said = new CopyOnWriteArrayList<>();
        try (ChildJvm child =
                ChildJvm.start(List.of(), environment, said::add, EnvironmentProgram.class, redis.url())) {
            await().until(() -> said.stream().anyMatch(line -> line.startsWith("connected ")));

            String clients = String.valueOf(raw.command("CLIENT", "LIST"));
            assertThat(clients).contains("name=by-variables ").contains("name=holdfast ");
            assertThat(said)
                    .filteredOn(line -> line.contains("HOLDFAST_"))
                    .singleElement()
                    .asString()
                    .contains(
                            "variables that set no option: ",
                            "HOLDFAST_COMAND_TIMEOUT (HOLDFAST_COMMAND_TIMEOUT?)",
                            "HOLDFAST_PORT_6379_TCP");
            assertThat(said).noneMatch(line -> line.contains("canary"));
            assertThat(said).anySatisfy(line -> assertThat(line)
                    .startsWith("options ClientOptions{address=***, ")
                    .contains("clientName=by-variables"));
        }
    }
}
