package io.holdfast.lock.tests.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.testkit.CertifiedKey;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.testkit.ServerTls;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.LibraryLog;
import io.holdfast.lock.tests.support.LiveObjects;
import io.holdfast.lock.tests.support.OurConnections;
import io.holdfast.lock.tests.support.Site;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Passwords of all kinds have one word in common, and it is looked for in all that a client shows: in the text of each object
 * that it is made of, records among them, in each exception with its causes, and in each line of its log, from TRACE on.
 */
class SecretsInSightTest {

    private static final String SECRET = "canary";
    private static final int LEAST_SHOWN = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<String> shown = new ArrayList<>();

    @TempDir
    Path directory;

    private LibraryLog log;

    @BeforeEach
    void listen() {
        log = new LibraryLog(Level.TRACE);
    }

    @AfterEach
    void noneIsShown() {
        log.close();
        shown.addAll(log.everything());
        assertThat(shown).hasSizeGreaterThanOrEqualTo(LEAST_SHOWN);
        assertThat(shown.stream().filter(text -> text.contains(SECRET))).isEmpty();
    }

    @Test
    void ofAnAddress() throws Exception {
        try (RedisServer server = server()) {
            String address = "127.0.0.1:" + server.port();
            ClientOptions options =
                    patient().address("redis://app:canary-1@" + address + "/3").build();
            try (LockClient client = LockClient.connect(options)) {
                use(server, client, options);
            }
            refused(() -> LockClient.connect("redis://app:canary-2@" + address));
            refused(() -> LockClient.connect("redis://canary-3:canary-3@" + address));
            refused(() -> LockClient.connect("redis://:canary@127.0.0.1:0"));
        }
    }

    @Tag("proof")
    @Test
    void ofAFile() throws Exception {
        Path properties = directory.resolve("holdfast.properties");
        Path password = Files.writeString(directory.resolve("password"), "canary-1");
        try (RedisServer server = server()) {
            String address = "127.0.0.1:" + server.port();
            List<String> texts = List.of(
                    "address = redis://app:canary-1@" + address,
                    "address = redis://" + address + "\nuser = app\npassword = canary-1",
                    "address = redis://" + address + "\nuser = app\npasswordFile = " + password);
            for (String text : texts) {
                ClientOptions options =
                        ClientOptions.fromFile(Files.writeString(properties, text + "\ncommandTimeout = 20 s"));
                try (LockClient client = LockClient.connect(options)) {
                    use(server, client, options);
                }
            }
            Files.writeString(properties, texts.get(0) + "\nheartbeat = soon");
            refused(() -> ClientOptions.fromFile(properties));
            Files.writeString(properties, texts.get(1) + "\nuser = canary");
            refused(() -> ClientOptions.fromFile(properties));
        }
    }

    @Tag("proof")
    @Test
    void ofAQuorum() throws Exception {
        try (RedisServer first = server();
                RedisServer second = server()) {
            List<String> urls = List.of(
                    "redis://app:canary-1@127.0.0.1:" + first.port(),
                    "redis://app:canary-1@127.0.0.1:" + second.port());
            ClientOptions options = patient().build();
            try (LockClient client = LockClient.connectQuorum(urls, options, Site.PATIENT)) {
                use(first, client, options);
            }
            refused(() -> LockClient.connectQuorum(List.of(urls.get(0), "canary"), options, Site.PATIENT));
        }
    }

    @Test
    @Tag("proof")
    void ofServersSentinelsKeysAndStores() throws Exception {
        try (SentinelGroup group = SentinelGroup.builder()
                .downAfter(Duration.ofMillis(1_500))
                .tls(TlsMode.MUTUAL)
                .password("canary-1")
                .sentinelPassword("canary-2")
                .start()) {
            ServerTls ofGroup = group.primary().tls();
            CertifiedKey party = ofGroup.authority().client("party");
            Path trust = ofGroup.authority().writeStore(directory.resolve("trust.p12"), "PKCS12", "canary-3");
            Path keys = party.writeStore(directory.resolve("keys.p12"), "PKCS12", "canary-4");
            TlsOptions tls = TlsOptions.builder()
                    .trustStore(trust, "canary-3")
                    .keyStore(keys, "canary-4")
                    .build();
            ClientOptions options = patient()
                    .tls(tls)
                    .credentials(CredentialsProvider.of(Credentials.ofPassword("canary-1")))
                    .sentinel(SentinelOptions.builder()
                            .credentials(CredentialsProvider.of(Credentials.ofPassword("canary-2")))
                            .build())
                    .build();
            try (LockClient client = LockClient.connect(group.url(), options)) {
                use(group.primary(), client, options);
                RedisServer old = group.primary();
                group.failOver();
                OurConnections.awaitNoneAt(old);
                use(group.primary(), client, options);
            }
            CredentialsProvider wrong = CredentialsProvider.of(Credentials.ofPassword("canary-5"));
            refused(() -> LockClient.connect(
                    group.url(), options.toBuilder().credentials(wrong).build()));
            refused(() -> LockClient.connect(
                    group.url(),
                    options.toBuilder()
                            .sentinel(
                                    SentinelOptions.builder().credentials(wrong).build())
                            .build()));
            refused(() -> LockClient.connect(
                    group.url(),
                    options.toBuilder()
                            .tls(tls.toBuilder().keyStore(keys, "canary-6").build())
                            .build()));
        }
    }

    @Test
    void theObjectsOfAClientAreFound() {
        record Hidden(String password) {}
        assertThat(LiveObjects.from(ClientOptions.defaults()).stream().map(Object::getClass))
                .contains(TlsOptions.class, SentinelOptions.class);
        assertThat(new Hidden(SECRET).toString())
                .as("what a record shows by itself")
                .contains(SECRET);
        shown.addAll(Collections.nCopies(LEAST_SHOWN, "nothing"));
    }

    /** A release whose connection is cut has time to be repeated. */
    private static ClientOptions.Builder patient() {
        return Clients.quick().commandTimeout(PATIENCE);
    }

    private static RedisServer server() {
        RedisServer server = RedisServer.start();
        try (RawRedis raw = server.connect()) {
            raw.command("ACL", "SETUSER", "app", "on", ">canary-1", "+@all", "~*", "&*");
        }
        return server;
    }

    /** Notes all that a client shows: at rest, with a lock and a waiter, and after its connections were cut. */
    private void use(RedisServer server, LockClient client, ClientOptions options) throws Exception {
        try (LockHold hold = client.getLock("stock").acquire()) {
            RFuture<LockHold> waiting = client.getLock("stock").acquireAsync();
            await().atMost(PATIENCE).until(() -> client.inspect("stock").localWaiters() == 1);
            look(client, options, hold, waiting);
            try (RawRedis raw = server.connect()) {
                raw.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
                raw.command("CLIENT", "KILL", "TYPE", "pubsub");
            }
            look(client, options, hold, waiting);
            waiting.cancel(true);
        }
        Futures.get(client.getLock("stock").acquireAsync()).close();
        look(client, options);
    }

    private void look(Object... roots) {
        List<Object> objects = LiveObjects.from(roots);
        assertThat(objects)
                .as("objects of a client, of which some have a secret to keep")
                .hasSizeGreaterThan(50)
                .anyMatch(object -> LiveObjects.texts(object).anyMatch(text -> text.contains(SECRET)));
        for (Object object : objects) {
            shown.add(object.getClass().getName() + " " + object);
        }
    }

    private void refused(ThrowingCallable call) {
        Throwable failure = catchThrowable(call);
        assertThat(failure).isNotNull();
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        shown.add(text.toString());
        LiveObjects.from(failure).forEach(object -> shown.add(object.toString()));
    }
}
