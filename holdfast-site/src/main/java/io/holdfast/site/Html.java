package io.holdfast.site;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;

/** Markdown as HTML. */
final class Html {

    /** Code with more characters may be broken anywhere. */
    private static final int LONG = 26;

    /** The page with ids and links at its headings, and with tables that scroll by themselves. */
    String body(Page page) {
        Map<Node, String> anchors = page.anchors();
        String html = HtmlRenderer.builder()
                .extensions(List.of(TablesExtension.create()))
                .nodeRendererFactory(Html::code)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    if (anchors.containsKey(node)) {
                        attributes.put("id", anchors.get(node));
                    } else if (node instanceof Code code && code.getLiteral().length() > LONG) {
                        attributes.put("class", "long");
                    }
                })
                .build()
                .render(page.document());
        return html.replace(
                        "<table>", "<div class=\"table\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table>")
                .replace("</table>", "</table></div>")
                .replaceAll(
                        "(<h[2-4] id=\"([^\"]+)\">)(.*?)(</h[2-4]>)",
                        "$1$3 <a class=\"anchor\" href=\"#$2\" aria-label=\"Link to this heading\">#</a>$4");
    }

    /** A part of a page. */
    String render(Node node) {
        return HtmlRenderer.builder().nodeRendererFactory(Html::code).build().render(node);
    }

    private static NodeRenderer code(HtmlNodeRendererContext context) {
        return new NodeRenderer() {
            @Override
            public Set<Class<? extends Node>> getNodeTypes() {
                return Set.of(FencedCodeBlock.class);
            }

            @Override
            public void render(Node node) {
                FencedCodeBlock block = (FencedCodeBlock) node;
                String code = block.getInfo().equals("java")
                        ? JavaCode.html(block.getLiteral())
                        : JavaCode.escaped(block.getLiteral());
                context.getWriter().line();
                context.getWriter().raw("<pre><code>" + code + "</code></pre>");
                context.getWriter().line();
            }
        };
    }
}
