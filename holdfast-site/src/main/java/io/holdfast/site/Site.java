package io.holdfast.site;

import static io.holdfast.site.JavaCode.escaped;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;

/**
 * The web site: a front page, a page for each Markdown file, and an index that the browser searches. It takes nothing from
 * elsewhere, so that it can be read from a disk.
 */
public final class Site {

    private static final String INDEX = "docs/README.md";
    private static final Pattern HOLE = Pattern.compile("\\{\\{([^}]+)}}");
    private static final Pattern ADDRESS = Pattern.compile("(?:href|src)=\"(?![a-z]+:|#)([^\"#]+)");

    private final Documents documents;
    private final Html html = new Html();
    private final String sources;
    private final String version;
    private final Navigation navigation;
    private final Map<Path, String> files = new LinkedHashMap<>();

    private Site(Path root) throws IOException {
        Properties owner = new Properties();
        try (InputStream in = Files.newInputStream(root.resolve("release/owner.properties"))) {
            owner.load(in);
        }
        this.sources = owner.getProperty("scm.url").replaceFirst("\\.git$", "");
        this.documents = new Documents(root, sources);
        this.navigation = new Navigation(documents, INDEX);
        Matcher found =
                Pattern.compile("<version>([^<]+)</version>").matcher(Files.readString(root.resolve("pom.xml")));
        this.version = found.find() ? found.group(1) : "";
    }

    public static void main(String[] arguments) throws IOException {
        Path out = Path.of(arguments[1]);
        List<String> wrong = make(Path.of(arguments[0]), out);
        if (!wrong.isEmpty()) {
            throw new IllegalStateException(wrong.size() + " links or pages are wrong:\n" + String.join("\n", wrong));
        }
        System.out.println("open " + out.resolve("index.html"));
    }

    /** Writes the site of the repository in {@code root}. Returns what is wrong with links and the index. */
    static List<String> make(Path root, Path out) throws IOException {
        Site site = new Site(root.toAbsolutePath().normalize());
        List<String> wrong = site.fill();
        for (Map.Entry<Path, String> file : site.files.entrySet()) {
            Path target = out.resolve(file.getKey().toString());
            Files.createDirectories(target.getParent());
            Files.writeString(target, file.getValue());
        }
        return wrong;
    }

    private List<String> fill() throws IOException {
        List<String> wrong = new ArrayList<>(navigation.missing());
        SearchIndex index = new SearchIndex();
        List<String> broken = documents.resolve();
        for (Page page : documents.published()) {
            index.add(page);
            put(page.path(), page.title(), html.body(page), contents(page));
        }
        navigation.folders().forEach((folder, title) -> put(folder + "/README.md", title, listing(folder, title), ""));
        Page readme = documents.page("README.md");
        put("index.md", "Holdfast", filled(resource("front.html"), name -> front(readme, name)), "");
        files.put(Path.of("search-index.js"), index.script());
        files.put(Path.of("site.css"), resource("site.css"));
        files.put(Path.of("site.js"), resource("site.js"));
        wrong.addAll(broken);
        wrong.addAll(dangling());
        return wrong;
    }

    /** Adds the page of a file, real or not, to the site. */
    private void put(String path, String title, String body, String contents) {
        boolean isFront = path.equals("index.md");
        String root = Documents.up(path);
        String layout = filled(resource("page.html"), name -> switch (name) {
            case "title" -> isFront ? "Holdfast: distributed locks for the JVM" : escaped(title) + " - Holdfast";
            case "kind" -> isFront ? "front" : "text";
            case "root" -> root;
            case "navigation" -> navigation.html(path);
            case "body" -> body;
            case "contents" -> contents;
            case "sources" -> sources;
            case "version" -> version;
            default -> documents.hrefFromRoot(path, name);
        });
        files.put(Path.of(Page.target(path)), layout);
    }

    /** Headings of the second level, for the side of a page with some of them. */
    private static String contents(Page page) {
        List<Page.Section> parts =
                page.sections().stream().filter(section -> section.level() == 2).toList();
        if (parts.size() < 3) {
            return "";
        }
        return parts.stream()
                .map(part -> "<li><a href=\"#" + part.anchor() + "\">" + escaped(part.title()) + "</a></li>\n")
                .collect(Collectors.joining("", "<h2>On this page</h2>\n<ul>\n", "</ul>\n"));
    }

    /** The page of a folder: the titles of its pages. */
    private String listing(String folder, String title) {
        return documents.in(folder).stream()
                .map(page -> "<li><a href=\"" + documents.hrefFromRoot(folder + "/README.md", page.path()) + "\">"
                        + escaped(page.title()) + "</a></li>\n")
                .collect(Collectors.joining("", "<h1>" + escaped(title) + "</h1>\n<ul class=\"list\">\n", "</ul>\n"));
    }

    /** What the front page takes from the documents, so that it can't say anything else. */
    private String front(Page readme, String name) {
        if (name.startsWith("figure ")) {
            return figure(documents.page("docs/performance.md"), name.substring(7), "throughput over Redisson's");
        }
        return switch (name) {
            case "what" -> html.render(first(readme, Paragraph.class));
            case "code" -> html.render(first(readme, FencedCodeBlock.class));
            case "sources" -> sources;
            default -> documents.hrefFromRoot("index.md", name);
        };
    }

    /** Addresses in the pages that no file of the site has. */
    private List<String> dangling() {
        List<String> dangling = new ArrayList<>();
        files.forEach((file, text) -> {
            Matcher address = ADDRESS.matcher(file.toString().endsWith(".html") ? text : "");
            while (address.find()) {
                if (!files.containsKey(file.resolveSibling(address.group(1)).normalize())) {
                    dangling.add(file + ": " + address.group(1) + " is no file of the site");
                }
            }
        });
        return dangling;
    }

    /** The first word in a row of a table, by its first cell, and in a column whose heading begins with some text. */
    static String figure(Page page, String row, String column) {
        List<String> headings = List.of();
        for (String line : page.markdown().lines().toList()) {
            List<String> cells = List.of(line.split(" *\\| *"));
            if (!line.startsWith("|")) {
                headings = List.of();
            } else if (headings.isEmpty()) {
                headings = cells;
            } else if (cells.get(1).equals(row)) {
                for (int i = 2; i < cells.size(); i++) {
                    if (headings.get(i).startsWith(column)) {
                        return cells.get(i).replaceFirst(" .*", "");
                    }
                }
            }
        }
        throw new IllegalArgumentException(page.path() + " has no figure for '" + row + "', '" + column + "'");
    }

    private static Node first(Page page, Class<? extends Node> kind) {
        Node block = page.document().getFirstChild();
        while (!kind.isInstance(block)) {
            block = block.getNext();
        }
        return block;
    }

    private static String filled(String template, UnaryOperator<String> value) {
        return HOLE.matcher(template).replaceAll(hole -> Matcher.quoteReplacement(value.apply(hole.group(1))));
    }

    private static String resource(String name) {
        try (InputStream in = Site.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
