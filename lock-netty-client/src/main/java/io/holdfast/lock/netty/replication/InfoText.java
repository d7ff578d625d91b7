package io.holdfast.lock.netty.replication;

import org.jspecify.annotations.Nullable;

/** What INFO says, read line by line. */
final class InfoText {

    private static final String ON_LINE = "state=online";

    private InfoText() {}

    /** What follows a name at the beginning of a line; empty if no line begins with it. */
    static String field(@Nullable String info, String name) {
        return lines(info)
                .lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).trim())
                .findFirst()
                .orElse("");
    }

    /** How many replicas have caught up so far that they are sent what is written. */
    static int replicasOnLine(@Nullable String info) {
        return (int) lines(info).lines().filter(InfoText::isReplicaOnLine).count();
    }

    private static boolean isReplicaOnLine(String line) {
        return line.startsWith("slave") && line.contains(ON_LINE);
    }

    private static String lines(@Nullable String info) {
        return info == null ? "" : info;
    }
}
