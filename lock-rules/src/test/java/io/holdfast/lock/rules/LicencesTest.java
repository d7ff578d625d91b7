package io.holdfast.lock.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the published modules bring along has a licence with which an application may be closed. */
@Tag("once")
class LicencesTest {

    @TempDir
    Path repository;

    @Test
    void allJarsHaveAnAllowedLicence() throws IOException {
        Path local = Path.of(System.getProperty("holdfast.maven.repository"));
        List<Path> jars = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar"))
                .map(Path::of)
                .filter(jar -> jar.startsWith(local))
                .toList();
        List<String> allowed = Files.readAllLines(Source.root().resolve("release/licences")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();

        assertThat(jars).hasSizeGreaterThan(20);
        assertThat(new Licences(local, allowed).violations(jars)).isEmpty();
    }

    @Test
    void otherLicencesAreTold() throws IOException {
        List<Path> jars = List.of(
                jar("free", "", "<license><name>MIT</name></license>"),
                jar("choice", "", "<license><name>GPL</name></license><license><name>mit</name></license>"),
                jar("closing", "", "<license><name>GPL</name></license>"),
                jar("inherits", "free", ""),
                jar("silent", "", ""),
                jar("orphan", "gone", ""));

        assertThat(new Licences(repository, List.of("MIT")).violations(jars))
                .containsExactly("closing-1.jar: GPL", "silent-1.jar: no licence", "orphan-1.jar: no licence");
    }

    private Path jar(String artifact, String parent, String licences) throws IOException {
        Path folder = Files.createDirectories(repository.resolve("org/example/" + artifact + "/1"));
        String above = parent.isEmpty()
                ? ""
                : "<parent><groupId>org.example</groupId><artifactId>" + parent
                        + "</artifactId><version>1</version></parent>";
        String named = licences.isEmpty() ? "" : "<licenses>" + licences + "</licenses>";
        Files.writeString(folder.resolve(artifact + "-1.pom"), "<project>" + above + named + "</project>");
        return folder.resolve(artifact + "-1.jar");
    }
}
