package io.holdfast.lock.testkit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A server's settings and users as they were right after its start, to return to between tests. */
record Pristine(Map<String, String> config, List<String> users) {
    /** Of a server that never answered. */
    static final Pristine UNKNOWN = new Pristine(Map.of(), List.of());

    static Pristine of(RawRedis connection) {
        return new Pristine(connection.map("CONFIG", "GET", "*"), connection.list("ACL", "LIST"));
    }

    /** What a server follows is no setting that could be set. */
    private static final Set<String> ROLE = Set.of("replicaof", "slaveof");

    /**
     * Settings come before the data: some of them would refuse to have the data flushed. A replica in a cluster gets rid of its
     * data with its master only.
     */
    void restore(RawRedis connection) {
        connection.command("CLIENT", "UNPAUSE");
        if (!config.getOrDefault("cluster-enabled", "no").equals("yes")) {
            connection.command("REPLICAOF", "NO", "ONE");
        }
        restoreUsers(connection);
        connection.map("CONFIG", "GET", "*").forEach((name, value) -> {
            String wanted = config.getOrDefault(name, value);
            if (!wanted.equals(value) && !ROLE.contains(name)) {
                connection.command("CONFIG", "SET", name, wanted);
            }
        });
        if ("master".equals(connection.info("replication").get("role"))) {
            connection.command("FLUSHALL");
        }
        connection.command("SCRIPT", "FLUSH");
        connection.command("CONFIG", "RESETSTAT");
    }

    private void restoreUsers(RawRedis connection) {
        if (connection.list("ACL", "LIST").equals(users)) {
            return;
        }
        Set<String> known = new HashSet<>();
        for (String user : users) {
            List<String> words = List.of(user.split(" "));
            known.add(words.get(1));
            List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", words.get(1), "reset"));
            command.addAll(words.subList(2, words.size()));
            connection.command(command.toArray(String[]::new));
        }
        for (String user : connection.list("ACL", "USERS")) {
            if (!known.contains(user)) {
                connection.command("ACL", "DELUSER", user);
            }
        }
    }
}
