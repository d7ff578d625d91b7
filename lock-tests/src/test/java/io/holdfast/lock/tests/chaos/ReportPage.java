package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.history.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.redisson.Redisson;

/** The report as Markdown: the prose is a resource, the figures are those of a run. */
final class ReportPage {

    private static final int MOST_CHARACTERS = 200;

    /** A trial and what came of it. */
    record Played(Trial trial, RowResult result, Measures measures) {

        /** Whether this library broke a promise; with the guard no fault excuses two owners. */
        boolean isBroken() {
            return trial.isOurs()
                    && (!result.problems().isEmpty() || trial.peer() == Peer.GUARDED && measures.twoOwners > 0);
        }
    }

    private final List<Played> played;
    private final Map<String, String> parts = new LinkedHashMap<>();

    private ReportPage(List<Played> played) {
        this.played = played;
    }

    static String of(List<Played> played, long seed, String command) {
        ReportPage page = new ReportPage(played);
        page.surroundings(seed, command);
        page.figures();
        return page.fill(template());
    }

    private static String template() {
        try (InputStream resource = ReportPage.class.getResourceAsStream("report.txt")) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String fill(String template) {
        Matcher places = Pattern.compile("\\{\\{(\\w+)}}").matcher(template);
        return places.replaceAll(place -> {
            String part = parts.get(place.group(1));
            if (part == null) {
                throw new IllegalStateException("report.txt: nothing is known of " + place.group());
            }
            return Matcher.quoteReplacement(part);
        });
    }

    private void surroundings(long seed, String command) {
        double seconds =
                played.stream().mapToDouble(each -> each.result().seconds()).sum();
        parts.put("date", LocalDate.now().toString());
        parts.put("minutes", String.format(Locale.ROOT, "%.0f", seconds / 60));
        parts.put("seed", Long.toString(seed));
        parts.put("command", command);
        parts.put("code", code());
        parts.put("server", server());
        parts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
        parts.put("redisson", redisson());
        parts.put(
                "machine",
                String.format(
                        Locale.ROOT,
                        "%d processors, %s %s, load average %.1f at the end",
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
        List<String> bugs = bugs();
        parts.put("bugs", Integer.toString(bugs.size()));
        parts.put(
                "bugsOfOwners",
                Long.toString(
                        bugs.stream().filter(bug -> bug.contains("| yes |")).count()));
        parts.put("lease", Trial.LEASE.toSeconds() + " s");
    }

    private static List<String> bugs() {
        try (Stream<String> lines = Files.lines(Path.of("docs/builders/known-bugs.md"))) {
            return lines.filter(line -> line.startsWith("| KB-")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The commit, with a mark if something is not committed. */
    private static String code() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--exclude=*").start();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return said.isEmpty() ? "unknown" : said;
        } catch (IOException withoutGit) {
            return "unknown";
        }
    }

    private static String server() {
        try (RedisServer server = RedisServer.start();
                RawRedis raw = server.connect()) {
            return server.version().toString();
        }
    }

    private static String redisson() {
        Matcher jar = Pattern.compile("redisson-([\\d.]+)\\.jar")
                .matcher(Redisson.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString());
        return jar.find() ? jar.group(1) : "unknown";
    }

    private void figures() {
        long calls = played.stream().mapToLong(each -> each.measures().calls).sum();
        long faults = played.stream()
                .flatMap(each -> each.measures().faults.values().stream())
                .mapToLong(Long::longValue)
                .sum();
        parts.put("calls", number(calls));
        parts.put("faults", number(faults));
        parts.put("verdict", verdict());
        parts.put(
                "outcomes",
                table(
                        List.of("setup", "calls", "granted", "refused", "failed", "unknown"),
                        each -> List.of(
                                number(each.measures().calls),
                                number(each, Outcome.OK),
                                number(each, Outcome.REFUSED),
                                number(each, Outcome.FAIL),
                                number(each, Outcome.UNKNOWN))));
        parts.put(
                "safety",
                table(
                        List.of("setup", "lost", "told", "two owners", "for at most", "tokens back"),
                        each -> List.of(
                                number(each.measures().lost),
                                number(each.measures().told),
                                number(each.measures().twoOwners),
                                seconds(each.measures().longestTwoOwnersNanos),
                                hasTokens(each) ? number(each.measures().tokensBack) : "no tokens")));
        parts.put(
                "updates",
                table(
                        List.of("setup", "under tokens", "lost of them", "stale, refused", "lost without"),
                        each -> List.of(
                                hasTokens(each) ? number(each.measures().counted.updates()) : "no tokens",
                                number(each.measures().counted.lostFenced()),
                                number(each.measures().counted.refused()),
                                number(each.measures().counted.lostBlind()))));
        parts.put(
                "gaps",
                table(
                        List.of("setup", "longest", "at"),
                        each -> List.of(seconds(each.measures().longestGapNanos), each.measures().longestGapDuring)));
        parts.put("findings", findings());
        parts.put("faultlist", faultList());
    }

    private static boolean hasTokens(Played each) {
        return each.trial().isOurs() || each.trial().ground() != TrialGround.QUORUM;
    }

    private String verdict() {
        List<String> broken = played.stream()
                .filter(Played::isBroken)
                .map(each -> each.trial().name())
                .toList();
        return broken.isEmpty()
                ? "Holdfast kept its promises in all of its setups."
                : "**Holdfast broke a promise, or a limit of the checks, in: " + String.join("; ", broken) + ".**";
    }

    /** The problems of each setup, those that are alike as one. */
    private String findings() {
        List<String> lines = new ArrayList<>();
        for (Played each : played) {
            List<String> problems = Tally.of(
                    each.result().problems().stream().map(ReportPage::inShort).toList());
            lines.add("- **" + each.trial().name() + "**:" + (problems.isEmpty() ? " nothing." : ""));
            problems.forEach(problem -> lines.add("  - " + shortened(problem)));
        }
        return String.join("\n", lines);
    }

    /** The first line, and of a history its reason, which is the last one. */
    private static String inShort(Seen.Problem problem) {
        List<String> lines = problem.text().lines().toList();
        String first = problem.check() + ": " + (lines.isEmpty() ? "" : lines.get(0));
        return lines.size() > 1 ? first + ", " + lines.get(lines.size() - 1).strip() : first;
    }

    private static String shortened(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + " ...";
    }

    private String faultList() {
        List<String> lines = new ArrayList<>();
        lines.add("| setup | fault | times |");
        lines.add("|---|---|---:|");
        for (Played each : played) {
            each.measures()
                    .faults
                    .forEach((label, times) ->
                            lines.add("| " + each.trial().name() + " | " + label + " | " + times + " |"));
        }
        return String.join("\n", lines);
    }

    private String table(List<String> head, Function<Played, List<String>> row) {
        List<String> lines = new ArrayList<>();
        lines.add("| " + String.join(" | ", head) + " |");
        lines.add("|---|" + "---:|".repeat(head.size() - 1));
        for (Played each : played) {
            lines.add("| " + each.trial().name() + " | " + String.join(" | ", row.apply(each)) + " |");
        }
        return String.join("\n", lines);
    }

    private static String number(Played each, Outcome outcome) {
        return number(each.measures().acquires.getOrDefault(outcome, 0L));
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String seconds(long nanos) {
        return nanos == 0 ? "-" : String.format(Locale.ROOT, "%,.3f s", nanos / 1e9);
    }
}
