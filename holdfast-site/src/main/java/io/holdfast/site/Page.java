package io.holdfast.site;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;

/** A Markdown file: its path in the repository, its text, its tree, and its sections in order. */
record Page(String path, String markdown, Node document, List<Section> sections) {

    private static final Parser PARSER =
            Parser.builder().extensions(List.of(TablesExtension.create())).build();

    /**
     * A heading and the text up to the next one.
     *
     * @param heading the node; null above the first heading
     * @param anchor the heading's id, as GitHub makes it
     */
    record Section(Heading heading, String anchor, String title, String text) {

        int level() {
            return heading == null ? 0 : heading.getLevel();
        }
    }

    static Page of(String path, String markdown) {
        Node document = PARSER.parse(markdown);
        List<Section> sections = new ArrayList<>();
        Set<String> anchors = new HashSet<>();
        Heading heading = null;
        StringBuilder text = new StringBuilder();
        for (Node block = document.getFirstChild(); block != null; block = block.getNext()) {
            if (block instanceof Heading next) {
                sections.add(section(heading, anchors, text));
                heading = next;
                text = new StringBuilder();
            } else {
                text.append(textOf(block)).append(' ');
            }
        }
        sections.add(section(heading, anchors, text));
        return new Page(path, markdown, document, sections);
    }

    private static Section section(Heading heading, Set<String> anchors, StringBuilder text) {
        String title = heading == null ? "" : textOf(heading).strip();
        String slug = title.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
        String anchor = slug;
        for (int i = 1; !anchors.add(anchor); i++) {
            anchor = slug + "-" + i;
        }
        return new Section(
                heading, anchor, title, text.toString().replaceAll("\\s+", " ").strip());
    }

    /** The first heading. */
    String title() {
        return sections.stream()
                .filter(section -> section.level() == 1)
                .map(Section::title)
                .findFirst()
                .orElse(path);
    }

    boolean hasAnchor(String anchor) {
        return sections.stream()
                .anyMatch(section -> section.level() > 0 && section.anchor().equals(anchor));
    }

    /** The id of each heading. */
    Map<Node, String> anchors() {
        Map<Node, String> anchors = new HashMap<>();
        sections.stream()
                .filter(section -> section.level() > 0)
                .forEach(section -> anchors.put(section.heading(), section.anchor()));
        return anchors;
    }

    List<Link> links() {
        List<Link> links = new ArrayList<>();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                links.add(link);
                visitChildren(link);
            }
        });
        return links;
    }

    /** The name of the page in the site. */
    String target() {
        return target(path);
    }

    static String target(String path) {
        if (path.equals("README.md")) {
            return "start.html";
        }
        return path.replaceFirst("(^|/)README\\.md$", "$1index.html").replaceFirst("\\.md$", ".html");
    }

    /** What is read in a node, without its marks. */
    static String textOf(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(Code code) {
                text.append(code.getLiteral());
            }

            @Override
            public void visit(FencedCodeBlock code) {
                text.append(code.getLiteral());
            }

            @Override
            public void visit(IndentedCodeBlock code) {
                text.append(code.getLiteral());
            }

            @Override
            public void visit(SoftLineBreak end) {
                text.append(' ');
            }

            @Override
            public void visit(Paragraph paragraph) {
                visitChildren(paragraph);
                text.append(' ');
            }

            @Override
            public void visit(CustomNode node) {
                visitChildren(node);
                if (node instanceof TableCell) {
                    text.append(' ');
                }
            }
        });
        return text.toString();
    }
}
