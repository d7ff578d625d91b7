package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.ServerReport.Verdict;
import io.holdfast.lock.spi.Survey;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Surveys of servers that answer what no server should: each ends, with what can be told. */
class SurveyTest {

    private static final Script ASKING = new Script("rights", "return {}");
    private static final Survey.Names NAMES = new Survey.Names(List.of("holdfast:diagnosis"), "holdfast:diagnosis");
    private static final Survey SURVEY = new Survey(ASKING, slot -> NAMES, List.of("get KEY"), List.of("get"));

    private static final String NO_ANSWER = "";

    /** What a server of today answers, whose script tells of none but one right. */
    private static final Map<String, String> GOOD = Map.of(
            "INFO",
            bulk("# Server\r\nredis_version:7.0.15\r\nrole:master\r\n"),
            "CONFIG",
            "*2\r\n" + bulk("lua-time-limit") + bulk("5000"),
            "TIME",
            "*2\r\n" + bulk("1000") + bulk("5"),
            "EVALSHA",
            "-NOSCRIPT No matching script.\r\n",
            "EVAL",
            FakeServer.numbered(1, "*1\r\n:1\r\n"),
            "SCRIPT",
            bulk("0".repeat(40)));

    @Test
    void whatAServerTellsIsInTheReport() throws Exception {
        ServerReport report = reportOf(Map.of());
        assertThat(report.unreachable()).isNull();
        assertThat(report.info("redis_version")).isEqualTo("7.0.15");
        assertThat(report.settings()).containsOnly(Map.entry("lua-time-limit", "5000"));
        assertThat(report.clock()).isNotNull().satisfies(clock -> assertThat(clock.serverMicros())
                .isEqualTo(1_000_000_005L));
        assertThat(report.rights())
                .containsEntry("get", Verdict.ALLOWED)
                .containsEntry("client|kill", Verdict.ALLOWED)
                .containsEntry("script|load", Verdict.ALLOWED)
                .containsEntry("evalsha", Verdict.ALLOWED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"INFO", "TIME", "EVAL"})
    void aServerThatFallsSilentAtOnceIsReported(String question) throws Exception {
        ServerReport report = reportOf(Map.of(question, NO_ANSWER), Duration.ofSeconds(1));
        assertThat(report.unreachable()).isNotNull().matches(fault -> fault.kind()
                .isTransient());
        assertThat(report.info()).isEmpty();
    }

    @Tag("proof")
    @Test
    void aServerThatFallsSilentHalfWayIsReportedWithWhatItSaid() throws Exception {
        ServerReport report = reportOf(Map.of("SCRIPT", NO_ANSWER));
        assertThat(report.unreachable()).isNotNull();
        assertThat(report.info("redis_version")).isEqualTo("7.0.15");
        assertThat(report.clock()).isNotNull();
        assertThat(report.right("get")).isEqualTo(Verdict.ALLOWED);
        assertThat(report.right("script|load")).isEqualTo(Verdict.UNKNOWN);
    }

    /** An attempt to connect that runs out of time knows why, and that is what an operator is told. */
    @Test
    void aHandshakeWithoutAnAnswerIsReportedAsOne() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                TestNode node = TestNode.lazy(
                        TestNode.settings("redis://127.0.0.1:" + silent.getLocalPort(), Duration.ofSeconds(1)))) {
            assertThat(survey(node).get(40, TimeUnit.SECONDS)).singleElement().satisfies(report -> assertThat(
                            report.unreachable())
                    .isNotNull()
                    .matches(fault -> fault.detail().contains("no answer to the handshake within ")));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+OK\r\n",
                ":-1\r\n",
                "$-1\r\n",
                "*0\r\n",
                "*-1\r\n",
                "*2\r\n+a\r\n+b\r\n",
                "*2\r\n*0\r\n*1\r\n:1\r\n",
                "*2\r\n:9223372036854775807\r\n:9223372036854775807\r\n",
                "*3\r\n:1\r\n:2\r\n:3\r\n",
                "-ERR no\r\n",
                "-NOPERM no\r\n",
                "%1\r\n+a\r\n+b\r\n",
                "#t\r\n",
                ",1.5\r\n"
            })
    void noAnswerIsTooOddToReport(String odd) throws Exception {
        for (String question : GOOD.keySet()) {
            assertThat(reportOf(Map.of(question, odd)).unreachable())
                    .as(question)
                    .isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INFO", "EVAL"})
    void aServerThatDoesNoWorkNowIsReportedWithItsWords(String question) throws Exception {
        ServerReport report = reportOf(Map.of(question, "-BUSY Redis is busy running a script.\r\n"));
        assertThat(report.unreachable()).isNotNull().matches(fault -> fault.kind() == Kind.BUSY);
    }

    @Test
    void aDatabaseThatIsRefusedIsAFault() throws Exception {
        try (FakeServer server = FakeServer.start(
                        command -> answer(Map.of("SELECT", "-NOPERM this user has no permissions\r\n"), command));
                TestNode node = TestNode.lazy(TestNode.settings(server.url() + "/3"))) {
            assertThat(survey(node).get(40, TimeUnit.SECONDS))
                    .singleElement()
                    .satisfies(report ->
                            assertThat(report.unreachable()).isNotNull().matches(fault -> fault.kind() == Kind.NOPERM));
        }
    }

    @Test
    void aTextOfAnyLengthEndsTheSurvey() throws Exception {
        String tooLong = "x".repeat(9 << 20);
        ServerReport report = reportOf(Map.of("INFO", bulk(tooLong)));
        assertThat(report.unreachable()).isNull();
        assertThat(report.info()).isEmpty();
    }

    @Test
    void wordsThatAreNoRespAreAFault() throws Exception {
        ServerReport report = reportOf(Map.of("TIME", "half past ten\r\n"));
        assertThat(report.unreachable()).isNotNull();
    }

    @Test
    void replicasAreAskedWhereTheAddressIsOne() throws Exception {
        String named = "role:master\r\n"
                + "slave0:ip=10.0.0.1,port=1,state=online,offset=1,lag=0\r\n"
                + "slave1:ip=,port=1,state=online\r\n"
                + "slave2:port=1\r\n"
                + "slave3:ip=10.0.0.2,port=70000\r\n"
                + "slave4:ip=../../etc,port=1\r\n"
                + "slave5:ip=10.0.0.3,port=2,ip=10.0.0.4\r\n"
                + "slave7:ip=10.0.0.5,port=2\r\n";
        ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
        try (FakeServer primary = FakeServer.start(command -> answer(Map.of("INFO", bulk(named)), command));
                FakeServer replica = FakeServer.start(command -> answer(Map.of(), command));
                TestNode node = TestNode.lazy(TestNode.settings(primary.url()), place -> {
                    asked.add(place.host() + ":" + place.port());
                    return TestNode.settings(replica.url());
                })) {
            assertThat(survey(node).get(40, TimeUnit.SECONDS)).hasSize(1 + 2);
        }
        assertThat(asked).containsExactly("10.0.0.1:1", "10.0.0.3:2");
    }

    /** More would make a client a weapon. */
    @Test
    void noMoreThanSixteenReplicasAreAsked() throws Exception {
        StringBuilder named = new StringBuilder("role:master\r\n");
        for (int i = 0; i < 100; i++) {
            named.append("slave").append(i).append(":ip=10.0.0.1,port=1\r\n");
        }
        try (FakeServer primary = FakeServer.start(command -> answer(Map.of("INFO", bulk(named.toString())), command));
                FakeServer replica = FakeServer.start(command -> answer(Map.of(), command));
                TestNode node =
                        TestNode.lazy(TestNode.settings(primary.url()), place -> TestNode.settings(replica.url()))) {
            assertThat(survey(node).get(40, TimeUnit.SECONDS)).hasSize(1 + 16);
        }
    }

    @Test
    void aDefectEndsTheSurvey() throws Exception {
        String named = "role:master\r\nslave0:ip=10.0.0.1,port=1\r\n";
        try (FakeServer primary = FakeServer.start(command -> answer(Map.of("INFO", bulk(named)), command));
                TestNode node = TestNode.lazy(TestNode.settings(primary.url()), SurveyTest::fail)) {
            assertThatThrownBy(() -> survey(node).get(40, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("a defect");
        }
    }

    private static ConnectionSettings fail(Object place) {
        throw new IllegalStateException("a defect at " + place);
    }

    private static ServerReport reportOf(Map<String, String> otherwise) throws Exception {
        return reportOf(otherwise, Duration.ofSeconds(3));
    }

    private static ServerReport reportOf(Map<String, String> otherwise, Duration connectTimeout) throws Exception {
        try (FakeServer server = FakeServer.start(command -> answer(otherwise, command));
                TestNode node = TestNode.lazy(TestNode.settings(server.url(), connectTimeout))) {
            List<ServerReport> reports = survey(node).get(40, TimeUnit.SECONDS);
            assertThat(reports).hasSize(1);
            assertThat(reports.get(0).node()).contains(":" + server.port());
            return reports.get(0);
        }
    }

    private static CompletableFuture<List<ServerReport>> survey(TestNode node) {
        return node.node.survey(SURVEY).toCompletableFuture();
    }

    private static String answer(Map<String, String> otherwise, List<String> command) {
        String name = command.get(0);
        String good = GOOD.getOrDefault(name, "+OK\r\n");
        return otherwise.getOrDefault(name, good);
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }
}
