package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.text.Json;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page in a real Chromium without a window, by its DevTools protocol. */
final class Browser implements AutoCloseable {

    private static final Pattern DEVTOOLS = Pattern.compile("DevTools listening on ws://([^/]+)/");
    private static final Pattern SOCKET = Pattern.compile("\"webSocketDebuggerUrl\": *\"([^\"]+)\"");
    private static final Pattern ID = Pattern.compile("\"id\": *(\\d+)");
    private static final Pattern VALUE = Pattern.compile("\"(?:value|data)\": *\"([^\"]*)\"");

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<String, CompletableFuture<String>> answers;

    private Browser(Process process, WebSocket socket, Map<String, CompletableFuture<String>> answers) {
        this.process = process;
        this.socket = socket;
        this.answers = answers;
    }

    /** The executable, if there is one on the path. */
    static Optional<Path> executable() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .flatMap(folder -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static Browser open(String url, Path profile) throws Exception {
        Process process = new ProcessBuilder(
                        executable().orElseThrow().toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .start();
        String address = address(process.inputReader(StandardCharsets.UTF_8));
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest newPage = HttpRequest.newBuilder(URI.create("http://" + address + "/json/new?" + url))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        Matcher page = SOCKET.matcher(
                http.send(newPage, HttpResponse.BodyHandlers.ofString()).body());
        assertThat(page.find()).isTrue();
        Map<String, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
        WebSocket socket = http.newWebSocketBuilder()
                .buildAsync(URI.create(page.group(1)), new Listener(answers))
                .get(20, TimeUnit.SECONDS);
        return new Browser(process, socket, answers);
    }

    private static String address(BufferedReader said) throws IOException {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            Matcher address = DEVTOOLS.matcher(line);
            if (address.find()) {
                Thread drain = new Thread(() -> said.lines().forEach(more -> {}), "browser-output");
                drain.setDaemon(true);
                drain.start();
                return address.group(1);
            }
        }
        throw new AssertionError("Chromium has no DevTools");
    }

    /** What an expression is in the page, as text. */
    String evaluate(String expression) {
        // In base 64, which needs no escapes.
        String answer = call(
                "Runtime.evaluate",
                Map.of("expression", "btoa(unescape(encodeURIComponent(String(" + expression + "))))"));
        return new String(Base64.getDecoder().decode(answer), StandardCharsets.UTF_8);
    }

    /** The page as a picture, so many pixels wide. */
    byte[] picture(int width, int height, boolean dark) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
        evaluate("document.body.offsetWidth");
        return Base64.getDecoder().decode(call("Page.captureScreenshot", Map.of("format", "png")));
    }

    private String call(String method, Map<String, Object> parameters) {
        String id = String.valueOf(ids.incrementAndGet());
        CompletableFuture<String> answer = new CompletableFuture<>();
        answers.put(id, answer);
        socket.sendText(
                "{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + Json.of(parameters) + "}", true);
        try {
            Matcher value = VALUE.matcher(answer.get(30, TimeUnit.SECONDS));
            return value.find() ? value.group(1) : "";
        } catch (Exception failure) {
            throw new AssertionError(method, failure);
        }
    }

    @Override
    public void close() throws InterruptedException {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }

    private static final class Listener implements WebSocket.Listener {

        private final Map<String, CompletableFuture<String>> answers;
        private final StringBuilder text = new StringBuilder();

        Listener(Map<String, CompletableFuture<String>> answers) {
            this.answers = answers;
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                Matcher id = ID.matcher(text);
                CompletableFuture<String> answer = id.find() ? answers.remove(id.group(1)) : null;
                if (answer != null) {
                    answer.complete(text.toString());
                }
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }
    }
}
