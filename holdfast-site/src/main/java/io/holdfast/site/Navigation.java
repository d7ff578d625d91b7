package io.holdfast.site;

import static io.holdfast.site.JavaCode.escaped;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.commonmark.node.Link;
import org.commonmark.node.Node;

/** The list of all pages, in the order and under the headings of the index of the documents. */
final class Navigation {

    private static final String FIRST = "Start here";

    private final Documents documents;
    private final String index;
    private final Map<String, Map<String, String>> groups = new LinkedHashMap<>();
    private final Map<String, String> folders = new LinkedHashMap<>();

    Navigation(Documents documents, String index) {
        this.documents = documents;
        this.index = index;
        Page page = documents.page(index);
        Map<Node, String> headings = new LinkedHashMap<>();
        page.sections().stream()
                .filter(part -> part.level() == 2)
                .forEach(part -> headings.put(part.heading(), part.title()));
        Set<String> listed = new HashSet<>();
        for (Link link : page.links()) {
            Node block = link;
            while (block != page.document() && block.getParent() != page.document()) {
                block = block.getParent();
            }
            while (block != null && !headings.containsKey(block)) {
                block = block.getPrevious();
            }
            String path = documents.path(index, link.getDestination());
            if (listed.add(path)) {
                groups.computeIfAbsent(headings.getOrDefault(block, FIRST), group -> new LinkedHashMap<>())
                        .put(path, title(path, Page.textOf(link)));
            }
        }
    }

    private String title(String path, String text) {
        if (path.equals("README.md")) {
            return "Getting started";
        }
        if (path.endsWith(".md")) {
            return documents.page(path).title();
        }
        String title = Character.toUpperCase(text.charAt(0)) + text.substring(1);
        folders.put(path, title);
        return title;
    }

    /** The folders in the index, with their titles. */
    Map<String, String> folders() {
        return folders;
    }

    /** The pages under {@code docs} that neither the index nor one of its folders has. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (Page page : documents.published()) {
            String path = page.path();
            boolean isListed = path.equals(index)
                    || groups.values().stream().anyMatch(group -> group.containsKey(path))
                    || folders.containsKey(path.substring(0, Math.max(0, path.lastIndexOf('/'))));
            if (path.startsWith("docs/") && !isListed) {
                missing.add(path + ": not in " + index);
            }
        }
        return missing;
    }

    /** The list on a page, which it marks. */
    String html(String current) {
        StringBuilder html = new StringBuilder();
        groups.forEach((heading, entries) -> {
            html.append("<h2>").append(escaped(heading)).append("</h2>\n<ul>\n");
            entries.forEach((path, title) -> {
                boolean isHere = path.equals(current) || (path + "/README.md").equals(current);
                html.append("<li><a href=\"")
                        .append(documents.hrefFromRoot(current, path))
                        .append(isHere ? "\" aria-current=\"page\">" : "\">")
                        .append(escaped(title))
                        .append("</a></li>\n");
            });
            html.append("</ul>\n");
        });
        return html.toString();
    }
}
