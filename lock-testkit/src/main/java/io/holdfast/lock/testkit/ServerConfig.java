package io.holdfast.lock.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one server is started with, whatever its source; renders the configuration file.
 *
 * @param port where clients come
 * @param plainPort where the test kit comes; the same port unless clients come by TLS
 */
record ServerConfig(
        ServerMode mode,
        int port,
        int plainPort,
        @Nullable ServerTls tls,
        boolean aof,
        List<List<String>> options,
        Duration startTimeout) {

    /** The name of the Unix socket's file, in the server's directory. */
    static final String SOCKET = "server.sock";

    ServerConfig {
        options = List.copyOf(options);
    }

    ServerConfig withPorts(int chosen, int chosenPlain) {
        return new ServerConfig(mode, chosen, chosenPlain, tls, aof, options, startTimeout);
    }

    /** What the server needs beside the configuration file: names of files, and what is in them. */
    Map<String, String> files() {
        return tls == null ? Map.of() : tls.files();
    }

    /** The password that clients have to give, if one is required. */
    Optional<String> password() {
        return options.stream()
                .filter(option -> option.get(0).equals("requirepass"))
                .map(option -> option.get(1))
                .filter(password -> !password.isEmpty())
                .reduce((earlier, later) -> later);
    }

    /**
     * The configuration file. The caller's options come last: the server lets a later line win.
     *
     * @param version decides which options the server would refuse
     * @param bindAddress where the server listens
     * @param directory where the server keeps its files, as the server sees it
     */
    String file(RedisVersion version, String bindAddress, String directory) {
        StringBuilder file = new StringBuilder();
        line(file, List.of("port", String.valueOf(plainPort)));
        if (tls != null) {
            line(file, List.of("tls-port", String.valueOf(port)));
            line(file, List.of("tls-ca-cert-file", directory + "/" + ServerTls.AUTHORITY_FILE));
            line(file, List.of("tls-cert-file", directory + "/" + ServerTls.CERTIFICATE_FILE));
            line(file, List.of("tls-key-file", directory + "/" + ServerTls.KEY_FILE));
            line(file, List.of("tls-auth-clients", tls.mutual() ? "yes" : "no"));
        }
        line(file, List.of("bind", bindAddress));
        line(file, List.of("protected-mode", "no"));
        line(file, List.of("dir", directory));
        line(file, List.of("unixsocket", SOCKET));
        if (mode != ServerMode.SENTINEL) {
            keepData(version, file);
        }
        options.forEach(option -> line(file, option));
        return file.toString();
    }

    private void keepData(RedisVersion version, StringBuilder file) {
        line(file, List.of("save", ""));
        line(file, List.of("appendonly", aof ? "yes" : "no"));
        line(file, List.of("appendfsync", "always"));
        if (version.hasDebugSwitch()) {
            line(file, List.of("enable-debug-command", "yes"));
        }
        if (mode.isClustered()) {
            line(file, List.of("cluster-enabled", "yes"));
            line(file, List.of("cluster-config-file", "nodes.conf"));
            if (tls != null) {
                // The port of the other nodes is counted from that of clients then, as it is without TLS.
                line(file, List.of("tls-cluster", "yes"));
            }
        }
    }

    private static void line(StringBuilder file, List<String> words) {
        file.append(words.get(0));
        file.append(words.stream().skip(1).map(ServerConfig::quote).collect(Collectors.joining(" ", " ", "\n")));
    }

    /** Quotes one word as the server's own parser reads it. */
    private static String quote(String word) {
        return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
