package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.assertj.core.api.Assumptions.assumeThatCode;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RedisServer;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page: who may see it, and what it shows. */
class ServeCommandTest {

    private static final String HOSTILE = "<img src=x onerror=alert(1)>";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient http = HttpClient.newHttpClient();
    private RedisServer server;
    private LockClient client;

    @TempDir
    private Path folder;

    @BeforeEach
    void connect() {
        server = RedisServer.start();
        client = LockClient.connect(
                server.url(), ClientOptions.builder().applicationName("orders").build());
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void onlyRequestsThatNameThisHostAreAnswered() throws Exception {
        try (Tool serve = serve()) {
            URI page = page(serve);
            HttpResponse<String> answer = get(page, "");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(policy ->
                            assertThat(policy).contains("default-src 'none'").doesNotContain("unsafe"));
            assertThat(raw(page, "GET / HTTP/1.1\r\nHost: evil.example:" + page.getPort()))
                    .startsWith("HTTP/1.1 421");
            assertThat(raw(page, "POST / HTTP/1.1\r\nHost: localhost")).startsWith("HTTP/1.1 405");
            assertThat(get(page.resolve("/lock"), "").statusCode()).isEqualTo(400);
        }
    }

    @Test
    void otherHostsNeedAToken() throws Exception {
        String word = "0123456789abcdef";
        Path file = Files.writeString(folder.resolve("token"), word + "\n");
        Ran open = Ran.at(server.url(), "serve", "--port", "0", "--bind", "0.0.0.0");
        assertThat(open.status()).isEqualTo(64);
        assertThat(open.err()).contains("--token-file");
        try (Tool serve = serve("--bind", "0.0.0.0", "--token-file", file.toString())) {
            serve.printed("http://");
            URI page = URI.create(serve.out().strip().replace("0.0.0.0", "127.0.0.1"));
            assertThat(get(page, "").statusCode()).isEqualTo(401);
            assertThat(get(page, "Bearer " + word + "x").statusCode()).isEqualTo(401);
            assertThat(get(page, "Bearer " + word).statusCode()).isEqualTo(200);
            HttpResponse<String> first = get(page.resolve("/?token=" + word), "");
            assertThat(first.statusCode()).isEqualTo(302);
            assertThat(first.headers().firstValue("Set-Cookie").orElse("")).contains("HttpOnly", "SameSite=Strict");
        }
    }

    @Test
    void theAddressThatItPrintsIsAnswered() throws Exception {
        String loopback = "0:0:0:0:0:0:0:1";
        assumeThatCode(() -> new ServerSocket(0, 1, InetAddress.getByName(loopback)).close())
                .doesNotThrowAnyException();
        try (Tool serve = serve("--bind", loopback)) {
            URI page = page(serve);
            assertThat(page.getHost()).isEqualTo("[" + loopback + "]");
            assertThat(get(page, "").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aPortThatIsTakenIsSaid() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            Ran serve = Ran.at(server.url(), "serve", "--port", String.valueOf(taken.getLocalPort()));
            assertThat(serve.status()).isEqualTo(1);
            assertThat(serve.err()).contains("port " + taken.getLocalPort());
        }
    }

    /** What is not looked at costs nothing, and what does not change little. */
    @Test
    void theFeedTellsAllLocksAndThenWhatHasChanged() throws Exception {
        LockHold hold = client.getLock(HOSTILE).acquire();
        try (Tool serve = serve("--interval", "200 ms");
                Socket socket = new Socket("127.0.0.1", page(serve).getPort())) {
            socket.getOutputStream()
                    .write("GET /feed HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            StringBuilder told = new StringBuilder();
            read(socket, told, "\"all\":true");
            read(socket, told, "\"name\":\"" + HOSTILE + "\"");
            hold.release();
            read(socket, told, "\"gone\":[\"" + HOSTILE + "\"]");
        }
    }

    /** In a real browser, with the locks coming and going, and the server killed and started again. */
    @Test
    void theBrowserShowsWhatTheStoreHas() throws Exception {
        assumeThat(Browser.executable()).as("no Chromium on the PATH").isPresent();
        List<LockHold> holds = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            holds.add(client.getLock("order:" + (1_000 + i)).acquire());
        }
        holds.add(client.getLock(HOSTILE).acquire());
        try (Tool serve = serve("--interval", "200 ms");
                Browser browser = Browser.open(page(serve).toString(), folder.resolve("profile"))) {
            await().atMost(PATIENCE).until(() -> browser.evaluate("locks.size").equals("301"));
            assertThat(Integer.parseInt(browser.evaluate("document.querySelectorAll('#all .row').length")))
                    .as("rows that exist")
                    .isBetween(5, 60);
            assertThat(browser.evaluate("document.querySelector('#all .row .name').textContent"))
                    .isEqualTo(HOSTILE);
            assertThat(browser.evaluate("document.images.length")).isEqualTo("0");

            browser.evaluate("(select(1), inspect(chosen))");
            await().atMost(PATIENCE).until(() -> browser.evaluate("document.getElementById('facts').innerText")
                    .contains(String.valueOf(holds.get(0).fencingToken())));
            pictures(browser);

            holds.remove(0).release();
            await().atMost(PATIENCE).until(() -> browser.evaluate("locks.size").equals("300"));
            assertThat(browser.evaluate("document.getElementById('events').innerText"))
                    .contains("released");
            browser.evaluate("(at('search').value = '1200', choose())");
            assertThat(browser.evaluate("shown.map((lock) => lock.name)")).isEqualTo("order:1200");

            server.kill();
            await().atMost(PATIENCE)
                    .until(() -> browser.evaluate("at('trouble').innerText").contains(server.host()));
            server.restart();
            await().atMost(PATIENCE)
                    .until(() -> browser.evaluate("at('trouble').hidden").equals("true"));
            await().atMost(PATIENCE).until(() -> browser.evaluate("locks.size").equals("0"));
        }
    }

    /** Kept beside the reports, to be looked at: nothing may be wider than the window. */
    private static void pictures(Browser browser) throws Exception {
        Path pictures = Files.createDirectories(Path.of("target", "pictures"));
        for (int width : new int[] {390, 800, 1440}) {
            for (boolean dark : new boolean[] {false, true}) {
                byte[] picture = browser.picture(width, 800, dark);
                Files.write(pictures.resolve("page-" + width + (dark ? "-dark" : "-light") + ".png"), picture);
                assertThat(ImageIO.read(new ByteArrayInputStream(picture)).getWidth())
                        .isEqualTo(width);
                assertThat(Integer.parseInt(browser.evaluate("document.documentElement.scrollWidth")))
                        .isLessThanOrEqualTo(width);
            }
        }
    }

    private static void read(Socket socket, StringBuilder told, String sought) throws Exception {
        socket.setSoTimeout((int) PATIENCE.toMillis());
        while (told.indexOf(sought) < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as("the feed goes on; so far: %s", told).isNotNegative();
            told.append((char) next);
        }
    }

    private Tool serve(String... more) {
        String[] arguments = new String[3 + more.length];
        arguments[0] = "serve";
        arguments[1] = "--port";
        arguments[2] = "0";
        System.arraycopy(more, 0, arguments, 3, more.length);
        return Tool.start(Map.of("HOLDFAST_URL", server.url()), "", arguments);
    }

    private static URI page(Tool serve) {
        return URI.create(serve.printed("http://").out().strip());
    }

    private HttpResponse<String> get(URI page, String authorization) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(page);
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String raw(URI page, String head) throws Exception {
        try (Socket socket = new Socket("127.0.0.1", page.getPort())) {
            socket.getOutputStream()
                    .write((head + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
