package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An instance of the shop in a process of its own, driven over HTTP. */
final class ShopProcess implements AutoCloseable {

    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final Duration START = Duration.ofMinutes(2);
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = new JsonMapper();

    private final Process process;
    private final Path log;

    private ShopProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Begins to start one, on a port that the system gives it. */
    static ShopProcess start(Path log, String... arguments) {
        return start(log, List.of(), List.of(), arguments);
    }

    /** @param classes before all others on its class path */
    static ShopProcess start(Path log, List<String> options, List<Path> classes, String... arguments) {
        List<String> command = java(options, classes);
        command.add(WatchedShop.class.getName());
        command.add("--server.port=0");
        command.addAll(List.of(arguments));
        try {
            return new ShopProcess(
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start(),
                    log);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** A command that starts a JVM with the class path of this one. */
    static List<String> java(List<String> options, List<Path> classes) {
        List<String> path = new ArrayList<>(classes.stream().map(Path::toString).toList());
        path.add(System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
        command.addAll(options);
        command.addAll(List.of("-cp", String.join(File.pathSeparator, path)));
        return command;
    }

    long pid() {
        return process.pid();
    }

    String log() {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Waits until it has started. */
    int port() {
        Matcher found = await().atMost(START)
                .failFast(
                        "the shop has ended",
                        () -> assertThat(process.isAlive()).as(log()).isTrue())
                .until(() -> PORT.matcher(log()), Matcher::find);
        return Integer.parseInt(found.group(1));
    }

    void fill(String item, int stock) {
        HttpRequest put = request("/items/" + item + "?stock=" + stock)
                .PUT(BodyPublishers.noBody())
                .build();
        send(put).join();
    }

    /** The status of the answer. */
    CompletableFuture<Integer> buy(String item, String buyer, boolean locked) {
        return buy(port(), item, buyer, locked);
    }

    /** Many at once, and the statuses of all answers. */
    List<CompletableFuture<Integer>> buyAtOnce(String item, int buyers, boolean locked) {
        int port = port();
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (int buyer = 0; buyer < buyers; buyer++) {
            answers.add(buy(port, item, "b" + buyer, locked));
        }
        return answers;
    }

    private static CompletableFuture<Integer> buy(int port, String item, String buyer, boolean locked) {
        String path = "/items/" + item + "/sales?buyer=" + buyer + "&locked=" + locked;
        return send(request(port, path).POST(BodyPublishers.noBody()).build()).thenApply(HttpResponse::statusCode);
    }

    JsonNode get(String path) {
        return JSON.readTree(send(request(path).GET().build()).join().body());
    }

    /** As {@code kill -9}; returns once it is gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    private HttpRequest.Builder request(String path) {
        return request(port(), path);
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private static CompletableFuture<HttpResponse<String>> send(HttpRequest request) {
        return HTTP.sendAsync(request, BodyHandlers.ofString()).orTimeout(2, TimeUnit.MINUTES);
    }
}
