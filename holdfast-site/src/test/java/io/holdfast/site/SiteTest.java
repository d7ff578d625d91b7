package io.holdfast.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every link of the documents leads somewhere, and the site has every page. */
class SiteTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    Path folder;

    @Test
    void allLinksOfTheDocumentsLeadSomewhere() throws IOException {
        assertThat(Site.make(ROOT, folder)).isEmpty();
        assertThat(Files.readString(folder.resolve("docs/guide.html")))
                .contains(
                        "<h2 id=\"asynchronous-calls\">",
                        "href=\"../start.html#three-ways-to-hold-a-lock\"",
                        "signals, <a href=\"../docs/options.html\">Options</a> the options");
        assertThat(Files.readString(folder.resolve("search-index.js"))).contains("\"docs/guide.html#class-path\"");
    }

    @Test
    void linksThatLeadNowhereAreTold() throws IOException {
        write(
                "README.md",
                "# A\n[1](gone.md) [2](#b) [3](docs/b.md#c) [4](#a) [5](docs/b.md#d-e-1) [6](https://example.org)");
        write("docs/b.md", "# B\n## D, `e`\n## D e\n[7](../../outside)");

        assertThat(new Documents(folder, "").resolve())
                .containsExactly(
                        "README.md: gone.md: no such file",
                        "README.md: #b: no such heading",
                        "README.md: docs/b.md#c: no such heading",
                        "docs/b.md: ../../outside: no such file");
    }

    @Test
    void linksLeadToPagesOfTheSiteOrElseToTheSources() throws IOException {
        write("README.md", "# A");
        write("docs/README.md", "# Documents");
        write("docs/deep/b.md", "# B\n## C");
        write("code/A.java", "");
        Documents documents = new Documents(folder, "https://example.org/it");

        assertThat(documents.href("docs/deep/b.md", "../../README.md")).isEqualTo("../../start.html");
        assertThat(documents.href("README.md", "docs/deep/b.md#c")).isEqualTo("docs/deep/b.html#c");
        assertThat(documents.href("README.md", "docs")).isEqualTo("docs/index.html");
        assertThat(documents.href("docs/deep/b.md", "#c")).isEqualTo("#c");
        assertThat(documents.href("docs/README.md", "../code/A.java"))
                .isEqualTo("https://example.org/it/blob/main/code/A.java");
        assertThat(documents.href("README.md", "code")).isEqualTo("https://example.org/it/tree/main/code");
    }

    @Test
    void pagesThatTheIndexLacksAreTold() throws IOException {
        write("docs/README.md", "# Documents\n## Here\n[a](a.md) [more](more)");
        write("docs/a.md", "# A");
        write("docs/b.md", "# B");
        write("docs/more/c.md", "# C");

        assertThat(new Navigation(new Documents(folder, ""), "docs/README.md").missing())
                .containsExactly("docs/b.md: not in docs/README.md");
    }

    @Test
    void figuresComeFromTheReportOrAreMissed() {
        Page page = Page.of(
                "a.md", "| a | ops | ratio (range) |\n|---|---|---|\n| x | 2 | 3.5 (3 to 4) |\n\n| b | ratio |\n");

        assertThat(Site.figure(page, "x", "ratio")).isEqualTo("3.5");
        assertThatThrownBy(() -> Site.figure(page, "y", "ratio")).hasMessage("a.md has no figure for 'y', 'ratio'");
    }

    @Test
    void javaIsMarkedAndEscaped() {
        assertThat(JavaCode.html("@A List<B> b = f(\"//\"); // \"c\""))
                .isEqualTo(
                        "<span class=\"annotation\">@A</span> List&lt;B&gt; b = f("
                                + "<span class=\"string\">&quot;//&quot;</span>); <span class=\"comment\">// &quot;c&quot;</span>");
    }

    private void write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
