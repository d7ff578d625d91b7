package io.holdfast.site;

import java.util.StringJoiner;

/** What the browser searches: an entry for each section of each page, as a script, which a page on a disk may load. */
final class SearchIndex {

    private final StringJoiner entries = new StringJoiner(",\n", "window.searchIndex = [\n", "\n];\n");

    void add(Page page) {
        int rank = page.path().matches("docs/builders/.*|CHANGELOG\\.md") ? 1 : 0;
        for (Page.Section section : page.sections()) {
            if (section.level() > 0) {
                String address = page.target() + (section.level() == 1 ? "" : "#" + section.anchor());
                entries.add("[" + rank + "," + quoted(address) + "," + quoted(page.title()) + ","
                        + quoted(section.level() == 1 ? "" : section.title()) + "," + quoted(section.text()) + "]");
            }
        }
    }

    String script() {
        return entries.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
