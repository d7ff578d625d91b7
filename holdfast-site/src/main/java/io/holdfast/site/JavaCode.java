package io.holdfast.site;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Java as HTML, with marks for comments, strings, annotations and keywords. */
final class JavaCode {

    private static final Pattern TOKEN = Pattern.compile("(?<comment>//[^\n]*|/\\*(?s:.*?)\\*/)"
            + "|(?<string>\"(?:\\\\.|[^\"\\\\\n])*\")"
            + "|(?<annotation>@\\w+)"
            + "|(?<keyword>\\b(?:abstract|boolean|break|byte|case|catch|class|continue|default|do|double|else|enum|extends"
            + "|false|final|finally|for|if|implements|import|instanceof|int|interface|long|new|null|package|private"
            + "|protected|public|record|return|static|super|switch|this|throw|throws|true|try|var|void|while)\\b)");

    private JavaCode() {}

    static String html(String code) {
        Matcher token = TOKEN.matcher(code);
        StringBuilder html = new StringBuilder();
        int end = 0;
        while (token.find()) {
            String kind = token.group("comment") != null
                    ? "comment"
                    : token.group("string") != null
                            ? "string"
                            : token.group("annotation") != null ? "annotation" : "keyword";
            html.append(escaped(code.substring(end, token.start())))
                    .append("<span class=\"")
                    .append(kind)
                    .append("\">")
                    .append(escaped(token.group()))
                    .append("</span>");
            end = token.end();
        }
        return html.append(escaped(code.substring(end))).toString();
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
