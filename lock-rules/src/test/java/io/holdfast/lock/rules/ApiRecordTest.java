package io.holdfast.lock.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.boot.HoldfastClientCustomizer;
import io.holdfast.lock.memory.InMemoryLocks;
import io.holdfast.lock.micrometer.LockMeters;
import io.holdfast.lock.netty.NettyLockProvider;
import io.holdfast.lock.spring.Locked;
import io.holdfast.lock.testkit.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What users compile against changes on purpose only. With {@code -Dholdfast.record} the test writes the records anew; their
 * difference is part of the commit, and {@code release/api-changes} compares them with those of a release.
 */
@Tag("once")
class ApiRecordTest {

    @ParameterizedTest
    @ValueSource(
            classes = {
                LockClient.class,
                NettyLockProvider.class,
                InMemoryLocks.class,
                LockMeters.class,
                Locked.class,
                HoldfastClientCustomizer.class,
                RedisServer.class
            })
    void signaturesAreRecorded(Class<?> member) throws Exception {
        Path classes = classes(member);
        assertThat(classes).as("built in the same run of Maven").isDirectory();
        String module = classes.getParent().getParent().getFileName().toString();
        Path record = Source.root().resolve("release/api/" + module + ".txt");
        List<String> now = ApiRecord.of(classes);
        if (System.getProperty("holdfast.record") != null) {
            Files.createDirectories(record.getParent());
            Files.write(record, now);
        }

        assertThat(ApiRecord.changes(Files.readAllLines(record), now))
                .as("%s: the API is not as recorded; if that is meant, run this test with -Dholdfast.record", module)
                .isEmpty();
    }

    @Test
    void changesNameTheTypeAndTheMember() {
        List<String> before = List.of(
                "public interface a.Lock extends a.Base {",
                "  public abstract void lock();",
                "  public abstract boolean tryLock(long);",
                "}",
                "public class a.Gone {",
                "}");
        List<String> after = List.of(
                "public interface a.Lock extends a.Base {",
                "  public abstract void lock();",
                "  public abstract boolean tryLock(int);",
                "}");

        assertThat(ApiRecord.changes(before, after))
                .containsExactly(
                        "- interface a.Lock: public abstract boolean tryLock(long);",
                        "- public class a.Gone",
                        "+ interface a.Lock: public abstract boolean tryLock(int);");
        assertThat(ApiRecord.changes(before, before)).isEmpty();
    }

    @Test
    void onlyExportedAndPublicTypesAreRecorded() throws Exception {
        assertThat(ApiRecord.of(classes(LockClient.class)))
                .anyMatch(line -> line.startsWith("public interface io.holdfast.lock.LockClient"))
                .noneMatch(line -> line.contains(" io.holdfast.lock.engine.") && line.startsWith("public"));
    }

    /** From the phase package on, Maven puts a module's jar on the class path, and its classes lie beside that. */
    private static Path classes(Class<?> member) throws Exception {
        Path source = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        return Files.isDirectory(source) ? source : source.resolveSibling("classes");
    }
}
