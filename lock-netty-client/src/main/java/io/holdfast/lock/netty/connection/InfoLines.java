package io.holdfast.lock.netty.connection;

/** What servers tell of themselves in lines, as {@code INFO} has them, or in words. */
final class InfoLines {

    private InfoLines() {}

    /** What follows a name in the first line that begins with it; empty if none does. */
    static String field(String lines, String name) {
        return field(lines, name, '\n');
    }

    /** What follows a name in the one of several fields that begins with it; empty if none does. */
    static String field(String fields, String name, char separator) {
        int start = 0;
        while (start < fields.length()) {
            int end = fields.indexOf(separator, start);
            if (end < 0) {
                end = fields.length();
            }
            if (fields.startsWith(name, start)) {
                return fields.substring(start + name.length(), end).trim();
            }
            start = end + 1;
        }
        return "";
    }
}
