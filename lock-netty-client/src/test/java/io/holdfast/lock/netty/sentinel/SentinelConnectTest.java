package io.holdfast.lock.netty.sentinel;

import static io.holdfast.lock.netty.sentinel.ScriptedGroup.PATIENCE;
import static io.holdfast.lock.netty.sentinel.ScriptedGroup.awaitAnswer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.netty.ClientNode;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.topology.FakeServer;
import io.holdfast.lock.netty.topology.SwallowingAddress;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.Survey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of a client that is being connected, and what Sentinels keep from it. */
@Tag("proof")
class SentinelConnectTest {

    private static final String SECRET = "s3cret-of-the-sentinels";
    /** Longer than any test waits: what ends sooner was not waited for. */
    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void oneThatHangsDelaysNeitherConnectNorASwitch() {
        try (ScriptedGroup group = ScriptedGroup.of(3)) {
            group.get(0).hang();
            try (ClientNode node = ClientNode.connect(
                    group.url(), ClientNode.options().connectTimeout(LONG).build())) {
                awaitAnswer(node, "one");
                await().atMost(PATIENCE).until(() -> group.get(2).hasListener());
                group.all(each -> each.names(group.two, 2));
                group.get(2).tell(group.message());
                awaitAnswer(node, "two");
            }
        }
    }

    @Test
    void whereAllHangConnectFailsInItsTimeAndSaysWhatEachSaid() {
        try (ScriptedGroup group = ScriptedGroup.of(2)) {
            group.all(ScriptedSentinel::hang);
            Fault fault = ClientNode.refusal(
                    group.url(),
                    ClientNode.options().connectTimeout(Duration.ofSeconds(1)).build());
            assertThat(fault.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(fault.detail()).contains("no Sentinel of orders answers");
            group.all(each -> assertThat(fault.detail()).contains(each.address().node()));
        }
    }

    @Test
    void whereNoneListensConnectFailsInItsTimeAndSaysWhatEachSaid() {
        try (ScriptedGroup group = ScriptedGroup.of(2)) {
            group.all(ScriptedSentinel::refuse);
            Fault fault = ClientNode.refusal(
                    group.url(),
                    ClientNode.options().connectTimeout(Duration.ofSeconds(2)).build());
            assertThat(fault.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(fault.detail()).contains("no Sentinel of orders answers", "closed the connection");
            group.all(each -> assertThat(fault.detail()).contains(each.address().node()));
        }
    }

    @Test
    void aPrimaryThatSwallowsPacketsIsNamed() throws Exception {
        try (SwallowingAddress primary = SwallowingAddress.at(InetAddress.getLoopbackAddress(), 0)) {
            assertThePrimaryIsNamed(primary.port());
        }
    }

    @Test
    void aPrimaryThatHangsIsNamed() throws Exception {
        try (ServerSocket primary = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            assertThePrimaryIsNamed(primary.getLocalPort());
        }
    }

    /** By connect, by a call and by a diagnosis, which says nothing of the Sentinels: they are well. */
    private static void assertThePrimaryIsNamed(int port) throws Exception {
        String primary = "127.0.0.1:" + port;
        ClientOptions options =
                ClientNode.options().connectTimeout(Duration.ofSeconds(1)).build();
        Survey survey =
                new Survey(TestNode.ECHO, slot -> new Survey.Names(List.of("key"), "channel"), List.of(), List.of());
        try (ScriptedGroup group = ScriptedGroup.of(2)) {
            group.all(each -> each.names(new Target.Host("127.0.0.1", port), 1));
            assertThatThrownBy(() -> LockClient.connect(group.url(), options))
                    .isInstanceOfSatisfying(LockUnavailableException.class, refusal -> assertThat(refusal.node())
                            .contains(primary))
                    .hasMessageContaining("UNREACHABLE at " + primary + ": no ");
            try (ClientNode node = ClientNode.lazy(group.url(), options)) {
                Probe call = new Probe(TestNode.ECHO, "key", "where", System.nanoTime() + TimeUnit.SECONDS.toNanos(3));
                node.node.send(call);
                assertThat(call.fault().node()).isEqualTo(primary);
                assertThat(node.node.survey(survey).toCompletableFuture().get(30, TimeUnit.SECONDS))
                        .extracting(ServerReport::node)
                        .containsExactly(primary);
            }
        }
    }

    @Test
    void aNameThatNoneWatchesIsRefusedAtOnce() {
        try (ScriptedGroup group = ScriptedGroup.of(3)) {
            group.all(ScriptedSentinel::namesNone);
            Fault fault = refusedAtOnce(group.url());
            assertThat(fault.kind()).isEqualTo(Kind.SERVER_ERROR);
            assertThat(fault.detail())
                    .contains("no primary named orders is known to ", " of 3 Sentinels", "(expected: ");
        }
    }

    /** As when its Sentinels were configured anew. */
    @Test
    void aNameThatIsForgottenForAWhileKeepsItsPrimary() {
        try (ScriptedGroup group = ScriptedGroup.of(3);
                ClientNode node = group.connect()) {
            group.all(ScriptedSentinel::namesNone);
            group.awaitRounds(group.get(0));
            ScriptedGroup.assertNotMoved(node);
            group.failOver();
            awaitAnswer(node, "two");
        }
    }

    @Test
    void aServerThatIsNoSentinelIsRefusedAtOnce() throws IOException {
        try (FakeServer plain = FakeServer.start(command -> command.get(0).equals("PING")
                ? ScriptedSentinel.bulk(command.get(1))
                : "-ERR unknown command '" + command.get(0) + "', with args beginning with: '" + SECRET + "'\r\n")) {
            Fault fault = refusedAtOnce("redis-sentinel://127.0.0.1:" + plain.port() + "/orders");
            assertThat(fault.kind()).isEqualTo(Kind.NOT_REDIS);
            assertThat(fault.detail())
                    .contains("this is no Sentinel", "(expected: the address of a Sentinel)")
                    .doesNotContain(SECRET);
        }
    }

    @Test
    void aWrongPasswordIsRefusedAtOnceAndIsNotShown() {
        try (Logs logs = new Logs();
                ScriptedGroup group = ScriptedGroup.of(3)) {
            group.all(each -> each.says("HELLO", "-WRONGPASS invalid username-password pair " + SECRET + "\r\n"));
            Fault fault = ClientNode.refusal(group.url(), withPassword(SECRET));
            assertThat(fault.kind()).isEqualTo(Kind.WRONGPASS);
            assertThat(fault.toString()).contains("password").doesNotContain(SECRET);
            assertThat(logs.everything()).noneMatch(line -> line.contains(SECRET));
        }
    }

    @Test
    void aPasswordThatIsMissingIsAskedForAtOnce() {
        try (ScriptedGroup group = ScriptedGroup.of(3)) {
            group.all(each -> each.says("HELLO", "-NOAUTH HELLO must be called with the client authenticated\r\n"));
            assertThat(refusedAtOnce(group.url()).kind()).isEqualTo(Kind.NOAUTH);
        }
    }

    @Test
    void aPasswordGoesToTheSentinelsAndNotToTheServer() {
        try (ScriptedGroup group = ScriptedGroup.of(1)) {
            CompletableFuture<String> hello = new CompletableFuture<>();
            group.get(0).says("HELLO", command -> {
                hello.complete(String.join(" ", command));
                return "%1\r\n" + ScriptedSentinel.bulk("mode") + ScriptedSentinel.bulk("sentinel");
            });
            try (ClientNode node = ClientNode.connect(group.url(), withPassword(SECRET))) {
                assertThat(hello).isCompletedWithValue("HELLO 3 AUTH default " + SECRET + " SETNAME test");
                awaitAnswer(node, "one");
            }
        }
    }

    @Test
    void aSentinelThatKnowsNoHelloIsAskedFromTimeToTime() {
        try (ScriptedGroup group = ScriptedGroup.of(3)) {
            group.all(ScriptedSentinel::speaksResp2);
            try (ClientNode node =
                    ClientNode.connect(group.url(), ClientNode.options().build())) {
                group.all(each -> each.names(group.two, 2));
                awaitAnswer(node, "two");
                group.all(each -> assertThat(each.times("SUBSCRIBE")).isZero());
            }
        }
    }

    @Test
    void aUserWhoMayNotListenAsksFromTimeToTime() {
        try (ScriptedGroup group = ScriptedGroup.of(3)) {
            group.all(each -> each.says(
                    "SUBSCRIBE",
                    "-NOPERM this user has no permissions to access one of the channels used as arguments\r\n"));
            try (ClientNode node =
                    ClientNode.connect(group.url(), ClientNode.options().build())) {
                group.all(each -> each.names(group.two, 2));
                awaitAnswer(node, "two");
                group.all(each -> assertThat(each.times("HELLO")).isEqualTo(1));
            }
        }
    }

    /** It still says who the primary is. */
    @Test
    void aUserWhoMayAskForNothingElseHearsOfThePrimary() {
        try (ScriptedGroup group = ScriptedGroup.of(3)) {
            group.all(each -> {
                each.says(ScriptedSentinel.OTHERS, "-NOPERM this user has no permissions\r\n");
                each.says(ScriptedSentinel.OWN_ID, "-NOPERM this user has no permissions\r\n");
            });
            try (ClientNode node = group.connect()) {
                group.failOver();
                awaitAnswer(node, "two");
            }
        }
    }

    @Test
    void aUserWhoMayNotAskIsToldSoAtOnce() {
        try (ScriptedGroup group = ScriptedGroup.of(3)) {
            group.all(each -> each.says(
                    ScriptedSentinel.PRIMARY,
                    "-NOPERM this user has no permissions to run the 'sentinel|master' command\r\n"));
            Fault fault = refusedAtOnce(group.url());
            assertThat(fault.kind()).isEqualTo(Kind.NOPERM);
            assertThat(fault.detail()).contains("sentinel|master");
        }
    }

    @Test
    void aClientThatIsLazyAsksNothingUntilItIsUsed() {
        try (ScriptedGroup group = ScriptedGroup.of(1);
                ClientNode node =
                        ClientNode.lazy(group.url(), ClientNode.options().build())) {
            assertThat(node.echo("where").await()).isEqualTo("one");
            assertThat(group.get(0).times("HELLO")).isEqualTo(1);
        }
    }

    @Test
    void aClientThatIsClosedWhileItConnectsLeavesAllSentinels() {
        try (ScriptedGroup group = ScriptedGroup.of(3)) {
            group.all(ScriptedSentinel::hang);
            ClientNode node = ClientNode.lazy(
                    group.url(), ClientNode.options().connectTimeout(LONG).build());
            node.connecting();
            group.all(each -> await().atMost(PATIENCE).until(() -> each.connections() == 1));
            node.close();
            group.all(ScriptedSentinel::goOn);
            group.all(each -> await().atMost(PATIENCE).until(() -> each.connections() == 0));
        }
    }

    private static Fault refusedAtOnce(String url) {
        return ClientNode.refusal(url, ClientNode.options().connectTimeout(LONG).build());
    }

    private static ClientOptions withPassword(String password) {
        return ClientNode.options()
                .connectTimeout(LONG)
                .sentinel(SentinelOptions.builder()
                        .credentials(CredentialsProvider.of(Credentials.ofPassword(password)))
                        .build())
                .build();
    }
}
