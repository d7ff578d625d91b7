package io.holdfast.site;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Node;

/** Looks up cells in the tables of a page. */
final class Tables {

    private Tables() {}

    /** The text in a row, by its first cell, and in a column whose heading begins with some text. */
    static String cell(Page page, String row, String column) {
        List<String> found = new ArrayList<>();
        page.document().accept(new AbstractVisitor() {
            @Override
            public void visit(CustomBlock block) {
                if (block instanceof TableBlock) {
                    List<List<String>> rows = rows(block);
                    List<String> headings = rows.get(0);
                    for (List<String> cells : rows) {
                        for (int i = 1; i < cells.size(); i++) {
                            if (cells.get(0).equals(row) && headings.get(i).startsWith(column)) {
                                found.add(cells.get(i));
                            }
                        }
                    }
                }
            }
        });
        if (found.size() != 1) {
            throw new IllegalArgumentException(
                    page.path() + ": '" + row + "', '" + column + "': " + found.size() + " cells (expected: 1)");
        }
        return found.get(0);
    }

    private static List<List<String>> rows(Node table) {
        List<List<String>> rows = new ArrayList<>();
        table.accept(new AbstractVisitor() {
            @Override
            public void visit(CustomNode node) {
                if (node instanceof TableRow) {
                    rows.add(new ArrayList<>());
                } else if (node instanceof TableCell) {
                    rows.get(rows.size() - 1).add(Page.textOf(node).strip());
                }
                visitChildren(node);
            }

            @Override
            public void visit(CustomBlock block) {
                visitChildren(block);
            }
        });
        return rows;
    }
}
