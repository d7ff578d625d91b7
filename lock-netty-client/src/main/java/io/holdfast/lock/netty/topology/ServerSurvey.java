package io.holdfast.lock.netty.topology;

import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.Inquiry;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.netty.connection.LastLogin;
import io.holdfast.lock.netty.connection.NumberedScripts;
import io.holdfast.lock.netty.resp.InfoText;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.ServerReport.Clock;
import io.holdfast.lock.spi.ServerReport.Verdict;
import io.holdfast.lock.spi.Survey;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The questions of a survey to one server: how it is set up, what time it is, and what the user may do there. Rights that its
 * script can't ask for are tried by harmless commands, on a second connection, so that a server of today logs no refusals.
 *
 * <p>All methods are called on the event loop.
 */
final class ServerSurvey {

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Commands that change nothing, for rights that a script may not use. No client has this address. */
    private static final Map<String, String[]> TRIES = tries();

    /** Of each call, since there is one on a connection. */
    private static final String NUMBER = "1";

    private static final int MICROS_OF_SECOND = 1_000_000;

    private final EventLoop loop;
    private final IoLoops loops;
    private final Runtime runtime;
    private final ConnectionSettings settings;
    private final Survey survey;
    private final Consumer<ServerReport> result;
    private final LastLogin lastLogin = new LastLogin();
    private final Map<String, Verdict> rights = new HashMap<>();
    private @Nullable Inquiry inquiry;

    /** @param result hears once, unless this is cancelled */
    ServerSurvey(
            EventLoop loop,
            IoLoops loops,
            Runtime runtime,
            ConnectionSettings settings,
            Survey survey,
            Consumer<ServerReport> result) {
        this.loop = loop;
        this.loops = loops;
        this.runtime = runtime;
        this.settings = settings;
        this.survey = survey;
        this.result = result;
    }

    private static Map<String, String[]> tries() {
        Map<String, String[]> tries = new LinkedHashMap<>();
        tries.put("client|id", new String[] {"CLIENT", "ID"});
        tries.put("client|info", new String[] {"CLIENT", "INFO"});
        tries.put("client|kill", new String[] {"CLIENT", "KILL", "ID", "1", "ADDR", "0.0.0.0:0"});
        tries.put("script|load", new String[] {"SCRIPT", "LOAD", "return 1"});
        return tries;
    }

    void begin() {
        List<String[]> questions = new ArrayList<>();
        questions.add(new String[] {"INFO"});
        questions.add(new String[] {"CONFIG", "GET", "lua-time-limit"});
        questions.add(new String[] {"TIME"});
        // In the form in which an administrator may have loaded it.
        Script script = new NumberedScripts().of(survey.script());
        questions.add(scriptCall("EVALSHA", script.sha1()));
        questions.add(scriptCall("EVAL", script.source()));
        ask(questions, this::answered);
    }

    void cancel() {
        if (inquiry != null) {
            inquiry.cancel();
        }
    }

    private String[] scriptCall(String command, String script) {
        List<String> words = new ArrayList<>(List.of(command, script, "1", survey.key(), survey.channel()));
        words.addAll(survey.commands());
        words.add(NUMBER);
        return words.toArray(String[]::new);
    }

    /** In the client's database: a key that is free there may be in use elsewhere. */
    private void ask(List<String[]> questions, Consumer<Inquiry.Answers> then) {
        List<String[]> all = new ArrayList<>();
        all.add(new String[] {"SELECT", Integer.toString(settings.server().database())});
        all.addAll(questions);
        long budgetNanos = Math.min(LONGEST_NANOS, settings.connectTimeoutNanos());
        inquiry = Inquiry.begin(
                loop, loops, settings, runtime, lastLogin, budgetNanos, false, new Asker(then), List.copyOf(all));
    }

    private void answered(Inquiry.Answers answers) {
        List<RespValue> values = answers.values();
        RespValue info = values.get(1);
        RespValue config = values.get(2);
        RespValue time = values.get(3);
        RespValue byDigest = values.get(4);
        RespValue byText = values.get(5);
        rights.putAll(RightsAnswer.ofScript(survey.rights(), byDigest.isError() ? byText : byDigest));
        rights.put("info", RightsAnswer.ofTry(info));
        rights.put("config|get", RightsAnswer.ofTry(config));
        rights.put("evalsha", RightsAnswer.ofTry(byDigest));
        rights.put("eval", RightsAnswer.ofTry(byText));
        ServerReport report = new ServerReport(
                settings.at(answers.server()).node(),
                null,
                InfoText.fields(info.isError() ? null : info.text()),
                settingsOf(config),
                Map.of(),
                clock(time, answers));
        List<String> untold = TRIES.keySet().stream()
                .filter(right -> rights.getOrDefault(right, Verdict.UNKNOWN) == Verdict.UNKNOWN)
                .toList();
        if (untold.isEmpty()) {
            tell(report);
        } else {
            ask(untold.stream().map(TRIES::get).toList(), tried -> tried(report, untold, tried));
        }
    }

    private void tried(ServerReport report, List<String> tries, Inquiry.Answers answers) {
        for (int i = 0; i < tries.size(); i++) {
            rights.put(tries.get(i), RightsAnswer.ofTry(answers.values().get(i + 1)));
        }
        tell(report);
    }

    private void tell(ServerReport report) {
        result.accept(new ServerReport(report.node(), null, report.info(), report.settings(), rights, report.clock()));
    }

    private static Map<String, String> settingsOf(RespValue config) {
        Map<String, String> settings = new HashMap<>();
        for (int i = 0; i + 1 < config.size(); i += 2) {
            settings.put(String.valueOf(config.text(i)), String.valueOf(config.text(i + 1)));
        }
        return settings;
    }

    private static @Nullable Clock clock(RespValue time, Inquiry.Answers answers) {
        return time.isList() && time.size() == 2
                ? new Clock(
                        time.integer(0) * MICROS_OF_SECOND + time.integer(1),
                        answers.askedNanos(),
                        answers.answeredNanos())
                : null;
    }

    private final class Asker implements Inquiry.Asker {

        private final Consumer<Inquiry.Answers> then;

        Asker(Consumer<Inquiry.Answers> then) {
            this.then = then;
        }

        @Override
        public void answered(Inquiry.Answers answers) {
            then.accept(answers);
        }

        @Override
        public void failed(Fault fault) {
            result.accept(ServerReport.unreachable(fault.node(), fault));
        }
    }
}
