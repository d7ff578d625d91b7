package io.holdfast.lock.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class PlacesTest {

    private static final String KEPT = "<maven.deploy.skip>true</maven.deploy.skip>";
    private static final String DESCRIBED = "<name>A</name><description>b</description>";

    @Test
    void eachModuleIsPublishedOrKept() throws Exception {
        Path root = Source.root();
        Map<String, String> poms = new TreeMap<>();
        for (Source source : Source.all()) {
            if (source.path().matches("[^/]+/pom\\.xml")) {
                poms.put(source.directory(), source.text());
            }
        }

        assertThat(Places.violations(
                        Files.readString(root.resolve("release/modules")),
                        Files.readString(root.resolve("pom.xml")),
                        poms))
                .isEmpty();
    }

    @Test
    void aModuleWithoutAPlaceIsTold() {
        String parent = "<module>core</module><module>bench</module>";

        assertThat(Places.violations("published core\n", parent, Map.of("core", DESCRIBED, "bench", KEPT)))
                .containsExactly("bench: no place in release/modules (published or kept?)");
    }

    @Test
    void aPlaceThatThePomDeniesIsTold() {
        String parent = "<module>core</module><module>bench</module><module>bare</module>";
        String list = "# A comment.\npublished core\nkept bench\npublished bare\nkept gone\nlost x\nkept bench\n";

        assertThat(Places.violations(list, parent, Map.of("core", KEPT, "bench", DESCRIBED, "bare", "")))
                .containsExactlyInAnyOrder(
                        "lost x: not a place (expected: published or kept, and a module)",
                        "bench: two places",
                        "gone: no module of the build",
                        "core: published, and its POM says otherwise by maven.deploy.skip",
                        "bench: kept, and its POM says otherwise by maven.deploy.skip",
                        "bare: published, and its POM lacks a name or a description");
    }
}
