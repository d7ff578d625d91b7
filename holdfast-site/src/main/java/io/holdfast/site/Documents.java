package io.holdfast.site;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.commonmark.node.Link;
import org.commonmark.node.Text;

/** The Markdown files of the repository, and where their links lead. */
final class Documents {

    private static final Set<String> SKIPPED = Set.of("target", ".git", ".idea", ".mvn");

    private final Path root;
    private final String sources;
    private final Map<String, Page> pages = new TreeMap<>();
    private final List<String> broken = new ArrayList<>();

    /**
     * Reads all Markdown files.
     *
     * @param root the folder of the repository
     * @param sources the address at which people read its files
     */
    Documents(Path root, String sources) throws IOException {
        this.root = root;
        this.sources = sources;
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED.contains(String.valueOf(folder.getFileName()))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (file.toString().endsWith(".md")) {
                    String path = root.relativize(file).toString().replace('\\', '/');
                    pages.put(path, Page.of(path, Files.readString(file)));
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    Page page(String path) {
        Page page = pages.get(path);
        if (page == null) {
            throw new IllegalArgumentException(path + " is no Markdown file of the repository");
        }
        return page;
    }

    /** The pages of the site: those of the root and of {@code docs}. */
    Collection<Page> published() {
        return pages.values().stream().filter(page -> isPublished(page.path())).toList();
    }

    /** The pages directly in a folder. */
    List<Page> in(String folder) {
        return published().stream()
                .filter(page -> page.path()
                        .substring(0, Math.max(0, page.path().lastIndexOf('/')))
                        .equals(folder))
                .toList();
    }

    private static boolean isPublished(String path) {
        return path.startsWith("docs/") || !path.contains("/");
    }

    /**
     * Turns the links of all pages into those of the site, which have titles for file names. Returns the links that lead
     * nowhere.
     */
    List<String> resolve() {
        for (Page page : pages.values()) {
            for (Link link : page.links()) {
                if (link.getFirstChild() instanceof Text name
                        && name.getLiteral().matches("[\\w./-]+\\.md")) {
                    Page meant = pages.get(path(page.path(), link.getDestination()));
                    name.setLiteral(meant == null ? name.getLiteral() : meant.title());
                }
                link.setDestination(href(page.path(), link.getDestination()));
            }
        }
        return broken;
    }

    /** The file that a link of a file leads to, from the root of the repository. */
    String path(String from, String link) {
        Path found =
                root.resolve(from).resolveSibling(link.replaceFirst("#.*", "")).normalize();
        return root.relativize(found).toString().replace('\\', '/');
    }

    /** The address, seen from the page of a file, that a link of that file means. */
    String href(String from, String link) {
        if (link.matches("[a-z]+:.*")) {
            return link;
        }
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        String anchor = hash < 0 ? "" : link.substring(hash + 1);
        Path found = file.isEmpty()
                ? root.resolve(from)
                : root.resolve(from).resolveSibling(file).normalize();
        if (!found.startsWith(root) || !Files.exists(found)) {
            broken.add(from + ": " + link + ": no such file");
            return link;
        }
        String path = root.relativize(found).toString().replace('\\', '/');
        Page page = pages.get(path);
        if (page != null && !anchor.isEmpty() && !page.hasAnchor(anchor)) {
            broken.add(from + ": " + link + ": no such heading");
        }
        String up = up(from);
        String suffix = anchor.isEmpty() ? "" : "#" + anchor;
        if (page != null && isPublished(path)) {
            return file.isEmpty() ? suffix : up + page.target() + suffix;
        }
        if (Files.isDirectory(found)) {
            return in(path).isEmpty() ? sources + "/tree/main/" + path : up + Page.target(path + "/README.md");
        }
        return sources + "/blob/main/" + path + suffix;
    }

    /** The address, seen from the page of a file, of a file that is named from the root of the repository. */
    String hrefFromRoot(String from, String file) {
        return href(from, up(from) + file);
    }

    /** The way from the page of a file to the root of the site. */
    static String up(String from) {
        return "../".repeat((int) from.chars().filter(c -> c == '/').count());
    }
}
