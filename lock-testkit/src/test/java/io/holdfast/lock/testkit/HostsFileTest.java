package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that lead another JVM to where a test says. */
class HostsFileTest {
    @TempDir
    Path folder;

    @Test
    void aNewSpellingFindsTheNewAddressAndAnOldOneIsRemembered() throws IOException {
        HostsFile hosts = HostsFile.at(folder.resolve("hosts"));
        hosts.lead("db-1.test", "127.0.0.1");
        hosts.lead("other", "127.0.0.9");
        try (ChildJvm child = ChildJvm.startWith(List.of(hosts.option()), ChildJvm.LookUp.class)) {
            assertThat(found(child, "db-1.test")).isEqualTo("127.0.0.1");
            hosts.lead("db-1.test", "127.0.0.2", "127.0.0.3");
            assertThat(found(child, "db-1.test")).isEqualTo("127.0.0.1");
            assertThat(found(child, "Db-1.test")).isEqualTo("127.0.0.2 127.0.0.3");
            assertThat(found(child, "dB-1.tESt")).isEqualTo("127.0.0.2 127.0.0.3");
            assertThat(found(child, "other")).isEqualTo("127.0.0.9");
            hosts.lead("db-1.test");
            assertThat(found(child, "DB-1.test")).isEqualTo("unknown");
        }
    }

    @Test
    void aNameHasASpellingForEachChoiceOfCases() {
        assertThat(HostsFile.spellings("a-1B")).containsExactlyInAnyOrder("a-1B", "A-1B", "a-1b", "A-1b");
    }

    @Test
    void aNameOfManyLettersIsRefused() {
        HostsFile hosts = HostsFile.at(folder.resolve("hosts"));
        assertThatThrownBy(() -> hosts.lead("elevenletter", "127.0.0.1"))
                .hasMessage("name: elevenletter (expected: digits, . and -, and 10 letters at most)");
        assertThatThrownBy(() -> hosts.lead("a b", "127.0.0.1")).hasMessageStartingWith("name: a b (expected: ");
    }

    private static String found(ChildJvm child, String name) throws IOException {
        child.tellLine(name);
        return child.readLine();
    }
}
