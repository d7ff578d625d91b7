package io.holdfast.lock.examples.failover;

import static io.holdfast.lock.examples.console.Text.count;
import static io.holdfast.lock.examples.console.Text.duration;
import static io.holdfast.lock.examples.console.Text.plural;

import io.holdfast.lock.examples.Timeline;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Text;
import io.holdfast.lock.examples.failover.Crew.News;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What happens, act by act. Buyers buy; then a slow buyer takes the lock of each article, half of them when no replica hears
 * of it any more; the primary dies; the slow buyers write when others have bought in between.
 */
final class Play {

    private static final long LOOK_MILLIS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final long NEVER = -1;

    private final Console console;
    private final Timeline timeline;
    private final Servers servers;
    private final Crew crew;
    private final List<String> known;
    private final List<String> unknown;
    private final Lanes lanes = new Lanes();

    private final Set<String> asleep = new HashSet<>();
    private final Set<String> grantedAgain = new HashSet<>();
    /** What became of the lock that each slow buyer had, and of what the buyer wrote. */
    private final Map<String, String> losses = new HashMap<>();

    private final Map<String, String> lateWrites = new HashMap<>();

    private Map<String, Integer> named = Map.of();
    private String killed = "";
    private long killedNanos;
    private long firstNamedNanos = NEVER;
    private boolean woken;
    private int resting;

    private final @Nullable Gate gate;
    private final long patienceNanos;
    private Gate.State seenAtGate = Gate.State.OPEN;

    /**
     * @param articles the first half of them are locked while the replicas hear of it
     * @param gate what shows the failover guard; null without one
     * @param pause for how long a new primary grants nothing
     */
    Play(Console console, Servers servers, Crew crew, List<String> articles, @Nullable Gate gate, Duration pause) {
        this.gate = gate;
        this.patienceNanos = PATIENCE.plus(pause).toNanos();
        this.console = console;
        this.timeline = new Timeline(console);
        this.servers = servers;
        this.crew = crew;
        int half = articles.size() / 2;
        this.known = articles.subList(0, half);
        this.unknown = articles.subList(half, articles.size());
    }

    /** Everything up to the end of the sale. */
    void perform(long saleMillis) throws InterruptedException {
        crew.order("go");
        watch(saleMillis);
        timeline.say(count(crew.soFar().granted()) + " locks granted, "
                + count(crew.soFar().sold()) + " pieces sold");

        console.heading("A slow buyer locks each article; then the primary dies");
        killWhileLocked();

        console.heading("The Sentinels replace it");
        watchUntil("the locks that were lost are granted again", () -> grantedAgain.containsAll(unknown));
        watch(saleMillis / 4);

        console.heading("The slow buyers wake up and write");
        woken = true;
        crew.order("wake");
        watchUntil("the slow buyers have written", () -> lateWrites.keySet().containsAll(asleep));
        watch(saleMillis);
        crew.order("stop");
        watchUntil("all buyers have gone home", crew::isAtHome);
        console.endLive();
    }

    private void killWhileLocked() throws InterruptedException {
        // Else the replicas would know the lock of the buyer before, and of its release they would hear nothing.
        unknown.forEach(article -> crew.order("rest " + article));
        watchUntil("buyers rest", () -> resting == unknown.size() * crew.size());
        lock(known);
        servers.awaitInStep();
        timeline.say(list(known) + ": locked, and both replicas know it");
        servers.stopReplication();
        timeline.say("replication stops: the replicas hear nothing more of " + present());
        lock(unknown);
        timeline.say(list(unknown) + ": locked, and no replica knows it");
        killed = present();
        servers.killPrimary();
        killedNanos = System.nanoTime();
        timeline.say(console.bad("primary " + killed + " killed"));
        known.forEach(article -> crew.order("first " + article));
        unknown.forEach(article -> crew.order("first " + article));
    }

    /** Has the next buyer of each article take its time. */
    private void lock(List<String> articles) throws InterruptedException {
        articles.forEach(article -> crew.order("slow " + article));
        watchUntil(list(articles) + " are locked by slow buyers", () -> asleep.containsAll(articles));
    }

    private void watch(long millis) throws InterruptedException {
        long startNanos = System.nanoTime();
        while (System.nanoTime() - startNanos < TimeUnit.MILLISECONDS.toNanos(millis)) {
            look();
        }
    }

    private void watchUntil(String what, BooleanSupplier condition) throws InterruptedException {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNanos > patienceNanos) {
                throw new IllegalStateException(
                        "waited " + duration(patienceNanos) + " in vain (expected: " + what + ")");
            }
            look();
        }
    }

    private void look() throws InterruptedException {
        hearSentinels();
        lookAtGate();
        crew.listen(this::hear);
        Counts soFar = crew.soFar();
        List<String> dead = servers.letters().stream()
                .filter(letter -> !servers.isAlive(letter))
                .toList();
        lanes.look(timeline.elapsedNanos(), named, dead, soFar.granted(), gate == null ? null : gate.state());
        console.live(String.format(
                "  %7s  primary %s  granted %s  lost %d  refused %d",
                Text.seconds(timeline.elapsedNanos()),
                voices(),
                count(soFar.granted()),
                soFar.lost(),
                soFar.refused()));
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }

    private void hearSentinels() {
        Map<String, Integer> before = named;
        named = servers.named();
        named.forEach((letter, voices) -> {
            if (before.isEmpty()) {
                timeline.say("primary " + letter + ", named by " + of(voices));
            } else if (!before.containsKey(letter)) {
                firstNamedNanos = System.nanoTime();
                timeline.say(letter + " is named the primary by " + of(voices) + ", "
                        + duration(firstNamedNanos - killedNanos) + " after the kill");
            } else if (voices == servers.sentinels() && before.get(letter) < voices) {
                timeline.say(console.good(letter + " is named the primary by " + of(voices)));
            }
        });
    }

    private void lookAtGate() {
        Gate.State now = gate == null ? Gate.State.OPEN : gate.state();
        if (now == seenAtGate || killed.isEmpty()) {
            return;
        }
        seenAtGate = now;
        switch (now) {
            case PAUSED -> timeline.say(console.bad("PAUSED") + ": the primary is new, and grants nothing yet");
            case OPEN ->
                timeline.say(console.good("the pause is over") + ", " + duration(System.nanoTime() - killedNanos)
                        + " after the kill");
            case NOT_VOUCHED -> timeline.say("NOT_VOUCHED: nothing counts that the primary says");
            case DOWN -> {
                // That the primary is dead was said.
            }
        }
    }

    private void hear(News news) {
        String article = news.article();
        switch (news.what()) {
            case "rests" -> resting++;
            case "slow" -> {
                asleep.add(article);
                crew.order("quick " + article);
            }
            case "lost" -> {
                losses.put(article, news.detail());
                say(article, "process " + news.process() + " is told of the loss: " + console.bad(news.detail()));
            }
            case "granted" -> {
                if (grantedAgain.add(article) && !woken) {
                    say(article, "granted to another buyer " + sinceNamed());
                }
            }
            case "wrote" -> {
                lateWrites.put(article, "written");
                say(
                        article,
                        losses.containsKey(article)
                                ? console.bad("written over " + sales(news))
                                : console.good("written") + ": its lock was kept through the failover");
            }
            case "stopped" -> {
                lateWrites.put(article, "not written");
                say(article, console.good("not written") + ": its buyer has looked, and knows of the loss");
            }
            case "refused" -> {
                lateWrites.put(article, "refused");
                say(article, console.good("refused") + ": it knows nothing of " + sales(news));
            }
            default -> throw new IllegalStateException("news: " + news + " (expected: what buyers say)");
        }
    }

    private static String sales(News news) {
        return plural(Long.parseLong(news.detail()), "later sale");
    }

    private void say(String article, String what) {
        timeline.say(String.format("%-6s  %s", article, what));
    }

    private String sinceNamed() {
        return firstNamedNanos == NEVER
                ? "before a Sentinel was seen to name another primary"
                : duration(System.nanoTime() - firstNamedNanos) + " after the first Sentinel";
    }

    /** The server that most Sentinels name. */
    private String present() {
        return named.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("?");
    }

    private String voices() {
        StringJoiner voices = new StringJoiner(", ");
        named.forEach((letter, count) -> voices.add(
                letter + (servers.isAlive(letter) ? "" : " (dead)") + " " + count + " of " + servers.sentinels()));
        return voices.toString();
    }

    private String of(int voices) {
        return voices + " of " + servers.sentinels() + " Sentinels";
    }

    private static String list(List<String> articles) {
        return articles.stream().collect(Collectors.joining(", "));
    }

    /** Why the lock of an article was lost; empty if it was kept. */
    String loss(String article) {
        return losses.getOrDefault(article, "");
    }

    /** What became of the slow buyer's write. */
    String lateWrite(String article) {
        return lateWrites.getOrDefault(article, "");
    }

    /** The whole run in one picture. */
    List<String> picture() {
        return lanes.lines(servers.letters());
    }
}
