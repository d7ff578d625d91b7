package io.holdfast.lock.examples.redlock;

import io.holdfast.lock.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Independent servers, numbered from 1. They forget everything when they are killed. */
final class Nodes implements AutoCloseable {

    private final List<RedisServer> servers = new ArrayList<>();

    /** Starts so many of them. */
    static Nodes start(int count) {
        Nodes nodes = new Nodes();
        try {
            for (int node = 1; node <= count; node++) {
                nodes.servers.add(RedisServer.start());
            }
            return nodes;
        } catch (RuntimeException failed) {
            nodes.close();
            throw failed;
        }
    }

    List<String> urls() {
        return servers.stream().map(RedisServer::url).toList();
    }

    /** Ends a node's process at once, as a crash would. */
    void kill(int node) {
        servers.get(node - 1).kill();
    }

    /** Starts a killed node again, on its port and without its data. */
    void restart(int node) {
        servers.get(node - 1).restart();
    }

    int alive() {
        return (int) servers.stream().filter(RedisServer::isAlive).count();
    }

    /** {@code 1 2 3 - -}: the nodes that live. */
    String picture() {
        StringBuilder picture = new StringBuilder();
        for (int node = 1; node <= servers.size(); node++) {
            picture.append(node == 1 ? "" : " ").append(servers.get(node - 1).isAlive() ? String.valueOf(node) : "-");
        }
        return picture.toString();
    }

    /** The text with the addresses of nodes replaced by their numbers. */
    String numbered(String text) {
        String numbered = text;
        for (int node = 1; node <= servers.size(); node++) {
            RedisServer server = servers.get(node - 1);
            String address = server.host() + ":" + server.port();
            numbered = numbered.replace(server.host() + "/" + address, "node " + node)
                    .replace(address, "node " + node);
        }
        return numbered;
    }

    @Override
    public void close() {
        servers.forEach(RedisServer::close);
    }

    @Override
    public String toString() {
        String ports =
                servers.stream().map(server -> String.valueOf(server.port())).collect(Collectors.joining(", "));
        return servers.size() + " nodes, started for you: version "
                + servers.get(0).version() + " (" + servers.get(0).source() + ") on ports " + ports;
    }
}
