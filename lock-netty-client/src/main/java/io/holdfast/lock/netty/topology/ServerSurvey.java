package io.holdfast.lock.netty.topology;

import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.ErrorReplies;
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
import io.holdfast.lock.spi.ServerReport.Share;
import io.holdfast.lock.spi.ServerReport.Slots;
import io.holdfast.lock.spi.ServerReport.Verdict;
import io.holdfast.lock.spi.Survey;
import io.holdfast.lock.spi.UnexpectedReplyException;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The questions of a survey to one server: how it is set up, what time it is, and what the user may do there. Rights that its
 * script can't ask for are tried by harmless commands, on a second connection, so that a server of today logs no refusals.
 *
 * <p>All methods are called on the event loop.
 */
final class ServerSurvey {

    /** Commands that change nothing, for rights that a script may not use. No client has this address. */
    private static final Map<String, String[]> TRIES = tries();

    /** What a server says that does no work now, but will. */
    private static final Set<Fault.Kind> PASSING =
            EnumSet.of(Fault.Kind.BUSY, Fault.Kind.LOADING, Fault.Kind.MASTERDOWN);

    /** What a node says whose slot the script's keys are not in, or not all of them. */
    private static final Set<String> ELSEWHERE = Set.of("MOVED", "ASK", "TRYAGAIN");

    private static final int MOST_SLOTS_TRIED = 3;

    /** Of each call, since there is one on a connection. */
    private static final String NUMBER = "1";

    private static final int MICROS_OF_SECOND = 1_000_000;

    private final EventLoop loop;
    private final IoLoops loops;
    private final Runtime runtime;
    private final ConnectionSettings settings;
    private final Survey survey;
    /** The part of a cluster that the node has by the client's map; null if it is no node of one. */
    private final @Nullable Share share;

    private final Consumer<ServerReport> result;
    /** Where the server is; null before that is known. */
    private @Nullable SocketAddress place;

    private final LastLogin lastLogin = new LastLogin();
    private final Map<String, Verdict> rights = new HashMap<>();
    /** When the connect timeout is over, which is for both connections; means nothing before {@link #begin}. */
    private long endNanos;

    private @Nullable Inquiry inquiry;

    /** How many slots the script was to be run for. */
    private int slotsTried;

    /**
     * @param place where the server is; null: look for it
     * @param share the part of a cluster that it has by the client's map; null if it is no node of one
     * @param result hears once, unless this is cancelled
     */
    ServerSurvey(
            EventLoop loop,
            IoLoops loops,
            Runtime runtime,
            ConnectionSettings settings,
            @Nullable SocketAddress place,
            Survey survey,
            @Nullable Share share,
            Consumer<ServerReport> result) {
        this.loop = loop;
        this.loops = loops;
        this.runtime = runtime;
        this.settings = settings;
        this.place = place;
        this.survey = survey;
        this.share = share;
        this.result = result;
    }

    private static Map<String, String[]> tries() {
        Map<String, String[]> tries = new LinkedHashMap<>();
        tries.put("client|id", new String[] {"CLIENT", "ID"});
        tries.put("client|info", new String[] {"CLIENT", "INFO"});
        tries.put("client|kill", new String[] {"CLIENT", "KILL", "ID", "1", "ADDR", "0.0.0.0:0"});
        tries.put("script|load", new String[] {"SCRIPT", "LOAD", "return 1"});
        tries.put("asking", new String[] {"ASKING"});
        return tries;
    }

    void begin() {
        endNanos = runtime.nanos() + settings.connectTimeoutNanos();
        askAll();
    }

    private void askAll() {
        List<String[]> questions = new ArrayList<>();
        questions.add(new String[] {"INFO"});
        questions.add(new String[] {"CONFIG", "GET", "lua-time-limit"});
        questions.add(new String[] {"TIME"});
        // In the form in which an administrator may have loaded it.
        Script script = new NumberedScripts().of(survey.script());
        questions.add(scriptCall("EVALSHA", script.sha1()));
        questions.add(scriptCall("EVAL", script.source()));
        if (share != null) {
            questions.add(new String[] {"CLUSTER", "INFO"});
            questions.add(new String[] {"CLUSTER", "NODES"});
        }
        ask(questions, Math.max(0, endNanos - runtime.nanos()), new FirstAnswers());
    }

    void cancel() {
        if (inquiry != null) {
            inquiry.cancel();
        }
    }

    private String[] scriptCall(String command, String script) {
        Survey.Names names = survey.names().apply(slotToTry());
        List<String> words = new ArrayList<>(
                List.of(command, script, Integer.toString(names.keys().size())));
        words.addAll(names.keys());
        words.add(names.channel());
        words.addAll(survey.commands());
        words.add(NUMBER);
        return words.toArray(String[]::new);
    }

    /** A node of a cluster runs the script for a slot that it has, and not for one that is being moved. */
    private int slotToTry() {
        List<Slots> ranges = share == null ? List.of() : share.slots();
        if (ranges.isEmpty()) {
            return Survey.ANY_SLOT;
        }
        Slots range = ranges.get(ranges.size() * slotsTried / MOST_SLOTS_TRIED);
        return range.first() + (range.last() - range.first()) * (slotsTried + 1) / (MOST_SLOTS_TRIED + 1);
    }

    /** Whether the script was not run since the slot is elsewhere, or on its way, and another one may be tried. */
    private boolean isSlotElsewhere(RespValue answer) {
        boolean isElsewhere = answer.isError() && ELSEWHERE.contains(answer.errorCode());
        return isElsewhere && share != null && !share.slots().isEmpty() && slotsTried < MOST_SLOTS_TRIED - 1;
    }

    /** In the client's database: a key that is free there may be in use elsewhere. */
    private void ask(List<String[]> questions, long leftNanos, Inquiry.Asker asker) {
        List<String[]> all = new ArrayList<>();
        if (namesADatabase()) {
            all.add(new String[] {"SELECT", Integer.toString(settings.server().database())});
        }
        all.addAll(questions);
        inquiry = new Inquiry(
                        loop, loops, settings, runtime, lastLogin, leftNanos, false, place, asker, List.copyOf(all))
                .begin();
    }

    private boolean namesADatabase() {
        return settings.server().database() != 0;
    }

    /** The answers to what follows the choice of the database. */
    private List<RespValue> toQuestions(Inquiry.Answers answers) {
        return answers.values()
                .subList(namesADatabase() ? 1 : 0, answers.values().size());
    }

    private void answered(Inquiry.Answers answers) {
        List<RespValue> values = toQuestions(answers);
        RespValue info = values.get(0);
        RespValue config = values.get(1);
        RespValue time = values.get(2);
        RespValue byDigest = values.get(3);
        RespValue byText = values.get(4);
        if (isSlotElsewhere(byText)) {
            slotsTried++;
            askAll();
            return;
        }
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
                clock(time, answers),
                share);
        if (share != null) {
            report = ofNode(report, share, values.get(5), values.get(6), byText);
        }
        Fault obstacle = obstacle(report.node(), info, byText);
        if (obstacle != null) {
            tell(report, obstacle);
            return;
        }
        List<String> untold = TRIES.keySet().stream()
                .filter(right -> share != null || !right.equals("asking"))
                .filter(right -> rights.getOrDefault(right, Verdict.UNKNOWN) == Verdict.UNKNOWN)
                .toList();
        if (untold.isEmpty()) {
            tell(report, null);
        } else {
            place = answers.server();
            long leftNanos = Math.max(0, endNanos - runtime.nanos());
            ask(untold.stream().map(TRIES::get).toList(), leftNanos, new AnswersToTries(report, untold));
        }
    }

    /** The same with what a node says of its cluster. One that does not tell its state shows it by what it refuses. */
    private ServerReport ofNode(ServerReport report, Share byMap, RespValue state, RespValue nodes, RespValue script) {
        rights.put("cluster|info", RightsAnswer.ofTry(state));
        rights.put("cluster|nodes", RightsAnswer.ofTry(nodes));
        Map<String, String> info = new HashMap<>(report.info());
        info.putAll(InfoText.fields(state.isError() ? null : state.text()));
        if (script.isError() && script.errorCode().equals("CLUSTERDOWN")) {
            info.put("cluster_state", "fail");
        }
        String text = nodes.isError() ? null : nodes.text();
        NodesText told = NodesText.parse(text == null ? "" : text);
        Share shown = new Share(byMap.slots(), byMap.failed(), text == null ? null : told.moves(), told.failed());
        return new ServerReport(report.node(), null, info, report.settings(), Map.of(), report.clock(), shown);
    }

    /** @param fault why some of it is missing; null if all was answered */
    private void tell(ServerReport report, @Nullable Fault fault) {
        result.accept(new ServerReport(
                report.node(), fault, report.info(), report.settings(), rights, report.clock(), report.share()));
    }

    /** Why the server answers no question of this kind now; null if it does, or does not for good. */
    private static @Nullable Fault obstacle(String node, RespValue... answers) {
        for (RespValue answer : answers) {
            Fault fault = answer.isError() ? ErrorReplies.fault(node, answer) : null;
            if (fault != null && PASSING.contains(fault.kind())) {
                return fault;
            }
        }
        return null;
    }

    private static Map<String, String> settingsOf(RespValue config) {
        Map<String, String> settings = new HashMap<>();
        for (int i = 0; i + 1 < config.size(); i += 2) {
            settings.put(String.valueOf(config.text(i)), String.valueOf(config.text(i + 1)));
        }
        return settings;
    }

    private static @Nullable Clock clock(RespValue time, Inquiry.Answers answers) {
        if (!time.isList() || time.size() != 2) {
            return null;
        }
        try {
            long micros = Math.addExact(Math.multiplyExact(time.integer(0), MICROS_OF_SECOND), time.integer(1));
            return new Clock(micros, answers.askedNanos(), answers.answeredNanos());
        } catch (UnexpectedReplyException | ArithmeticException noTime) {
            return null;
        }
    }

    private final class FirstAnswers implements Inquiry.Asker {

        /** Without its database the client has no use for the server. */
        @Override
        public void answered(Inquiry.Answers answers) {
            RespValue first = answers.values().get(0);
            if (namesADatabase() && first.isError()) {
                failed(ErrorReplies.fault(settings.at(answers.server()).node(), first));
            } else {
                ServerSurvey.this.answered(answers);
            }
        }

        @Override
        public void failed(Fault fault) {
            result.accept(ServerReport.unreachable(fault.node(), fault, share));
        }
    }

    /** What was answered before is told even if the server is gone now. */
    private final class AnswersToTries implements Inquiry.Asker {

        private final ServerReport report;
        private final List<String> tries;

        AnswersToTries(ServerReport report, List<String> tries) {
            this.report = report;
            this.tries = tries;
        }

        @Override
        public void answered(Inquiry.Answers answers) {
            for (int i = 0; i < tries.size(); i++) {
                rights.put(tries.get(i), RightsAnswer.ofTry(toQuestions(answers).get(i)));
            }
            tell(report, null);
        }

        @Override
        public void failed(Fault fault) {
            tell(report, fault);
        }
    }
}
