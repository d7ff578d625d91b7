package io.holdfast.lock.netty.topology;

import io.holdfast.lock.spi.ServerReport.Move;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a node of a cluster says of all nodes: its answer to {@code CLUSTER NODES}, a line for each.
 *
 * @param moves the slots that it says are on their way from it or to it
 * @param failed the addresses of those that are failed
 */
record NodesText(List<Move> moves, List<String> failed) {

    private static final int ADDRESS = 1;
    private static final int FLAGS = 2;
    private static final int FIRST_SLOT = 8;

    private static final String AWAY = "->-";
    private static final String HERE = "-<-";

    static NodesText parse(String text) {
        Map<String, String> addresses = new HashMap<>();
        List<String[]> lines = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            String[] words = line.trim().split(" ", -1);
            if (words.length >= FIRST_SLOT) {
                lines.add(words);
                addresses.put(words[0], address(words[ADDRESS]));
            }
        }
        List<Move> moves = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        for (String[] words : lines) {
            List<String> flags = List.of(words[FLAGS].split(",", -1));
            if (flags.contains("fail")) {
                failed.add(address(words[ADDRESS]));
            }
            for (int i = FIRST_SLOT; i < words.length && flags.contains("myself"); i++) {
                addMove(words[i], addresses, moves);
            }
        }
        return new NodesText(moves, failed);
    }

    /** Of {@code 127.0.0.1:7000@17000,name} what is before the port for other nodes. */
    private static String address(String word) {
        int bus = word.indexOf('@');
        return bus < 0 ? word : word.substring(0, bus);
    }

    /** Reads {@code [77->-id]} or {@code [77-<-id]}; anything else is a slot of the node's own. */
    private static void addMove(String word, Map<String, String> addresses, List<Move> moves) {
        boolean away = word.contains(AWAY);
        int middle = word.indexOf(away ? AWAY : HERE);
        if (middle < 2 || !word.startsWith("[") || !word.endsWith("]")) {
            return;
        }
        String slot = word.substring(1, middle);
        String other = word.substring(middle + AWAY.length(), word.length() - 1);
        if (slot.matches("[0-9]{1,5}")) {
            moves.add(new Move(Integer.parseInt(slot), away, addresses.getOrDefault(other, other)));
        }
    }
}
