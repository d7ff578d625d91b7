package io.holdfast.lock.netty.topology;

import io.holdfast.lock.netty.resp.RespValue;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * What a server says of itself in {@code INFO replication}.
 *
 * @param node its name in messages
 * @param role {@code master}, {@code slave}, or empty if the server does not say
 * @param history the id of the history of its data, which changes with every promotion; empty if unknown
 * @param formerHistory that of the primary whose replica it was before; empty if unknown or none
 * @param offset how far it is in its history
 */
record Claim(String node, SocketAddress address, String role, String history, String formerHistory, long offset) {

    private static final String NONE = "0".repeat(40);

    static Claim of(String node, SocketAddress address, RespValue answer) {
        String info = answer.isError() ? null : answer.text();
        Map<String, String> fields = new HashMap<>();
        if (info != null) {
            info.lines().forEach(line -> {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    fields.put(
                            line.substring(0, colon), line.substring(colon + 1).strip());
                }
            });
        }
        String former = fields.getOrDefault("master_replid2", "");
        return new Claim(
                node,
                address,
                fields.getOrDefault("role", ""),
                fields.getOrDefault("master_replid", ""),
                former.equals(NONE) ? "" : former,
                number(fields.getOrDefault("master_repl_offset", "")));
    }

    boolean isPrimary() {
        return role.equals("master");
    }

    boolean isSilent() {
        return role.isEmpty();
    }

    private static long number(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException none) {
            return -1;
        }
    }
}
